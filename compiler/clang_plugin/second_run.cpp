#include "compiler/clang_plugin/second_run.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <vector>

#include "compiler/clang_plugin/diagnostic_relay.h"
#include "compiler/clang_plugin/restrictions.h"
#include "compiler/clang_plugin/warnings.h"

namespace hostwarp::second_run {

namespace {

// Each line of the file is one finding.
std::vector<Finding> readFindings(const std::string &file) {
  std::vector<Finding> findings;
  std::ifstream stream(file);
  char kind;
  for (Finding each{}; stream >> kind >> each.begin >> each.end >> each.at;) {
    each.kind = Finding::Kind(kind);
    findings.push_back(each);
  }
  return findings;
}

const char *textAt(const clang::Diagnostic &error) {
  const clang::SourceManager &sources = error.getSourceManager();
  return sources.getCharacterData(sources.getSpellingLoc(error.getLocation()));
}

// countsBytes(): nvcc, too, refuses `++pointer`, `pointer - pointer` and `count + pointer`.
bool countsBytes(const clang::Diagnostic &error) {
  if (error.getNumRanges() != 1) return false;
  const char *text = textAt(error);
  return (text[0] == '+' || text[0] == '-') && text[1] != text[0] &&
         error.getSourceManager().isBeforeInTranslationUnit(error.getRange(0).getBegin(), error.getLocation());
}

// FunctionAt finds the function that is declared at a place.
class FunctionAt : public clang::RecursiveASTVisitor<FunctionAt> {
 public:
  explicit FunctionAt(clang::SourceLocation where) : where_(where) {}
  bool TraverseStmt(clang::Stmt *) { return true; }
  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    if (function->getLocation() == where_) found = function;
    return !found;
  }
  const clang::FunctionDecl *found = nullptr;

 private:
  const clang::SourceLocation where_;
};

// Finder looks at the errors.
class Finder : public DiagnosticRelay {
 public:
  Finder(clang::CompilerInstance &compiler, const std::string &file,
         std::shared_ptr<const InstantiationTracker> instantiations)
      : DiagnosticRelay(compiler.getDiagnostics()),
        compiler_(compiler),
        file_(file),
        instantiations_(std::move(instantiations)) {
    for (const Finding &each : readFindings(file)) known_.emplace(each.at, each.begin);
  }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override {
    if (level >= clang::DiagnosticsEngine::Error && diagnostic.hasSourceManager()) look(diagnostic);
    if (diagnostic.getID() == clang::diag::note_cuda_ovl_candidate_target_mismatch) noteInstantiation(diagnostic);
    DiagnosticRelay::HandleDiagnostic(level, diagnostic);
  }

 private:
  void look(const clang::Diagnostic &error) {
    using namespace clang::diag;
    switch (error.getID()) {
      case err_typecheck_pointer_arith_void_type:
      case err_typecheck_pointer_arith_function_type:
        if (countsBytes(error)) note(Finding::Bytes, error, 0);
        break;
      case err_typecheck_ordered_comparison_of_pointer_and_zero:
        if (restrictions::isForDeviceOnly(compiler_)) note(Finding::Address, error, 0);
        break;
      case err_bad_reinterpret_cast_small_int:
        if (restrictions::isForDeviceOnly(compiler_)) noteCast(error);
        break;
      case err_expected_unqualified_id:
      case err_pragma_misplaced_in_decl:
        // No other token begins like this: clang looks at a pragma.
        if (*textAt(error) == '#' || llvm::StringRef(textAt(error)).starts_with("_Pragma"))
          note(Finding::Pragma, error.getLocation(), error.getLocation());
    }
  }

  // The note tells of the template that the declaration would be of.
  void noteInstantiation(const clang::Diagnostic &candidate) {
    FunctionAt function(candidate.getLocation());
    function.TraverseDecl(compiler_.getASTContext().getTranslationUnitDecl());
    const clang::SourceLocation begin = instantiations_->begin();
    // What is missing before a kernel is an error of nvcc's, too.
    if (!function.found || function.found->hasAttr<clang::CUDAGlobalAttr>() || begin.isInvalid()) return;
    note(restrictions::sidesOf(*function.found).host ? Finding::Both : Finding::Device, begin, begin);
  }

  // The first range is the whole cast.
  void noteCast(const clang::Diagnostic &error) {
    if (*textAt(error) == 'r')
      note(Finding::Reinterpreted, error.getLocation(), error.getLocation());
    else
      note(Finding::Narrowed, error, 1);
  }

  // The ranges of the error from the given one on are operands.
  void note(Finding::Kind kind, const clang::Diagnostic &error, unsigned first) {
    for (const clang::CharSourceRange &each : error.getRanges().drop_front(first))
      note(kind, each.getAsRange(), error.getLocation());
  }

