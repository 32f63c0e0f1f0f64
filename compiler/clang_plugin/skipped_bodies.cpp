// The host pass reads, but never emits, the device functions of headers: their declarations are all it needs. Functions
// of the user's, and templates, keep their bodies, which may be what makes a kernel of a template; unless something in
// them makes sense in the device pass only.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>

#include <vector>

#include "compiler/clang_plugin/plugins.h"
#include "compiler/clang_plugin/restrictions.h"
#include "compiler/clang_plugin/second_run.h"

namespace {

class SkipBodiesOfHeaders : public clang::ASTConsumer {
 public:
  bool shouldSkipFunctionBody(clang::Decl *declaration) override {
    const clang::FunctionDecl *function = declaration->getAsFunction();
    if (!function || function->isTemplated() || !function->hasAttr<clang::CUDADeviceAttr>()) return false;
    if (function->hasAttr<clang::CUDAHostAttr>() || function->hasAttr<clang::CUDAGlobalAttr>()) return false;
    const clang::SourceManager &sources = function->getASTContext().getSourceManager();
    return sources.isInSystemHeader(sources.getExpansionLoc(function->getLocation()));
  }
};

// SkipAllBodies leaves kernels an empty one: they are emitted, as what launches them.
class SkipAllBodies : public clang::ASTConsumer {
 public:
  bool shouldSkipFunctionBody(clang::Decl *declaration) override {
    clang::FunctionDecl *function = declaration->getAsFunction();
    if (!function || hostwarp::restrictions::sidesOf(*function).host) return false;
    if (function->hasAttr<clang::CUDAGlobalAttr>()) kernels_.push_back(function);
    return true;
  }

  bool HandleTopLevelDecl(clang::DeclGroupRef) override {
    for (clang::FunctionDecl *kernel : kernels_) {
      const clang::SourceLocation place = kernel->getLocation();
      kernel->setHasSkippedBody(false);
      kernel->setBody(clang::CompoundStmt::Create(kernel->getASTContext(), {}, {}, place, place));
    }
    kernels_.clear();
    return true;
  }

 private:
  std::vector<clang::FunctionDecl *> kernels_;
};

class SkipsDeviceBodies : public hostwarp::PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    const bool all = hostwarp::second_run::deferOtherSide(compiler, findings_);
    if (compiler.getLangOpts().CUDAIsDevice) return std::make_unique<clang::ASTConsumer>();
    compiler.getFrontendOpts().SkipFunctionBodies = true;
    if (all) return std::make_unique<SkipAllBodies>();
    return std::make_unique<SkipBodiesOfHeaders>();
  }

  // The argument is the file by which one run tells the next what it has found.
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &arguments) override {
    if (!arguments.empty()) findings_ = arguments.front();
    return true;
  }

 private:
  std::string findings_;
};

}  // namespace

void hostwarp::plugins::addSkippedBodies() {
  add<SkipsDeviceBodies>("hostwarp-skipped-bodies", "device functions of headers, in the host pass");
}
