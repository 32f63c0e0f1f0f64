#ifndef HOSTWARP_COMPILER_CLANG_PLUGIN_DIAGNOSTIC_RELAY_H
#define HOSTWARP_COMPILER_CLANG_PLUGIN_DIAGNOSTIC_RELAY_H

#include <clang/Basic/Diagnostic.h>

#include <memory>

namespace hostwarp {

// DiagnosticRelay stands before what shows the diagnostics so far, to look at them first.
class DiagnosticRelay : public clang::DiagnosticConsumer {
 public:
  explicit DiagnosticRelay(clang::DiagnosticsEngine &engine)
      : owned_(engine.takeClient()), next_(owned_ ? *owned_ : *engine.getClient()) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override {
    next_.HandleDiagnostic(level, diagnostic);
    NumErrors = next_.getNumErrors();
    NumWarnings = next_.getNumWarnings();
  }
  void BeginSourceFile(const clang::LangOptions &language, const clang::Preprocessor *preprocessor) override {
    next_.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { next_.EndSourceFile(); }
  void finish() override { next_.finish(); }
  void clear() override {
    DiagnosticConsumer::clear();
    next_.clear();
  }
  bool IncludeInDiagnosticCounts() const override { return next_.IncludeInDiagnosticCounts(); }

 private:
  std::unique_ptr<clang::DiagnosticConsumer> owned_;
  clang::DiagnosticConsumer &next_;
};

}  // namespace hostwarp

#endif  // HOSTWARP_COMPILER_CLANG_PLUGIN_DIAGNOSTIC_RELAY_H
