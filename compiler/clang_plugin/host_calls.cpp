// `__host__ __device__` functions that call host functions. nvcc takes them, with a warning where device code comes to
// such a call; clang refuses each function that it would emit, used or not. In the device pass, therefore:
//  - a function for both sides is emitted only if device code uses it, unless another file may (-rdc=true);
//  - the call is worth a warning, where it is emitted;
//  - the host function has no body and a mark: hwcc-device makes it trap.
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <clang/Sema/ExternalSemaSource.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <llvm/ADT/STLExtras.h>

#include <vector>

namespace {

// isKernel(): where device code launches kernels, they are declared for both sides, and annotated (<host_defines.h>).
bool isKernel(const clang::FunctionDecl &function) {
  return llvm::any_of(function.specific_attrs<clang::AnnotateAttr>(),
                      [](const clang::AnnotateAttr *each) { return each->getAnnotation() == "hostwarp.kernel"; });
}

bool isForBothSides(const clang::FunctionDecl &function) {
  const auto *host = function.getAttr<clang::CUDAHostAttr>();
  const auto *device = function.getAttr<clang::CUDADeviceAttr>();
  return host && device && !host->isImplicit() && !device->isImplicit() && !isKernel(function);
}

// calledHostFunction() is what a deferred diagnostic complains of: "reference to <space> <kind> <declaration> in ...".
const clang::FunctionDecl *calledHostFunction(const clang::PartialDiagnostic &diagnostic) {
  constexpr unsigned name = 2;
  if (diagnostic.getDiagID() != clang::diag::err_ref_bad_target || !diagnostic.hasStorage()) return nullptr;
  const clang::DiagnosticStorage &arguments = *diagnostic.getStorage();
  if (arguments.NumDiagArgs <= name) return nullptr;
  if (arguments.DiagArgumentsKind[name] != clang::DiagnosticsEngine::ak_nameddecl) return nullptr;
  auto *declaration = reinterpret_cast<clang::NamedDecl *>(arguments.DiagArgumentsVal[name]);
  const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
  const bool isHost =
      function && !function->hasAttr<clang::CUDADeviceAttr>() && !function->hasAttr<clang::CUDAGlobalAttr>();
  return isHost ? function : nullptr;
}

// HostCalls is asked by clang for functions whose deferred diagnostics may be due, right before it emits them.
class HostCalls : public clang::ExternalSemaSource {
 public:
  explicit HostCalls(clang::Sema &sema)
      : sema_(sema),
        // -w does not reach diagnostics of a plugin's own.
        warning_(sema.Diags.getCustomDiagID(
            sema.Diags.getIgnoreAllWarnings() ? clang::DiagnosticsEngine::Ignored : clang::DiagnosticsEngine::Warning,
            "calling a __host__ function (%2) from a __host__ __device__ function is not allowed")) {}

  // emitLate() makes the function inline, until permit() or the end of the file.
  void emitLate(clang::FunctionDecl &function) {
    function.setImplicitlyInline();
    late_.push_back(&function);
  }

  // permit() makes warnings of the function's calls of host functions.
  void permit(const clang::FunctionDecl &function) {
    const auto found = sema_.DeviceDeferredDiags.find(&function);
    if (found == sema_.DeviceDeferredDiags.end() || !isForBothSides(function)) return;
    for (auto &[place, diagnostic] : found->second) {
      const clang::FunctionDecl *callee = calledHostFunction(diagnostic);
      if (!callee) continue;
      diagnostic.setDiagID(warning_);
      leaveToTrap(*callee);
    }
  }

  void emitLateNow() {
    for (clang::FunctionDecl *function : late_) {
      permit(*function);
      function->setImplicitlyInline(false);
    }
    late_.clear();
  }

  // What else is wrong in a function for both sides is an error whether it is used or not.
  void ReadDeclsToCheckForDeferredDiags(llvm::SmallSetVector<clang::Decl *, 4> &) override {
    emitLateNow();
    for (const auto &[function, diagnostics] : sema_.DeviceDeferredDiags) permit(*function);
  }

 private:
  void leaveToTrap(const clang::FunctionDecl &callee) {
    for (clang::FunctionDecl *each : callee.redecls()) {
      if (each->hasAttr<clang::ErrorAttr>()) continue;
      // Becomes the attribute "dontcall-warn" of the function in LLVM's code.
      each->addAttr(
          clang::ErrorAttr::CreateImplicit(sema_.Context, "hostwarp.host_function", {}, clang::ErrorAttr::GNU_warning));
      if (each->doesThisDeclarationHaveABody() && !each->isDefaulted()) each->setBody(nullptr);
    }
  }

  clang::Sema &sema_;
  const unsigned warning_;
  std::vector<clang::FunctionDecl *> late_;
};

// LateEmission tells HostCalls of functions before their bodies are read, and when they are complete.
class LateEmission : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema &sema) override {
    relocatable_ = sema.getLangOpts().GPURelocatableDeviceCode;
    calls_ = new HostCalls(sema);
    sema.addExternalSource(calls_);  // which shares in owning it
  }
  void ForgetSema() override { calls_ = nullptr; }

  bool shouldSkipFunctionBody(clang::Decl *declaration) override {
    clang::FunctionDecl *function = declaration->getAsFunction();
    if (calls_ && function && !function->isTemplated() && !function->isInlined() && isForBothSides(*function))
      calls_->emitLate(*function);
    return false;
  }

  bool HandleTopLevelDecl(clang::DeclGroupRef) override {
    if (calls_ && relocatable_) calls_->emitLateNow();
    return true;
  }

 private:
  HostCalls *calls_ = nullptr;
  bool relocatable_ = false;
};

class CallsOfHostFunctions : public clang::PluginASTAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    if (!compiler.getLangOpts().CUDAIsDevice) return std::make_unique<clang::ASTConsumer>();
    // No body is skipped: the question comes before the body, and that is the time to act.
    compiler.getFrontendOpts().SkipFunctionBodies = true;
    return std::make_unique<LateEmission>();
  }
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

clang::FrontendPluginRegistry::Add<CallsOfHostFunctions> registration("hostwarp-host-calls",
                                                                      "host functions called for both sides");

}  // namespace