  void note(Finding::Kind kind, clang::SourceRange range, clang::SourceLocation at) {
    const unsigned begin = range.getBegin().getRawEncoding();
    if (!known_.emplace(at.getRawEncoding(), begin).second) return;
    // There will be another run; this one is to find as much as it can.
    compiler_.getDiagnostics().setErrorLimit(0);
    std::ofstream(file_, std::ios::app) << char(kind) << ' ' << begin << ' ' << range.getEnd().getRawEncoding() << ' '
                                        << at.getRawEncoding() << '\n';
  }

  clang::CompilerInstance &compiler_;
  const std::string file_;
  const std::shared_ptr<const InstantiationTracker> instantiations_;
  std::set<std::pair<unsigned, unsigned>> known_;
};

// wrapperOf() is what goes around an operand.
const char *wrapperOf(Finding::Kind kind) {
  if (kind == Finding::Bytes) return "__hostwarp_bytes";
  return kind == Finding::Address || kind == Finding::Narrowed ? "__hostwarp_address" : nullptr;
}

// attributesOf() goes before a declaration.
std::vector<const char *> attributesOf(Finding::Kind kind) {
  if (kind == Finding::Both) return {"host", "device"};
  if (kind == Finding::Device) return {"device"};
  return {};
}

clang::Token tokenAt(const clang::Token &place, clang::tok::TokenKind kind, clang::IdentifierInfo *name = nullptr) {
  clang::Token token;
  token.startToken();
  token.setKind(kind);
  token.setLocation(place.getLocation());
  token.setLength(1);
  if (name) token.setIdentifierInfo(name);
  return token;
}

}  // namespace

Changer::Changer(clang::CompilerInstance &compiler, const std::string &file) : compiler_(compiler) {
  for (const Finding &each : readFindings(file)) {
    begins_.emplace(each.begin, each);
    if (wrapperOf(each.kind)) ends_.emplace(each.end, each);
  }
}

void Changer::warn(const Finding &finding) const {
  const clang::SourceLocation where = clang::SourceLocation::getFromRawEncoding(finding.at);
  clang::DiagnosticsEngine &diagnostics = compiler_.getDiagnostics();
  if (finding.kind == Finding::Bytes)
    warnings::warn(diagnostics, where, "arithmetic on pointer to void or function type");
  else if (finding.kind == Finding::Narrowed || finding.kind == Finding::Reinterpreted)
    warnings::warn(diagnostics, where, "conversion from pointer to smaller integer");
  else if (finding.kind == Finding::Pragma)
    warnings::warn(diagnostics, where, "this pragma must immediately precede a statement");
}

void Changer::change(clang::Token &token) {
  using namespace clang::tok;
  const unsigned place = token.getLocation().getRawEncoding();
  clang::Preprocessor &preprocessor = compiler_.getPreprocessor();
  std::vector<clang::Token> tokens;
  const auto add = [&](TokenKind kind) { tokens.push_back(tokenAt(token, kind)); };
  const auto addName = [&](const char *name) {
    tokens.push_back(tokenAt(token, identifier, preprocessor.getIdentifierInfo(name)));
  };
  // What was found later goes around what was found before: until then clang knew no type of it.
  const auto [begin, end] = begins_.equal_range(place);
  for (auto each = std::make_reverse_iterator(end); each != std::make_reverse_iterator(begin); ++each) {
    const Finding::Kind kind = each->second.kind;
    warn(each->second);
    // These tokens are nothing to put anything around.
    if (kind == Finding::Pragma) return void(token = tokenAt(token, semi));
    if (kind == Finding::Reinterpreted) {
      token.setKind(identifier);
      token.setIdentifierInfo(preprocessor.getIdentifierInfo("__hostwarp_reinterpret"));
    }
    if (const char *wrapper = wrapperOf(kind)) {
      addName(wrapper);
      add(l_paren);
    }
    for (const char *attribute : attributesOf(kind)) {
      for (TokenKind before : {kw___attribute, l_paren, l_paren}) add(before);
      addName(attribute);
      for (TokenKind after : {r_paren, r_paren}) add(after);
    }
  }
  tokens.push_back(token);
  tokens.insert(tokens.end(), ends_.count(place), tokenAt(token, r_paren));
  if (tokens.size() == 1) return;

  // The first one takes the token's place, the others come behind it, unseen.
  const std::size_t behind = tokens.size() - 1;
  auto stream = std::make_unique<clang::Token[]>(behind);
  std::copy(tokens.begin() + 1, tokens.end(), stream.get());
  preprocessor.EnterTokenStream(std::move(stream), behind, /*DisableMacroExpansion=*/true, /*IsReinject=*/true);
  token = tokens.front();
}

void findRefused(clang::CompilerInstance &compiler, const std::string &file,
                 std::shared_ptr<const InstantiationTracker> instantiations) {
  compiler.getDiagnostics().setClient(new Finder(compiler, file, std::move(instantiations)), /*ShouldOwnClient=*/true);
}

}  // namespace hostwarp::second_run
