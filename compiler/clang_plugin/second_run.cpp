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

#include "compiler/clang_plugin/declarations.h"
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

unsigned refusedExtern(clang::DiagnosticsEngine &diagnostics) {
  return diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0 is extern and defined nowhere in the file");
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
    if (diagnostic.getID() == clang::diag::note_ovl_candidate_bad_target) noteOtherSide(diagnostic);
    DiagnosticRelay::HandleDiagnostic(level, diagnostic);
  }

  void EndSourceFile() override {
    for (clang::SourceLocation each : declarations::annotatedLater()) note(Finding::Device, each, each);
    DiagnosticRelay::EndSourceFile();
  }

 private:
  void look(const clang::Diagnostic &error) {
    using namespace clang::diag;
    if (error.getID() == refusedExtern(compiler_.getDiagnostics())) return noteExtern(error);
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
      case err_cuda_extern_shared:
        noteExtern(error);
        break;
      case err_template_kw_missing:
        note(Finding::Template, error.getLocation(), error.getLocation());
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

  void noteOtherSide(const clang::Diagnostic &candidate) {
    const clang::FunctionDecl *function = compiler_.getSema().getCurFunctionDecl(/*AllowLambda=*/true);
    if (!function || makesCode(*function)) return;
    note(Finding::OtherSide, candidate.getLocation(), candidate.getLocation());
  }

  bool makesCode(const clang::FunctionDecl &function) const {
    const restrictions::Sides sides = restrictions::sidesOf(function);
    return compiler_.getLangOpts().CUDAIsDevice ? sides.device : sides.host;
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

  // The error's argument is the variable. `extern` stands among what its declaration begins with.
  void noteExtern(const clang::Diagnostic &error) {
    const auto *variable = reinterpret_cast<const clang::NamedDecl *>(error.getRawArg(0));  // NOLINT: clang's way
    const clang::SourceManager &sources = error.getSourceManager();
    const auto isExtern = [&](clang::SourceLocation place) {
      return llvm::StringRef(sources.getCharacterData(sources.getSpellingLoc(place))).starts_with("extern");
    };
    clang::SourceLocation place = variable->getBeginLoc();
    while (!isExtern(place)) {
      const auto next = clang::Lexer::findNextToken(sources.getExpansionLoc(place), sources, compiler_.getLangOpts());
      if (!next || !sources.isBeforeInTranslationUnit(next->getLocation(), variable->getLocation())) return;
      place = next->getLocation();
    }
    note(Finding::Static, place, variable->getLocation());
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

}  // namespace

class Replacement {
 public:
  Replacement(clang::Preprocessor &preprocessor, const clang::Token &token)
      : preprocessor_(preprocessor), place_(token.getLocation()) {}

  void add(const clang::Token &token) { tokens_.push_back(token); }
  void add(llvm::ArrayRef<clang::tok::TokenKind> kinds) {
    for (clang::tok::TokenKind kind : kinds) tokens_.push_back(made(kind));
  }
  void addName(llvm::StringRef name) {
    tokens_.push_back(made(clang::tok::identifier));
    tokens_.back().setIdentifierInfo(preprocessor_.getIdentifierInfo(name));
  }

  // enter() returns the first token; the others come behind it, unseen.
  clang::Token enter() const {
    const std::size_t behind = tokens_.size() - 1;
    if (behind == 0) return tokens_.front();
    auto stream = std::make_unique<clang::Token[]>(behind);
    std::copy(tokens_.begin() + 1, tokens_.end(), stream.get());
    preprocessor_.EnterTokenStream(std::move(stream), behind, /*DisableMacroExpansion=*/true, /*IsReinject=*/true);
    return tokens_.front();
  }

 private:
  clang::Token made(clang::tok::TokenKind kind) const {
    clang::Token token;
    token.startToken();
    token.setKind(kind);
    token.setLocation(place_);
    token.setLength(1);
    return token;
  }

  clang::Preprocessor &preprocessor_;
  const clang::SourceLocation place_;
  std::vector<clang::Token> tokens_;
};

namespace {

// addArray() begins a statement that fills the array, where its initialiser begins.
void addArray(Replacement &replacement, const InitializedArray &array) {
  using namespace clang::tok;
  replacement.add({semi});
  replacement.addName("__hostwarp_variable_array");
  replacement.add({l_paren});
  replacement.add(array.name);
  replacement.add({comma, kw_sizeof, l_paren});
  replacement.add(array.name);
  replacement.add({r_paren, r_paren});
}

void addAttribute(Replacement &replacement, const char *name) {
  using namespace clang::tok;
  replacement.add({kw___attribute, l_paren, l_paren});
  replacement.addName(name);
  replacement.add({r_paren, r_paren});
}

}  // namespace

Changer::Changer(clang::CompilerInstance &compiler, const std::string &file,
                 std::shared_ptr<const Declaration> declaration)
    : compiler_(compiler), declaration_(std::move(declaration)) {
  for (const Finding &each : readFindings(file)) {
    if (each.kind == Finding::OtherSide) continue;
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
  else if (finding.kind == Finding::Static)
    warnings::warn(diagnostics, where, "extern declaration of a device variable is treated as a static definition");
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
  using namespace clang::tok;
  if (marksFunctions_ && compiler_.hasSema()) markFunction();
  const unsigned place = token.getLocation().getRawEncoding();
  const auto [begin, end] = begins_.equal_range(place);
  if (begin == end && ends_.count(place) == 0) return;
  Replacement replacement(compiler_.getPreprocessor(), token);
  // What was found later goes around what was found before: until then clang knew no type of it.
  for (auto each = std::make_reverse_iterator(end); each != std::make_reverse_iterator(begin); ++each) {
    warn(each->second);
    if (each->second.kind == Finding::Pragma) {
      // Nothing is left of a token that has a pragma's data in it.
      replacement.add({semi});
      return void(token = replacement.enter());
    } else if (each->second.kind == Finding::Static) {
      token.setKind(kw_static);
      token.setIdentifierInfo(compiler_.getPreprocessor().getIdentifierInfo("static"));
    } else if (each->second.kind == Finding::Reinterpreted) {
      token.setKind(identifier);
      token.setIdentifierInfo(compiler_.getPreprocessor().getIdentifierInfo("__hostwarp_reinterpret"));
    } else {
      addBefore(token, each->second, replacement);
    }
  }
  replacement.add(token);
  for (std::size_t i = 0; i < ends_.count(place); ++i) replacement.add({r_paren});
  token = replacement.enter();
}

void Changer::addBefore(const clang::Token &token, const Finding &finding, Replacement &replacement) const {
  using namespace clang::tok;
  if (const char *wrapper = wrapperOf(finding.kind)) {
    replacement.addName(wrapper);
    replacement.add({l_paren});
  }
  for (const char *attribute : attributesOf(finding.kind)) addAttribute(replacement, attribute);
  if (finding.kind == Finding::Template) replacement.add({kw_template});
  if (finding.kind == Finding::Array) {
    addArray(replacement, declaration_->arrays.arrays().back());
    if (token.isNot(equal)) replacement.add({equal});
  }
  if (finding.kind != Finding::Qualified) return;
  FunctionAt kernel(clang::SourceLocation::getFromRawEncoding(finding.end));
  kernel.TraverseDecl(compiler_.getASTContext().getTranslationUnitDecl());
  for (const clang::IdentifierInfo *space : spacesOf(kernel.found)) {
    replacement.add({coloncolon});
    replacement.addName(space->getName());
  }
  if (kernel.found) replacement.add({coloncolon});
}

bool deferOtherSide(clang::CompilerInstance &compiler, const std::string &file) {
  const auto isOtherSide = [](const Finding &each) { return each.kind == Finding::OtherSide; };
  if (llvm::none_of(readFindings(file), isOtherSide)) return false;
  compiler.getLangOpts().GPUDeferDiag = true;
  return true;
}

void refuseExtern(clang::CompilerInstance &compiler, const clang::VarDecl &variable) {
  clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
  diagnostics.Report(variable.getLocation(), refusedExtern(diagnostics)) << &variable;
}

void findRefused(clang::CompilerInstance &compiler, const std::string &file,
                 std::shared_ptr<const Declaration> declaration, bool permissive) {
  compiler.getDiagnostics().setClient(new Finder(compiler, file, std::move(declaration), permissive),
                                      /*ShouldOwnClient=*/true);
}

}  // namespace hostwarp::second_run
