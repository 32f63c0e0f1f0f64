// What is not evaluated may call any function: `decltype(std::declval<Functor>()(1))`, on the host, of a functor for
// the device. Clang looks for functions that the surrounding function may call, and where it substitutes the arguments
// of a function template that is the template's own function. For that time the template's function counts as implicit,
// of which clang does not yet want to know where it runs. (Bodies of functions: second_run.h.)
#include <clang/AST/DeclTemplate.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <clang/Sema/TemplateInstCallback.h>

#include <vector>

#include "compiler/clang_plugin/plugins.h"

namespace {

using Context = clang::Sema::CodeSynthesisContext;

// substituted() is the function of the template whose arguments are being substituted. Null: this is something else.
clang::FunctionDecl *substituted(const Context &context) {
  const bool isSubstitution = context.Kind == Context::ExplicitTemplateArgumentSubstitution ||
                              context.Kind == Context::DeducedTemplateArgumentSubstitution;
  auto *functions = llvm::dyn_cast_or_null<clang::FunctionTemplateDecl>(context.Entity);
  if (!isSubstitution || !functions || llvm::isa<clang::CXXDeductionGuideDecl>(functions->getTemplatedDecl()))
    return nullptr;
  return functions->getTemplatedDecl();
}

class Substitutions : public clang::TemplateInstantiationCallback {
 public:
  void initialize(const clang::Sema &) override {}
  void finalize(const clang::Sema &) override {}

  void atTemplateBegin(const clang::Sema &, const Context &context) override {
    if (clang::FunctionDecl *function = substituted(context)) {
      wereImplicit_.push_back(function->isImplicit());
      function->setImplicit();
    } else if (context.Kind == Context::TemplateInstantiation) {
      if (auto *instance = llvm::dyn_cast<clang::FunctionDecl>(context.Entity)) makeExplicit(*instance);
    }
  }
  void atTemplateEnd(const clang::Sema &, const Context &context) override {
    if (clang::FunctionDecl *function = substituted(context)) {
      function->setImplicit(wereImplicit_.back());
      wereImplicit_.pop_back();
    }
  }

 private:
  // makeExplicit() is for what has been made of a function that was implicit for a time.
  static void makeExplicit(clang::FunctionDecl &instance) {
    const clang::FunctionDecl *pattern = instance.getTemplateInstantiationPattern();
    if (pattern && !pattern->isImplicit()) instance.setImplicit(false);
  }

  std::vector<bool> wereImplicit_;
};

class WatchesSubstitutions : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema &sema) override {
    sema.TemplateInstCallbacks.push_back(std::make_unique<Substitutions>());
  }
};

class UnevaluatedCalls : public hostwarp::PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<WatchesSubstitutions>();
  }
};

}  // namespace

void hostwarp::plugins::addUnevaluatedCalls() {
  add<UnevaluatedCalls>("hostwarp-unevaluated-calls", "calls that are not evaluated");
}
