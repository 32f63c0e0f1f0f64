// Spellings that nvcc takes and clang does not, changed on their way to clang's parser:
//  - `__shared__ alignas(16) float tile[32];`: behind an attribute clang takes nothing but C11's _Alignas;
//  - `asm("mov.u32 %0, %smid;" : "=r"(x))`: clang wants %%smid;
//  - `asm("..." :: "r"(x) "r"(y))`, without a comma between the operands;
//  - `kernel<<<{8, 8}, {32}>>>()`: clang takes no list without a type there;
//  - `sizeof(void)`, which is 1;
//  - `extents<int,>`, with a comma behind the last argument of a template;
//  - what takes two runs to find and to change (second_run.h).
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Preprocessor.h>

#include <cctype>
#include <cstring>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "compiler/clang_plugin/declarations.h"
#include "compiler/clang_plugin/plugins.h"
#include "compiler/clang_plugin/second_run.h"
#include "compiler/clang_plugin/warnings.h"
#include "compiler/ptx/percent_mark.h"

namespace {

class SharedTracker {
 public:
  // see() is given every token on its way to the parser, and may change it.
  void see(clang::Token &token) {
    if (token.is(clang::tok::kw_alignas) && behindShared_) token.setKind(clang::tok::kw__Alignas);
    behindShared_ = endsAttribute(token) && isShared_;
  }

 private:
  bool endsAttribute(const clang::Token &token) {
    if (token.is(clang::tok::kw___attribute)) {
      inAttribute_ = true;
      isShared_ = false;
      depth_ = 0;
    }
    if (!inAttribute_) return false;
    if (token.is(clang::tok::identifier) && token.getIdentifierInfo()->isStr("shared")) isShared_ = true;
    if (token.is(clang::tok::l_paren)) ++depth_;
    if (token.isNot(clang::tok::r_paren) || --depth_ > 0) return false;
    inAttribute_ = false;
    return true;
  }

