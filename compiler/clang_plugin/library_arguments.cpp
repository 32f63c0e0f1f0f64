// Functions of the host's library as arguments of templates: in `map<sqrtf><<<1, 32>>>(...)`, which the host says,
// clang takes the host's sqrtf() for what device code calls; for nvcc there is one, for both sides. In the device pass
// the bodies of device code are made with the device's function of the same name and type. What they are called stays.
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <clang/Sema/TemplateInstCallback.h>

#include <vector>

#include "compiler/clang_plugin/plugins.h"

namespace {

bool isDevices(const clang::FunctionDecl &function) {
  return function.hasAttr<clang::CUDADeviceAttr>() || function.hasAttr<clang::CUDAGlobalAttr>();
}

// counterpartOf() is the device's function of the same name and type, or null.
clang::FunctionDecl *counterpartOf(const clang::FunctionDecl &host) {
  for (clang::NamedDecl *each : host.getDeclContext()->getRedeclContext()->lookup(host.getDeclName())) {
    auto *function = llvm::dyn_cast<clang::FunctionDecl>(each);
    if (function && isDevices(*function) &&
        host.getASTContext().hasSameFunctionTypeIgnoringExceptionSpec(function->getType(), host.getType()))
      return function;
  }
  return nullptr;
}

// Exchanges is told when clang begins to make the body of a template's instance, and when it has made it.
class Exchanges : public clang::TemplateInstantiationCallback {
 public:
  void initialize(const clang::Sema &) override {}
  void finalize(const clang::Sema &) override {}

  void atTemplateBegin(const clang::Sema &, const clang::Sema::CodeSynthesisContext &instance) override {
    const auto *function = functionOf(instance);
    if (!function) return;
    if (const clang::TemplateArgumentList *arguments = function->getTemplateSpecializationArgs())
      exchange(instance, *arguments);
    for (const clang::DeclContext *outer = function->getParent(); outer; outer = outer->getParent())
      if (auto *specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(outer))
        exchange(instance, specialization->getTemplateArgs());
  }

  void atTemplateEnd(const clang::Sema &, const clang::Sema::CodeSynthesisContext &instance) override {
    if (const auto *function = functionOf(instance)) restore(*function);
  }

  // restore() comes when the function's body is made, before code is made of it, whose name has the arguments in it.
  void restore(const clang::FunctionDecl &function) {
    while (!exchanged_.empty() && exchanged_.back().function == &function) {
      *exchanged_.back().argument = exchanged_.back().before;
      exchanged_.pop_back();
    }
  }

 private:
  struct Exchanged {
    const clang::FunctionDecl *function;
    clang::TemplateArgument *argument, before;
  };

  // functionOf() is the device's function of which the body is made, or null.
  static const clang::FunctionDecl *functionOf(const clang::Sema::CodeSynthesisContext &instance) {
    if (instance.Kind != clang::Sema::CodeSynthesisContext::TemplateInstantiation) return nullptr;
    const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(instance.Entity);
    return function && isDevices(*function) ? function : nullptr;
  }

  void exchange(const clang::Sema::CodeSynthesisContext &instance, const clang::TemplateArgumentList &arguments) {
    for (const clang::TemplateArgument &each : arguments.asArray()) {
      if (each.getKind() != clang::TemplateArgument::Declaration) continue;
      const auto *host = llvm::dyn_cast<clang::FunctionDecl>(each.getAsDecl());
      clang::FunctionDecl *device = host && !isDevices(*host) ? counterpartOf(*host) : nullptr;
      if (!device) continue;
      auto &argument = const_cast<clang::TemplateArgument &>(each);
      exchanged_.push_back({functionOf(instance), &argument, each});
      argument = clang::TemplateArgument(device, each.getParamTypeForDecl());
    }
  }

  std::vector<Exchanged> exchanged_;
};

class Consumer : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema &sema) override {
    auto exchanges = std::make_unique<Exchanges>();
    exchanges_ = exchanges.get();
    sema.TemplateInstCallbacks.push_back(std::move(exchanges));
  }
  void ForgetSema() override { exchanges_ = nullptr; }

  bool HandleTopLevelDecl(clang::DeclGroupRef declarations) override {
    for (const clang::Decl *each : declarations)
      if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(each); function && exchanges_)
        exchanges_->restore(*function);
    return true;
  }

 private:
  Exchanges *exchanges_ = nullptr;
};

class LibraryArguments : public hostwarp::PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    if (!compiler.getLangOpts().CUDAIsDevice) return std::make_unique<clang::ASTConsumer>();
    return std::make_unique<Consumer>();
  }
};

}  // namespace

void hostwarp::plugins::addLibraryArguments() {
  add<LibraryArguments>("hostwarp-library-arguments", "functions of the host's library as arguments of templates");
}
