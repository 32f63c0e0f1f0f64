// `#define UNROLL #pragma unroll`: nvcc's front end reads what the preprocessor has written, in which a line that such
// a macro stands on is a pragma. Here the macro is defined once more, as `_Pragma("unroll")`.
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <memory>
#include <string>

#include "compiler/clang_plugin/plugins.h"

namespace {

class PragmaMacros : public clang::PPCallbacks {
 public:
  explicit PragmaMacros(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  void MacroDefined(const clang::Token &name, const clang::MacroDirective *directive) override {
    const clang::MacroInfo &macro = *directive->getMacroInfo();
    const llvm::ArrayRef<clang::Token> tokens = macro.tokens();
    if (macro.isFunctionLike() || tokens.size() < 3 || tokens[0].isNot(clang::tok::hash)) return;
    const clang::IdentifierInfo *keyword = tokens[1].getIdentifierInfo();
    if (!keyword || !keyword->isStr("pragma")) return;
    clang::MacroInfo *meant = preprocessor_.AllocateMacroInfo(macro.getDefinitionLoc());
    meant->setDefinitionEndLoc(macro.getDefinitionEndLoc());
    meant->setTokens(operatorFor(tokens), preprocessor_.getPreprocessorAllocator());
    preprocessor_.appendDefMacroDirective(name.getIdentifierInfo(), meant, macro.getDefinitionLoc());
  }

 private:
  // operatorFor() is `_Pragma("...")` of the tokens, in places where they were: clang counts on those.
  llvm::SmallVector<clang::Token, 4> operatorFor(llvm::ArrayRef<clang::Token> tokens) const {
    using namespace clang::tok;
    llvm::SmallVector<clang::Token, 4> result{made(identifier, tokens[0]), made(l_paren, tokens[1]),
                                              made(string_literal, tokens[2]), made(r_paren, tokens.back())};
    result[0].setIdentifierInfo(preprocessor_.getIdentifierInfo("_Pragma"));
    const llvm::StringRef text = literalOf(tokens.drop_front(2));
    result[2].setLiteralData(text.data());
    result[2].setLength(unsigned(text.size()));
    return result;
  }

  static clang::Token made(clang::tok::TokenKind kind, const clang::Token &from) {
    clang::Token token;
    token.startToken();
    token.setKind(kind);
    token.setLocation(from.getLocation());
    token.setLength(1);
    return token;
  }

  llvm::StringRef literalOf(llvm::ArrayRef<clang::Token> tokens) const {
    std::string text;
    for (const clang::Token &token : tokens) text += (text.empty() ? "" : " ") + preprocessor_.getSpelling(token);
    text = '"' + clang::Lexer::Stringify(text) + '"';
    return llvm::StringRef(text).copy(preprocessor_.getPreprocessorAllocator());
  }

  clang::Preprocessor &preprocessor_;
};

class PragmaMacrosAction : public hostwarp::PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(std::make_unique<PragmaMacros>(preprocessor));
    return std::make_unique<clang::ASTConsumer>();
  }
};

}  // namespace

void hostwarp::plugins::addPragmaMacros() {
  add<PragmaMacrosAction>("hostwarp-pragma-macros", "macros that stand for a pragma");
}