  bool inAttribute_ = false, isShared_ = false, behindShared_ = false;
  int depth_ = 0;
};

// AsmTracker replaces the percent sign before a name by a character that hwcc-device reads as one. The length stays, because clang finds places in the text by it.
class AsmTracker {
 public:
  explicit AsmTracker(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  void see(clang::Token &token) {
    using namespace clang::tok;
    if (token.is(kw_asm)) {
      inText_ = hasOperands(token);
      depth_ = 0;
      return;
    }
    if (!inText_) return;
    if (token.is(l_paren)) ++depth_;
    if (token.isOneOf(colon, coloncolon, semi) || (token.is(r_paren) && --depth_ == 0)) inText_ = false;
    if (isStringLiteral(token.getKind()) && token.getLiteralData()) replace(token);
  }

 private:
  // hasOperands(): without a colon between the parentheses a percent sign is just that.
  bool hasOperands(const clang::Token &token) const {
    const clang::SourceManager &sources = preprocessor_.getSourceManager();
    const char *at = sources.getCharacterData(sources.getSpellingLoc(token.getLocation()));
    for (int depth = 0; *at != '\0'; ++at) {
      if (*at == '"')
        for (++at; *at != '"' && *at != '\0'; ++at) at += *at == '\\' && at[1] != '\0';
      if (*at == '\0' || *at == ';') return false;
      if (*at == '(') ++depth;
      if (*at == ')' && --depth == 0) return false;
      if (*at == ':' && depth == 1) return true;
    }
    return false;
  }

  static bool isNameAt(const char *text, const char *end) {
    const auto letter = [&](int i) { return text + i < end && (std::isalpha(text[i]) || text[i] == '_'); };
    return letter(0) && !(text + 1 < end && std::isdigit(text[1]));
  }

  // A letter and a digit are an operand with a modifier, a letter and anything else a register of PTX.
  void replace(clang::Token &token) {
    const unsigned length = token.getLength();
    char *copy = preprocessor_.getPreprocessorAllocator().Allocate<char>(length + 1);
    std::memcpy(copy, token.getLiteralData(), length);
    copy[length] = '\0';
    for (char *at = copy, *end = copy + length; at < end; ++at) {
      if (*at != '%') continue;
      if (at[1] == '%')
        ++at;
      else if (isNameAt(at + 1, end))
        *at = hostwarp::compiler::ptx::percentMark;
    }
    token.setLiteralData(copy);
  }

  clang::Preprocessor &preprocessor_;
  bool inText_ = false;
  int depth_ = 0;
};

// enterAgain() has `token` come once more behind the one that takes its place, unseen by the trackers.
void enterAgain(clang::Preprocessor &preprocessor, const clang::Token &token) {
  auto again = std::make_unique<clang::Token[]>(1);
  again[0] = token;
  preprocessor.EnterTokenStream(std::move(again), 1, /*DisableMacroExpansion=*/true, /*IsReinject=*/true);
}

// characterBehind() is the first behind the token that is no space.
char characterBehind(const clang::Preprocessor &preprocessor, const clang::Token &token) {
  const clang::SourceManager &sources = preprocessor.getSourceManager();
  const char *at = sources.getCharacterData(sources.getSpellingLoc(token.getLocation())) + token.getLength();
  while (std::isspace(static_cast<unsigned char>(*at))) ++at;
  return *at;
}

// OperandTracker puts the comma between two operands of an asm.
class OperandTracker {
 public:
  explicit OperandTracker(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  void see(clang::Token &token) {
    using namespace clang::tok;
    if (token.is(kw_asm)) {
      state_ = Text;
      depth_ = 0;
    }
    if (state_ == None) return;
    if (depth_ == 1 && token.isOneOf(colon, coloncolon)) state_ = Operands;
    if (state_ == OperandEnd && token.isOneOf(string_literal, l_square)) putComma(token);
    if (state_ == OperandEnd) state_ = Operands;
    depth_ += token.is(l_paren);
    if (token.is(r_paren) && --depth_ == 1 && state_ == Operands) state_ = OperandEnd;
    if (token.is(eof) || (depth_ == 0 && token.isOneOf(r_paren, semi, l_brace))) state_ = None;
  }

 private:
  void putComma(clang::Token &token) {
    enterAgain(preprocessor_, token);
    token.setKind(clang::tok::comma);
    token.setIdentifierInfo(nullptr);
    token.setLength(1);
  }

  clang::Preprocessor &preprocessor_;
  enum { None, Text, Operands, OperandEnd } state_ = None;
  int depth_ = 0;
};

// LaunchTracker puts the type before a list between <<< and >>>.
class LaunchTracker {
 public:
  explicit LaunchTracker(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  void see(clang::Token &token) {
    using namespace clang::tok;
    if (token.is(lesslessless)) {
      launches_.push_back({});
    } else if (!launches_.empty()) {
      Launch &launch = launches_.back();
      if (token.is(l_brace) && launch.depth == 0 && launch.atStart) giveType(token, launch);
      if (token.isOneOf(l_paren, l_square, l_brace)) ++launch.depth;
      if (token.is(comma) && launch.depth == 0) ++launch.argument;
      launch.atStart = token.is(comma);
      if (token.isOneOf(r_paren, r_square, r_brace)) --launch.depth;
      if (token.isOneOf(greatergreatergreater, eof) || launch.depth < 0) launches_.pop_back();
    }
  }

 private:
  struct Launch {
    int depth = 0;
    unsigned argument = 0;
    bool atStart = true;
  };

  void giveType(clang::Token &brace, Launch &launch) {
    static constexpr const char *types[] = {"dim3", "dim3", "size_t", "cudaStream_t"};
    if (launch.argument >= std::size(types)) return;
    enterAgain(preprocessor_, brace);
    clang::IdentifierInfo *type = preprocessor_.getIdentifierInfo(types[launch.argument]);
    brace.setKind(type->getTokenID());
    brace.setIdentifierInfo(type);
    ++launch.depth;
  }

  clang::Preprocessor &preprocessor_;
  std::vector<Launch> launches_;
};

// SizeTracker makes the void in `sizeof(void)` and `alignof(void)` a char.
class SizeTracker {
 public:
  explicit SizeTracker(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  void see(clang::Token &token) {
    using namespace clang::tok;
    if (token.isOneOf(kw_sizeof, kw_alignof, kw___alignof))
      seen_ = 1;
    else if (seen_ == 1 && token.is(l_paren))
      seen_ = 2;
    else if (std::exchange(seen_, 0) == 2 && token.is(kw_void) && characterBehind(preprocessor_, token) == ')')
      makeChar(token);
  }

 private:
  void makeChar(clang::Token &token) {
    hostwarp::warnings::warn(preprocessor_.getDiagnostics(), token.getLocation(),
                             "incomplete type \"void\" is not allowed");
    clang::IdentifierInfo *name = preprocessor_.getIdentifierInfo("char");
    token.setKind(name->getTokenID());
    token.setIdentifierInfo(name);
  }

  clang::Preprocessor &preprocessor_;
  int seen_ = 0;  // of `sizeof (`
};

// CommaTracker drops the comma behind the last argument of a template.
class CommaTracker {
 public:
  explicit CommaTracker(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  // isSpare(): the token is such a comma. `operator,` may end an argument.
  bool isSpare(const clang::Token &token) {
    const bool isName = std::exchange(behindOperator_, token.is(clang::tok::kw_operator));
    return token.is(clang::tok::comma) && !isName && characterBehind(preprocessor_, token) == '>';
  }

  // drop() makes the token the next one, which the watcher is shown, too.
  void drop(clang::Token &token) {
    if (preprocessor_.IsPreviousCachedToken(token)) preprocessor_.ReplacePreviousCachedToken({});
    preprocessor_.Lex(token);
  }

 private:
  clang::Preprocessor &preprocessor_;
  bool behindOperator_ = false;
};

// keepChange(): where the parser only tries what the tokens might be, it has kept a copy of this one already. Nobody
// changes an annotation, which has no identifier to compare.
void keepChange(clang::Preprocessor &preprocessor, const clang::Token &before, const clang::Token &token) {
  if (before.isAnnotation()) return;
  const bool isLiteral = before.isLiteral() && token.isLiteral();
  if (before.is(token.getKind()) && before.getIdentifierInfo() == token.getIdentifierInfo() &&
      (!isLiteral || before.getLiteralData() == token.getLiteralData()))
    return;
  if (preprocessor.IsPreviousCachedToken(before)) preprocessor.ReplacePreviousCachedToken({token});
}

class NvccSpellings : public hostwarp::PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    auto declaration = std::make_shared<hostwarp::second_run::Declaration>();
    if (!findings_.empty()) hostwarp::second_run::findRefused(compiler, findings_, declaration, permissive_);
    auto watch =
        [&compiler, &preprocessor, shared = SharedTracker(), assembly = AsmTracker(preprocessor),
         operands = OperandTracker(preprocessor), launches = LaunchTracker(preprocessor),
         sizes = SizeTracker(preprocessor), commas = CommaTracker(preprocessor), declaration,
         refused = hostwarp::second_run::Changer(compiler, findings_, declaration)](const clang::Token &token) mutable {
          // The watcher is meant to look on; the token that it is shown is the parser's own.
          auto &changeable = const_cast<clang::Token &>(token);
          if (commas.isSpare(token)) return commas.drop(changeable);
          const clang::Token before = token;
          shared.see(changeable);
          assembly.see(changeable);
          operands.see(changeable);
          launches.see(changeable);
          sizes.see(changeable);
          declaration->see(token);
          refused.see(changeable);
          keepChange(preprocessor, before, token);
          if (token.is(clang::tok::eof) && compiler.hasSema()) hostwarp::declarations::atEndOfFile(compiler.getSema());
        };
    preprocessor.setTokenWatcher(std::move(watch));
    return std::make_unique<clang::ASTConsumer>();
  }

  // The first argument is the file by which one run tells the next what it has found.
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &arguments) override {
    if (!arguments.empty()) findings_ = arguments.front();
    permissive_ = llvm::is_contained(arguments, "-fpermissive");
    return true;
  }

 private:
  std::string findings_;
  bool permissive_ = false;
};

}  // namespace

void hostwarp::plugins::addNvccSpellings() {
  add<NvccSpellings>("hostwarp-nvcc-spellings", "what nvcc takes and clang does not");
}
