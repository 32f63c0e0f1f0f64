// `__host__ __device__` functions that call host functions. nvcc takes them, with a warning where device code comes to
// such a call; clang refuses each function that it would emit, used or not. In the device pass, therefore:
//  - a function for both sides is emitted only if device code uses it, unless another file may (-rdc=true);
//  - the call is worth a warning, where it is emitted;
//  - host functions have a mark and no body: hwcc-device gives them one.
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Sema/ExternalSemaSource.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <clang/Sema/TemplateInstCallback.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallSet.h>

#include <vector>

#include "compiler/clang_plugin/plugins.h"
#include "compiler/clang_plugin/restrictions.h"
#include "compiler/clang_plugin/warnings.h"

namespace {

using hostwarp::restrictions::isAnnotated;

constexpr llvm::StringLiteral mark = "hostwarp.host";

// Where device code launches kernels, they are declared for both sides, and annotated (<host_defines.h>).
bool isForBothSides(const clang::FunctionDecl &function) {
  const hostwarp::restrictions::Sides sides = hostwarp::restrictions::sidesOf(function);
  return sides.host && sides.device && !hostwarp::restrictions::hasNote(function, "hostwarp.kernel");
}

// isConstexprOnly(): for both sides because it is constexpr, of which nvcc says nothing.
bool isConstexprOnly(const clang::FunctionDecl &function) {
  return function.hasAttr<clang::CUDADeviceAttr>() && !isAnnotated<clang::CUDADeviceAttr>(function);
}

// isOfStrings(): clang makes functions for both sides of all of <bits/basic_string.h>, which need host functions before
// C++20 makes them constexpr.
bool isOfStrings(const clang::FunctionDecl &function) {
  if (isAnnotated<clang::CUDADeviceAttr>(function) || function.getASTContext().getLangOpts().CPlusPlus20) return false;
  const clang::SourceManager &sources = function.getASTContext().getSourceManager();
  return sources.getFilename(sources.getExpansionLoc(function.getLocation())).contains("/bits/basic_string.");
}

bool isHosts(const clang::FunctionDecl &function) {
  if (function.hasAttr<clang::CUDAGlobalAttr>()) return false;
  return !function.hasAttr<clang::CUDADeviceAttr>() || isOfStrings(function);
}

// calledOfHost() is what a deferred diagnostic complains of: "reference to <space> <kind> <declaration> in ...". Null:
// of something else.
clang::FunctionDecl *calledOfHost(const clang::PartialDiagnostic &diagnostic) {
  constexpr unsigned name = 2;
  if (diagnostic.getDiagID() != clang::diag::err_ref_bad_target || !diagnostic.hasStorage()) return nullptr;
  const clang::DiagnosticStorage &arguments = *diagnostic.getStorage();
  if (arguments.NumDiagArgs <= name) return nullptr;
  if (arguments.DiagArgumentsKind[name] != clang::DiagnosticsEngine::ak_nameddecl) return nullptr;
  auto *declaration = reinterpret_cast<clang::NamedDecl *>(arguments.DiagArgumentsVal[name]);
  auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
  return function && isHosts(*function) ? function : nullptr;
}

// isBuiltin(): what clang itself may call, as __builtin_hypot() does hypot(), and device code finds in the host's
// library. (Not so what ends the program.)
bool isBuiltin(const clang::FunctionDecl &function) { return function.getBuiltinID() != 0 && !function.isNoReturn(); }

// LeaveOut marks all functions that are the host's alone, of which clang has told no more than one for each place, and
// takes their bodies. What it does to those that device code does not use is of no consequence.
class LeaveOut : public clang::RecursiveASTVisitor<LeaveOut> {
 public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }
  bool TraverseStmt(clang::Stmt *) { return true; }
  bool TraverseTypeLoc(clang::TypeLoc) { return true; }

  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    if (function->isTemplated() || !isHosts(*function) || isBuiltin(*function)) return true;
    // Becomes the attribute "dontcall-warn" of the function in LLVM's code.
    if (!function->hasAttr<clang::ErrorAttr>())
      function->addAttr(
          clang::ErrorAttr::CreateImplicit(function->getASTContext(), mark, {}, clang::ErrorAttr::GNU_warning));
    if (function->doesThisDeclarationHaveABody() && !function->isDefaulted()) function->setBody(nullptr);
    return true;
  }
};

// HostCalls is asked by clang for functions whose deferred diagnostics may be due, right before it emits them.
class HostCalls : public clang::ExternalSemaSource {
 public:
  explicit HostCalls(clang::Sema &sema)
      : sema_(sema),
        warning_(sema.Diags.getCustomDiagID(
            hostwarp::warnings::levelOf(sema.Diags),
            "use of the __host__ function %2 in a __host__ __device__ function is not allowed; device code does "
            "nothing there")) {}

  // emitLate() makes the function inline, or an implicit instantiation, until finish().
  void emitLate(clang::FunctionDecl &function) {
    if (function.isTemplateInstantiation())
      function.setTemplateSpecializationKind(clang::TSK_ImplicitInstantiation);
    else
      function.setImplicitlyInline();
    late_.push_back(&function);
  }

