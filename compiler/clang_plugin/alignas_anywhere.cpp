// `__shared__ alignas(16) float tile[32];`: nvcc and gcc take alignas behind other specifiers of a declaration, clang
// only C11's _Alignas. Behind an attribute or a storage class, where no attribute of C++11 can stand, the one becomes
// the other.
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <clang/Lex/Preprocessor.h>

#include <memory>

namespace {

class SpecifierTracker {
 public:
  // see() is given every token on its way to the parser, and may change it.
  void see(clang::Token &token) {
    if (token.is(clang::tok::kw_alignas) && behindSpecifier_) token.setKind(clang::tok::kw__Alignas);
    behindSpecifier_ = token.isOneOf(clang::tok::kw_static, clang::tok::kw_extern) || endsAttribute(token);
  }

 private:
  bool endsAttribute(const clang::Token &token) {
    if (token.is(clang::tok::kw___attribute)) {
      inAttribute_ = true;
      depth_ = 0;
    }
    if (!inAttribute_) return false;
    if (token.is(clang::tok::l_paren)) ++depth_;
    if (token.isNot(clang::tok::r_paren) || --depth_ > 0) return false;
    inAttribute_ = false;
    return true;
  }

  bool behindSpecifier_ = false, inAttribute_ = false;
  int depth_ = 0;
};

class AlignasAnywhere : public clang::PluginASTAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    // The watcher is meant to look on; the token that it is shown is the parser's own.
    compiler.getPreprocessor().setTokenWatcher(
        [tracker = std::make_shared<SpecifierTracker>()](const clang::Token &token) {
          tracker->see(const_cast<clang::Token &>(token));
        });
    return std::make_unique<clang::ASTConsumer>();
  }
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

clang::FrontendPluginRegistry::Add<AlignasAnywhere> registration("hostwarp-alignas-anywhere",
                                                                 "alignas behind other specifiers");

}  // namespace
