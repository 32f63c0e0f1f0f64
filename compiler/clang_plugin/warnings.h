// Warnings of our own. Clang's options do not reach them by themselves.
#ifndef HOSTWARP_COMPILER_CLANG_PLUGIN_WARNINGS_H
#define HOSTWARP_COMPILER_CLANG_PLUGIN_WARNINGS_H

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>

namespace hostwarp::warnings {

// warn() says `what` unless -w is given or the place is in a system header; with -Werror it is an error.
template <unsigned size>
void warn(clang::DiagnosticsEngine &diagnostics, clang::SourceLocation where, const char (&what)[size]) {
  const clang::SourceManager &sources = diagnostics.getSourceManager();
  if (diagnostics.getIgnoreAllWarnings() || sources.isInSystemHeader(sources.getExpansionLoc(where))) return;
  const auto level =
      diagnostics.getWarningsAsErrors() ? clang::DiagnosticsEngine::Error : clang::DiagnosticsEngine::Warning;
  diagnostics.Report(where, diagnostics.getCustomDiagID(level, what));
}

}  // namespace hostwarp::warnings

#endif  // HOSTWARP_COMPILER_CLANG_PLUGIN_WARNINGS_H
