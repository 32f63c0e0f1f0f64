// Warnings of our own. Clang's options do not reach them by themselves.
#ifndef HOSTWARP_COMPILER_CLANG_PLUGIN_WARNINGS_H
#define HOSTWARP_COMPILER_CLANG_PLUGIN_WARNINGS_H

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>

namespace hostwarp::warnings {

// isQuiet(): warnings at this place are not to be said.
inline bool isQuiet(clang::DiagnosticsEngine &diagnostics, clang::SourceLocation where) {
  const clang::SourceManager &sources = diagnostics.getSourceManager();
  return diagnostics.getIgnoreAllWarnings() || sources.isInSystemHeader(sources.getExpansionLoc(where));
}

// levelOf() is what warnings are.
inline clang::DiagnosticsEngine::Level levelOf(clang::DiagnosticsEngine &diagnostics) {
  return diagnostics.getWarningsAsErrors() ? clang::DiagnosticsEngine::Error : clang::DiagnosticsEngine::Warning;
}

// warn() says `what` unless -w is given or the place is in a system header; with -Werror it is an error.
template <unsigned size>
void warn(clang::DiagnosticsEngine &diagnostics, clang::SourceLocation where, const char (&what)[size]) {
  if (!isQuiet(diagnostics, where)) diagnostics.Report(where, diagnostics.getCustomDiagID(levelOf(diagnostics), what));
}

}  // namespace hostwarp::warnings

#endif  // HOSTWARP_COMPILER_CLANG_PLUGIN_WARNINGS_H
