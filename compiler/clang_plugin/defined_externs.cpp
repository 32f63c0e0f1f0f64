// `extern __device__ int v = 1;` defines v, yet clang's registration of the device's variables takes every one that is
// declared extern for another file's.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Frontend/CompilerInstance.h>

#include "compiler/clang_plugin/plugins.h"

namespace {

bool isDevicesDefinition(const clang::VarDecl &variable) {
  return variable.getStorageClass() == clang::SC_Extern && variable.hasInit() &&
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

void dropExterns(clang::ASTContext &context, clang::Decl &declaration) {
  if (auto *variable = llvm::dyn_cast<clang::VarDecl>(&declaration); variable && isDevicesDefinition(*variable))
    dropExtern(context, *variable);
  if (llvm::isa<clang::LinkageSpecDecl, clang::NamespaceDecl>(declaration))
    for (clang::Decl *inner : llvm::cast<clang::DeclContext>(&declaration)->decls()) dropExterns(context, *inner);
}

class DefinedExterns : public clang::ASTConsumer {
 public:
  explicit DefinedExterns(clang::CompilerInstance &compiler) : compiler_(compiler) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group) dropExterns(compiler_.getASTContext(), *declaration);
    return true;
  }

 private:
  clang::CompilerInstance &compiler_;
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
