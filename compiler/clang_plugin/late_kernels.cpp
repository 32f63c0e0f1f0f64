// A template may launch a kernel that is declared after it, in the namespace of one of the arguments. C++ looks there
// for what a name followed by `(` calls; clang does not for one followed by `<<<`.
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/ExternalSemaSource.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/Scope.h>
#include <clang/Sema/SemaConsumer.h>
#include <llvm/ADT/DenseSet.h>

#include "compiler/clang_plugin/clang_versions.h"
#include "compiler/clang_plugin/plugins.h"

namespace {

// StandIns are variables of a type that is not known yet: clang leaves launches of them to the instantiation.
class StandIns : public clang::ExternalSemaSource {
 public:
  explicit StandIns(clang::Sema &sema) : sema_(sema) {}

  bool LookupUnqualified(clang::LookupResult &result, clang::Scope *scope) override {
    if (result.getLookupKind() != clang::Sema::LookupOrdinaryName || !scope || !scope->getTemplateParamParent())
      return false;
    if (!result.getLookupName().isIdentifier() || !isLaunched(result.getNameLoc())) return false;
    clang::ASTContext &context = sema_.Context;
    auto *standIn = clang::VarDecl::Create(context, context.getTranslationUnitDecl(), result.getNameLoc(),
                                           result.getNameLoc(), result.getLookupName().getAsIdentifierInfo(),
                                           context.DependentTy, nullptr, clang::SC_Extern);
    standIn->setImplicit();
    standIns_.insert(standIn);
    result.addDecl(standIn);
    return true;
  }

  bool contains(const clang::Decl *declaration) const { return standIns_.contains(declaration); }
  bool empty() const { return standIns_.empty(); }

 private:
  bool isBeforeLaunch(clang::SourceLocation name) const {
    const auto next = clang::Lexer::findNextToken(name, sema_.SourceMgr, sema_.getLangOpts());
    return next && next->is(clang::tok::lesslessless);
  }

  // isLaunched() looks at the text behind the name, or behind the parameter of a macro that it is an argument for.
  bool isLaunched(clang::SourceLocation name) const {
    const clang::SourceManager &sources = sema_.SourceMgr;
    if (isBeforeLaunch(sources.getSpellingLoc(name))) return true;
    return sources.isMacroArgExpansion(name) &&
           isBeforeLaunch(sources.getSpellingLoc(sources.getImmediateExpansionRange(name).getBegin()));
  }

  clang::Sema &sema_;
  llvm::DenseSet<const clang::Decl *> standIns_;
};

// CallByName makes of a launch of a stand-in one of whatever has its name where the template is instantiated.
class CallByName : public clang::RecursiveASTVisitor<CallByName> {
 public:
  CallByName(clang::Sema &sema, const StandIns &standIns) : sema_(sema), standIns_(standIns) {}

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *call) {
    const auto *callee = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreImpCasts());
    if (!callee || !standIns_.contains(callee->getDecl())) return true;
    if (clang::Expr::hasAnyTypeDependentArguments({call->getArgs(), call->getNumArgs()}))
      call->setCallee(hostwarp::clang_versions::unresolvedCallee(sema_.Context, callee->getNameInfo()));
    else
      sema_.Diag(callee->getLocation(), clang::diag::err_undeclared_var_use) << callee->getNameInfo().getName();
    return true;
  }

 private:
  clang::Sema &sema_;
  const StandIns &standIns_;
};

class LateKernels : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema &sema) override {
    sema_ = &sema;
    standIns_ = new StandIns(sema);
    sema.addExternalSource(standIns_);  // which shares in owning it
  }
  void ForgetSema() override { standIns_ = nullptr; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    if (standIns_ && !standIns_->empty())
      for (clang::Decl *declaration : group) CallByName(*sema_, *standIns_).TraverseDecl(declaration);
    return true;
  }

 private:
  clang::Sema *sema_ = nullptr;
  StandIns *standIns_ = nullptr;
};

class LateKernelsAction : public hostwarp::PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<LateKernels>();
  }
};

}  // namespace

void hostwarp::plugins::addLateKernels() {
  add<LateKernelsAction>("hostwarp-late-kernels", "kernels that templates launch before they are declared");
}