  void ReadDeclsToCheckForDeferredDiags(llvm::SmallSetVector<clang::Decl *, 4> &) override {
    for (const auto &[function, diagnostics] : sema_.DeviceDeferredDiags) permit(*function);
    if (!permits_) return;
    for (auto &[function, diagnostics] : sema_.DeviceDeferredDiags)
      if (isHosts(*function)) diagnostics.clear();
  }

  // finish() comes when clang looks no more for functions without a body, and has made code of none that could call
  // one.
  void finish(clang::ASTConsumer &codeGenerator) {
    if (permits_) LeaveOut().TraverseDecl(sema_.Context.getTranslationUnitDecl());
    for (clang::FunctionDecl *function : late_) {
      if (function->isTemplateInstantiation())
        function->setTemplateSpecializationKind(clang::TSK_ExplicitInstantiationDefinition);
      else
        function->setImplicitlyInline(false);
      if (sema_.getLangOpts().GPURelocatableDeviceCode) codeGenerator.HandleTopLevelDecl(clang::DeclGroupRef(function));
    }
  }

 private:
  // permit() makes warnings of the function's calls of host functions: one of each, which clang may note twice.
  void permit(const clang::FunctionDecl &function) {
    const auto found = sema_.DeviceDeferredDiags.find(&function);
    if (found == sema_.DeviceDeferredDiags.end()) return;
    if (!isForBothSides(function) && !isConstexprOnly(function)) return;
    llvm::SmallSet<std::pair<unsigned, clang::FunctionDecl *>, 8> seen;
    llvm::erase_if(found->second, [&](clang::PartialDiagnosticAt &each) {
      clang::FunctionDecl *called = calledOfHost(each.second);
      if (!called) return false;
      each.second.setDiagID(warning_);
      permits_ = true;
      if (isConstexprOnly(function) || hostwarp::warnings::isQuiet(sema_.Diags, each.first)) return true;
      return !seen.insert({each.first.getRawEncoding(), called->getCanonicalDecl()}).second;
    });
  }

  clang::Sema &sema_;
  const unsigned warning_;
  std::vector<clang::FunctionDecl *> late_;
  bool permits_ = false;
};

// ExplicitInstantiations tells HostCalls of them before their bodies are made.
class ExplicitInstantiations : public clang::TemplateInstantiationCallback {
 public:
  explicit ExplicitInstantiations(HostCalls &calls) : calls_(calls) {}
  void initialize(const clang::Sema &) override {}
  void finalize(const clang::Sema &) override {}
  void atTemplateBegin(const clang::Sema &, const clang::Sema::CodeSynthesisContext &instance) override {
    if (instance.Kind != clang::Sema::CodeSynthesisContext::TemplateInstantiation) return;
    auto *function = llvm::dyn_cast<clang::FunctionDecl>(instance.Entity);
    if (!function || !isForBothSides(*function)) return;
    if (function->getTemplateSpecializationKind() == clang::TSK_ExplicitInstantiationDefinition)
      calls_.emitLate(*function);
  }
  void atTemplateEnd(const clang::Sema &, const clang::Sema::CodeSynthesisContext &) override {}

 private:
  HostCalls &calls_;
};

// LateEmission tells HostCalls of functions before their bodies are read, and when all are complete.
class LateEmission : public clang::SemaConsumer {
 public:
  explicit LateEmission(clang::CompilerInstance &compiler) : compiler_(compiler) {}

  void InitializeSema(clang::Sema &sema) override {
    calls_ = new HostCalls(sema);
    sema.addExternalSource(calls_);  // which shares in owning it
    sema.TemplateInstCallbacks.push_back(std::make_unique<ExplicitInstantiations>(*calls_));
  }
  void ForgetSema() override { calls_ = nullptr; }

  bool shouldSkipFunctionBody(clang::Decl *declaration) override {
    clang::FunctionDecl *function = declaration->getAsFunction();
    if (calls_ && function && !function->isTemplated() && !function->isInlined() && isForBothSides(*function))
      calls_->emitLate(*function);
    return false;
  }

  void HandleTranslationUnit(clang::ASTContext &) override {
    if (calls_) calls_->finish(compiler_.getASTConsumer());
  }

 private:
  clang::CompilerInstance &compiler_;
  HostCalls *calls_ = nullptr;
};

class CallsOfHostFunctions : public hostwarp::PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    if (!compiler.getLangOpts().CUDAIsDevice) return std::make_unique<clang::ASTConsumer>();
    // No body is skipped: the question comes before the body, and that is the time to act.
    compiler.getFrontendOpts().SkipFunctionBodies = true;
    return std::make_unique<LateEmission>(compiler);
  }
};

}  // namespace

void hostwarp::plugins::addHostCalls() {
  add<CallsOfHostFunctions>("hostwarp-host-calls", "host functions called for both sides");
}
