#include "compiler/clang_plugin/second_run.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
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

// KernelsNamed finds the declarations of kernels in namespaces, the last one of each namespace.
class KernelsNamed : public clang::RecursiveASTVisitor<KernelsNamed> {
 public:
  explicit KernelsNamed(const clang::IdentifierInfo *name) : name_(name) {}
  bool TraverseStmt(clang::Stmt *) { return true; }
  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    if (function->getIdentifier() != name_ || !function->hasAttr<clang::CUDAGlobalAttr>()) return true;
    const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(function->getDeclContext());
    if (space && space->getIdentifier()) found[space->getFirstDecl()] = function->getLocation();
    return true;
  }
  std::map<const clang::NamespaceDecl *, clang::SourceLocation> found;

 private:
  const clang::IdentifierInfo *const name_;
};

// isLastDeclarator(): the text, an initialiser, ends with its declaration.
bool isLastDeclarator(const char *text) {
  for (int depth = 0; *text != '\0'; ++text) {
    if (*text == '"' || *text == '\'')
      for (const char quote = *text++; *text != quote && *text != '\0'; ++text)
        text += *text == '\\' && text[1] != '\0';
    if (*text == '\0' || depth < 0 || (depth == 0 && *text == ',')) return false;
    if (depth == 0 && *text == ';') return true;
    depth += *text == '{' || *text == '(' || *text == '[';
    depth -= *text == '}' || *text == ')' || *text == ']';
  }
  return false;
}

