// `__shared__ alignas(16) float tile[32];`: nvcc takes alignas behind __shared__, clang takes nothing but C11's
// _Alignas behind an attribute. Here the one becomes the other.
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <clang/Lex/Preprocessor.h>

#include <memory>

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

class AlignasBehindShared : public clang::PluginASTAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    // The watcher is meant to look on; the token that it is shown is the parser's own.
    compiler.getPreprocessor().setTokenWatcher(
        [tracker = std::make_shared<SharedTracker>()](const clang::Token &token) {
          tracker->see(const_cast<clang::Token &>(token));
        });
    return std::make_unique<clang::ASTConsumer>();
  }
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

clang::FrontendPluginRegistry::Add<AlignasBehindShared> registration("hostwarp-alignas-behind-shared",
                                                                     "__shared__ alignas(16) float x;");

}  // namespace
