// Errors of clang's that nvcc says nothing of or only warns of: everywhere, or in functions that are the device's
// alone, of which g++ never sees the bodies, or for `-Xcompiler -fpermissive`.
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>

#include <memory>

#include "compiler/clang_plugin/diagnostic_relay.h"
#include "compiler/clang_plugin/plugins.h"
#include "compiler/clang_plugin/restrictions.h"

namespace hostwarp {

namespace {

// A variable may be aligned less than its type asks for: alignas(64) CUtensorMap was right before CUDA 13. In
// `x.member<int>(y)` clang sees itself that a template is meant. A lambda in a host function may capture by reference:
// device code comes to it only where it calls the function, of which there is a warning.
constexpr unsigned accepted[] = {
    clang::diag::err_alignas_underaligned,
    clang::diag::err_capture_bad_target,
    clang::diag::err_missing_dependent_template_keyword,
};
constexpr unsigned warnings[] = {
    clang::diag::err_pragma_loop_precedes_nonloop,
};
constexpr unsigned warningsOnDevice[] = {
    clang::diag::err_switch_into_protected_scope,
};
constexpr unsigned warningsOfPermissive[] = {
    clang::diag::err_member_extra_qualification,
};

// Judge makes errors again of what is a warning on the device only.
class Judge : public DiagnosticRelay {
 public:
  explicit Judge(clang::CompilerInstance &compiler) : DiagnosticRelay(compiler.getDiagnostics()), compiler_(compiler) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override {
    const bool isError =
        llvm::is_contained(warningsOnDevice, diagnostic.getID()) && !restrictions::isForDeviceOnly(compiler_);
    DiagnosticRelay::HandleDiagnostic(isError ? clang::DiagnosticsEngine::Error : level, diagnostic);
  }

 private:
  clang::CompilerInstance &compiler_;
};

// makeWarning(): clang lets nobody turn an error into a warning at once.
void makeWarning(clang::DiagnosticsEngine &engine, unsigned error) {
  engine.setSeverity(error, clang::diag::Severity::Ignored, {});
  engine.setSeverity(error, clang::diag::Severity::Warning, {});
}

class DeviceLeniency : public PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    clang::DiagnosticsEngine &engine = compiler.getDiagnostics();
    for (unsigned each : accepted) engine.setSeverity(each, clang::diag::Severity::Ignored, {});
    for (unsigned each : warnings) makeWarning(engine, each);
    for (unsigned each : warningsOnDevice) makeWarning(engine, each);
    if (permissive_)
      for (unsigned each : warningsOfPermissive) makeWarning(engine, each);
    engine.setClient(new Judge(compiler), /*ShouldOwnClient=*/true);
    return std::make_unique<clang::ASTConsumer>();
  }
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &arguments) override {
    permissive_ = llvm::is_contained(arguments, "-fpermissive");
    return true;
  }

 private:
  bool permissive_ = false;
};

}  // namespace

}  // namespace hostwarp

void hostwarp::plugins::addDeviceLeniency() {
  add<DeviceLeniency>("hostwarp-device-leniency", "clang's errors that are none of nvcc's");
}
