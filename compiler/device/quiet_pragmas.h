// What LLVM reports to nobody.
#ifndef HOSTWARP_COMPILER_DEVICE_QUIET_PRAGMAS_H
#define HOSTWARP_COMPILER_DEVICE_QUIET_PRAGMAS_H

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>

namespace hostwarp::compiler {

// QuietAboutPragmas: pragmas such as unroll are wishes for a GPU, and nothing is wrong where the CPU's optimiser leaves
// a loop as it is.
struct QuietAboutPragmas : llvm::DiagnosticHandler {
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    return info.getKind() == llvm::DK_OptimizationFailure;
  }
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_QUIET_PRAGMAS_H
