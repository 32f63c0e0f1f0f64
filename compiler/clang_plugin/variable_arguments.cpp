// Before clang 19 the target of the device pass knows no va_list: clang ends there without a word of the user's code.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/Version.h>
#include <clang/Frontend/CompilerInstance.h>

#include "compiler/clang_plugin/plugins.h"

#if CLANG_VERSION_MAJOR < 19

namespace {

// FindReads reports each place where device code takes up its variable arguments.
class FindReads : public clang::RecursiveASTVisitor<FindReads> {
 public:
  explicit FindReads(clang::DiagnosticsEngine &diagnostics) : diagnostics_(diagnostics) {}
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseFunctionDecl(clang::FunctionDecl *function) {
    const bool isDevices = function->hasAttr<clang::CUDADeviceAttr>() || function->hasAttr<clang::CUDAGlobalAttr>();
    return !isDevices || RecursiveASTVisitor::TraverseFunctionDecl(function);
  }
  bool VisitVAArgExpr(clang::VAArgExpr *expression) {
    diagnostics_.Report(expression->getBeginLoc(),
                        diagnostics_.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                     "va_arg in device code needs hostwarp to be built with clang 19"));
    return true;
  }

 private:
  clang::DiagnosticsEngine &diagnostics_;
};

class VariableArguments : public clang::ASTConsumer {
 public:
  explicit VariableArguments(clang::CompilerInstance &compiler) : compiler_(compiler) {}
  // Code is made of each declaration as it comes, unless there was an error.
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    FindReads find(compiler_.getDiagnostics());
    if (compiler_.getLangOpts().CUDAIsDevice)
      for (clang::Decl *declaration : group) find.TraverseDecl(declaration);
    return true;
  }

 private:
  clang::CompilerInstance &compiler_;
};

class VariableArgumentsAction : public hostwarp::PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    return std::make_unique<VariableArguments>(compiler);
  }
};

}  // namespace

void hostwarp::plugins::addVariableArguments() {
  add<VariableArgumentsAction>("hostwarp-variable-arguments", "refuses what this clang cannot make code of");
}

#else

void hostwarp::plugins::addVariableArguments() {}  // nothing is refused

#endif
