// `extern __device__ int v = 1;` defines v, yet clang's registration of the device's variables takes every one that is
// declared extern for another file's. Without -rdc=true nvcc has what is declared only defined, too.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Frontend/CompilerInstance.h>

#include <vector>

#include "compiler/clang_plugin/plugins.h"
#include "compiler/clang_plugin/second_run.h"

namespace {

bool isDevicesExtern(const clang::VarDecl &variable) {
  return variable.getStorageClass() == clang::SC_Extern && !variable.isTemplated() &&
         (variable.hasAttr<clang::CUDADeviceAttr>() || variable.hasAttr<clang::CUDAConstantAttr>());
}

// dropExtern() gives the variable a declaration of its own that keeps the word: a constant would be its file's without.
void dropExtern(clang::ASTContext &context, clang::VarDecl &variable) {
  if (!variable.getPreviousDecl()) {
    auto *declaration = clang::VarDecl::Create(context, variable.getDeclContext(), variable.getBeginLoc(),
                                               variable.getLocation(), variable.getIdentifier(), variable.getType(),
                                               variable.getTypeSourceInfo(), clang::SC_Extern);
    declaration->setImplicit();
    variable.setPreviousDecl(declaration);
  }
  variable.setStorageClass(clang::SC_None);
}


class DefinedExterns : public clang::ASTConsumer {
 public:
  explicit DefinedExterns(clang::CompilerInstance &compiler) : compiler_(compiler) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group) see(*declaration);
    return true;
  }
  void HandleTranslationUnit(clang::ASTContext &) override {
    if (compiler_.getDiagnostics().hasErrorOccurred() || compiler_.getLangOpts().GPURelocatableDeviceCode) return;
    for (const clang::VarDecl *variable : declared_)
      if (variable->hasDefinition() == clang::VarDecl::DeclarationOnly && !variable->getType()->isIncompleteType())
        hostwarp::second_run::refuseExtern(compiler_, *variable);
  }

 private:
  void see(clang::Decl &declaration) {
    if (auto *variable = llvm::dyn_cast<clang::VarDecl>(&declaration); variable && isDevicesExtern(*variable)) {
      if (variable->hasInit())
        dropExtern(compiler_.getASTContext(), *variable);
      else if (variable->isFirstDecl() && !compiler_.getSourceManager().isInSystemHeader(variable->getLocation()))
        declared_.push_back(variable);
    }
    if (llvm::isa<clang::LinkageSpecDecl, clang::NamespaceDecl>(declaration))
      for (clang::Decl *inner : llvm::cast<clang::DeclContext>(&declaration)->decls()) see(*inner);
  }

  clang::CompilerInstance &compiler_;
  std::vector<const clang::VarDecl *> declared_;
};

class DefinedExternsAction : public hostwarp::PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    return std::make_unique<DefinedExterns>(compiler);
  }
};

}  // namespace

void hostwarp::plugins::addDefinedExterns() {
  add<DefinedExternsAction>("hostwarp-defined-externs", "registers variables that are extern and have a value");
}
