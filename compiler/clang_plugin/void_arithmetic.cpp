#include "compiler/clang_plugin/void_arithmetic.h"

#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <set>

#include "compiler/clang_plugin/warnings.h"

namespace hostwarp::void_arithmetic {

namespace {

// Each line of the file is one operand.
std::vector<Operand> readOperands(const std::string &file) {
  std::vector<Operand> operands;
  std::ifstream stream(file);
  for (Operand each{}; stream >> each.begin >> each.end >> each.operatorAt;) operands.push_back(each);
  return operands;
}

// isTaken(): nvcc, too, refuses `++pointer`, `pointer - pointer` and `count + pointer`.
bool isTaken(const clang::Diagnostic &error) {
  if (error.getID() != clang::diag::err_typecheck_pointer_arith_void_type &&
      error.getID() != clang::diag::err_typecheck_pointer_arith_function_type)
    return false;
  if (error.getNumRanges() != 1 || !error.hasSourceManager()) return false;
  const clang::SourceManager &sources = error.getSourceManager();
  const char *text = sources.getCharacterData(sources.getSpellingLoc(error.getLocation()));
  return (text[0] == '+' || text[0] == '-') && text[1] != text[0] &&
         sources.isBeforeInTranslationUnit(error.getRange(0).getBegin(), error.getLocation());
}

// Finder stands before what shows the diagnostics.
class Finder : public clang::DiagnosticConsumer {
 public:
  Finder(clang::DiagnosticsEngine &engine, const std::string &file)
      : engine_(engine), owned_(engine.takeClient()), shown_(owned_ ? *owned_ : *engine.getClient()), file_(file) {
    for (const Operand &each : readOperands(file)) known_.insert(each.operatorAt);
  }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (isTaken(diagnostic)) note(diagnostic);
    shown_.HandleDiagnostic(level, diagnostic);
  }
  void BeginSourceFile(const clang::LangOptions &language, const clang::Preprocessor *preprocessor) override {
    shown_.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { shown_.EndSourceFile(); }
  void finish() override { shown_.finish(); }
  void clear() override {
    DiagnosticConsumer::clear();
    shown_.clear();
  }
  bool IncludeInDiagnosticCounts() const override { return shown_.IncludeInDiagnosticCounts(); }

 private:
  void note(const clang::Diagnostic &error) {
    const unsigned at = error.getLocation().getRawEncoding();
    if (!known_.insert(at).second) return;
    // There will be another run; this one is to find as much as it can.
    engine_.setErrorLimit(0);
    const clang::SourceRange range = error.getRange(0).getAsRange();
    std::ofstream(file_, std::ios::app) << range.getBegin().getRawEncoding() << ' ' << range.getEnd().getRawEncoding()
                                        << ' ' << at << '\n';
  }

  clang::DiagnosticsEngine &engine_;
  std::unique_ptr<clang::DiagnosticConsumer> owned_;
  clang::DiagnosticConsumer &shown_;
  const std::string file_;
  std::set<unsigned> known_;  // by operator
};

clang::Token tokenAt(const clang::Token &place, clang::tok::TokenKind kind) {
  clang::Token token;
  token.startToken();
  token.setKind(kind);
  token.setLocation(place.getLocation());
  token.setLength(1);
  return token;
}

}  // namespace

Wrapper::Wrapper(clang::CompilerInstance &compiler, const std::string &file) : compiler_(compiler) {
  for (const Operand &each : readOperands(file)) {
    operands_.emplace(each.begin, each.operatorAt);
    ends_.emplace(each.end, each.operatorAt);
  }
}

void Wrapper::wrap(clang::Token &token) {
  const unsigned place = token.getLocation().getRawEncoding();
  const auto [begin, end] = operands_.equal_range(place);
  const std::size_t closing = ends_.count(place);
  if (begin == end && closing == 0) return;
  clang::Preprocessor &preprocessor = compiler_.getPreprocessor();
  clang::IdentifierInfo *wrapper = preprocessor.getIdentifierInfo("__hostwarp_bytes");
  std::vector<clang::Token> tokens;
  for (auto each = begin; each != end; ++each) {
    warnings::warn(compiler_.getDiagnostics(), clang::SourceLocation::getFromRawEncoding(each->second),
                   "arithmetic on pointer to void or function type");
    tokens.push_back(tokenAt(token, clang::tok::identifier));
    tokens.back().setIdentifierInfo(wrapper);
    tokens.push_back(tokenAt(token, clang::tok::l_paren));
  }
  tokens.push_back(token);
  for (std::size_t i = 0; i < closing; ++i) tokens.push_back(tokenAt(token, clang::tok::r_paren));

  // The first one takes the token's place, the others come behind it, unseen.
  const std::size_t behind = tokens.size() - 1;
  auto stream = std::make_unique<clang::Token[]>(behind);
  std::copy(tokens.begin() + 1, tokens.end(), stream.get());
  preprocessor.EnterTokenStream(std::move(stream), behind, /*DisableMacroExpansion=*/true, /*IsReinject=*/true);
  token = tokens.front();
}

void findOperands(clang::CompilerInstance &compiler, const std::string &file) {
  clang::DiagnosticsEngine &engine = compiler.getDiagnostics();
  engine.setClient(new Finder(engine, file), /*ShouldOwnClient=*/true);
}

}  // namespace hostwarp::void_arithmetic