// Finder looks at the errors.
class Finder : public DiagnosticRelay {
 public:
  Finder(clang::CompilerInstance &compiler, const std::string &file, std::shared_ptr<const Declaration> declaration,
         bool permissive)
      : DiagnosticRelay(compiler.getDiagnostics()),
        compiler_(compiler),
        file_(file),
        declaration_(std::move(declaration)),
        permissive_(permissive) {
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
        if (permissive_ || restrictions::isForDeviceOnly(compiler_)) noteCast(error);
        break;
      case err_variable_object_no_init:
        noteArray(error);
        break;
      case err_undeclared_var_use:
      case err_undeclared_var_use_suggest:
        noteLaunch(error);
        break;
      case err_ovl_no_viable_function_in_call:
      case err_ovl_no_viable_member_function_in_call:
      case err_ovl_no_viable_object_call:
      case err_ovl_no_viable_oper:
        noteUnevaluated();
        break;
      case err_expected_unqualified_id:
      case err_pragma_misplaced_in_decl:
        // No other token begins like this: clang looks at a pragma.
        if (*textAt(error) == '#' || llvm::StringRef(textAt(error)).starts_with("_Pragma"))
          note(Finding::Pragma, error.getLocation(), error.getLocation());
    }
  }

  void noteUnevaluated() {
    clang::Sema &sema = compiler_.getSema();
    const clang::FunctionDecl *function = sema.getCurFunctionDecl(/*AllowLambda=*/true);
    if (!function || !sema.isUnevaluatedContext()) return;
    const clang::FunctionDecl *pattern = function->getTemplateInstantiationPattern();
    const clang::SourceLocation name = (pattern ? pattern : function)->getLocation();
    note(Finding::Unevaluated, name, name);
  }

  // The note tells of the template that the declaration would be of.
  void noteInstantiation(const clang::Diagnostic &candidate) {
    FunctionAt function(candidate.getLocation());
    function.TraverseDecl(compiler_.getASTContext().getTranslationUnitDecl());
    const clang::SourceLocation begin = declaration_->instantiation.begin();
    // What is missing before a kernel is an error of nvcc's, too.
    if (!function.found || function.found->hasAttr<clang::CUDAGlobalAttr>() || begin.isInvalid()) return;
    note(restrictions::sidesOf(*function.found).host ? Finding::Both : Finding::Device, begin, begin);
  }

  // The error is about the count, between the array's name and its initialiser.
  void noteArray(const clang::Diagnostic &error) {
    const clang::SourceManager &sources = error.getSourceManager();
    const auto isMeant = [&](const InitializedArray &array) {
      return !sources.isBeforeInTranslationUnit(error.getLocation(), array.name.getLocation()) &&
             sources.isBeforeInTranslationUnit(error.getLocation(), array.initializer);
    };
    const std::vector<InitializedArray> &arrays = declaration_->arrays.arrays();
    const auto array = std::find_if(arrays.rbegin(), arrays.rend(), isMeant);
    if (array == arrays.rend()) return;
    if (isLastDeclarator(sources.getCharacterData(sources.getSpellingLoc(array->initializer))))
      note(Finding::Array, array->initializer, array->initializer);
  }

  // Clang does not look into the namespaces of a launch's arguments.
  void noteLaunch(const clang::Diagnostic &error) {
    const clang::SourceLocation name = error.getLocation();
    const clang::SourceManager &sources = error.getSourceManager();
    const auto next = clang::Lexer::findNextToken(sources.getSpellingLoc(name), sources, compiler_.getLangOpts());
    if (!next || next->isNot(clang::tok::lesslessless)) return;
    const unsigned length = clang::Lexer::MeasureTokenLength(name, sources, compiler_.getLangOpts());
    KernelsNamed kernels(compiler_.getPreprocessor().getIdentifierInfo({textAt(error), length}));
    kernels.TraverseDecl(compiler_.getASTContext().getTranslationUnitDecl());
    if (kernels.found.size() == 1) note(Finding::Qualified, {name, kernels.found.begin()->second}, name);
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
  const std::shared_ptr<const Declaration> declaration_;
  const bool permissive_;
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

// spacesOf() are the names of the namespaces that the function is in, the outermost first. Null: none.
std::vector<const clang::IdentifierInfo *> spacesOf(const clang::FunctionDecl *function) {
  std::vector<const clang::IdentifierInfo *> names;
  for (const clang::DeclContext *context = function ? function->getDeclContext() : nullptr; context;
       context = context->getParent())
    if (const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(context); space && space->getIdentifier())
      names.insert(names.begin(), space->getIdentifier());
  return names;
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

Changer::Changer(clang::CompilerInstance &compiler, const std::string &file,
                 std::shared_ptr<const Declaration> declaration)
    : compiler_(compiler), declaration_(std::move(declaration)) {
  for (const Finding &each : readFindings(file)) {
    begins_.emplace(each.begin, each);
    if (wrapperOf(each.kind)) ends_.emplace(each.end, each);
    marksFunctions_ |= each.kind == Finding::Unevaluated;
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

// An implicit function may name any other, and so may its instances; which it may call is still looked at.
void Changer::markFunction() const {
  clang::FunctionDecl *function = compiler_.getSema().getCurFunctionDecl(/*AllowLambda=*/true);
  if (!function || function->isImplicit()) return;
  const auto [begin, end] = begins_.equal_range(function->getLocation().getRawEncoding());
  if (std::any_of(begin, end, [](const auto &each) { return each.second.kind == Finding::Unevaluated; }))
    function->setImplicit();
}

void Changer::change(clang::Token &token) {
  if (marksFunctions_ && compiler_.hasSema()) markFunction();
  using namespace clang::tok;
  const unsigned place = token.getLocation().getRawEncoding();
  clang::Preprocessor &preprocessor = compiler_.getPreprocessor();
  std::vector<clang::Token> tokens;
  const auto add = [&](TokenKind kind) { tokens.push_back(tokenAt(token, kind)); };
  const auto addName = [&](llvm::StringRef name) {
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
    if (kind == Finding::Array) {
      add(semi);
      addName("__hostwarp_variable_array");
      add(l_paren);
      tokens.push_back(declaration_->arrays.arrays().back().name);
      for (TokenKind each : {comma, kw_sizeof, l_paren}) add(each);
      tokens.push_back(declaration_->arrays.arrays().back().name);
      for (TokenKind each : {r_paren, r_paren}) add(each);
      if (token.isNot(equal)) add(equal);
    }
    if (kind == Finding::Qualified) {
      FunctionAt kernel(clang::SourceLocation::getFromRawEncoding(each->second.end));
      kernel.TraverseDecl(compiler_.getASTContext().getTranslationUnitDecl());
      for (const clang::IdentifierInfo *space : spacesOf(kernel.found)) {
        add(coloncolon);
        addName(space->getName());
      }
      add(coloncolon);
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
                 std::shared_ptr<const Declaration> declaration, bool permissive) {
  compiler.getDiagnostics().setClient(new Finder(compiler, file, std::move(declaration), permissive),
                                      /*ShouldOwnClient=*/true);
}

}  // namespace hostwarp::second_run
