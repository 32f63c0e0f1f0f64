// The host pass reads, but never emits, the device functions of headers: their declarations are all it needs. Functions
// of the user's, and templates, keep their bodies, which may be what makes a kernel of a template.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>

#include "compiler/clang_plugin/plugin_action.h"

namespace {

class SkipDeviceBodies : public clang::ASTConsumer {
 public:
  bool shouldSkipFunctionBody(clang::Decl *declaration) override {
    const clang::FunctionDecl *function = declaration->getAsFunction();
    if (!function || function->isTemplated() || !function->hasAttr<clang::CUDADeviceAttr>()) return false;
    if (function->hasAttr<clang::CUDAHostAttr>() || function->hasAttr<clang::CUDAGlobalAttr>()) return false;
    const clang::SourceManager &sources = function->getASTContext().getSourceManager();
    return sources.isInSystemHeader(sources.getExpansionLoc(function->getLocation()));
  }
};

class SkipsDeviceBodies : public hostwarp::PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    if (compiler.getLangOpts().CUDAIsDevice) return std::make_unique<clang::ASTConsumer>();
    compiler.getFrontendOpts().SkipFunctionBodies = true;
    return std::make_unique<SkipDeviceBodies>();
  }
};

clang::FrontendPluginRegistry::Add<SkipsDeviceBodies> registration("hostwarp-skipped-bodies",
                                                                   "device functions of headers, in the host pass");

}  // namespace
