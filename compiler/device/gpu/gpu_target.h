// The GPUs that PTX is made for.
#ifndef HOSTWARP_COMPILER_DEVICE_GPU_GPU_TARGET_H
#define HOSTWARP_COMPILER_DEVICE_GPU_GPU_TARGET_H

#include <llvm/ADT/StringRef.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <optional>
#include <string>

namespace hostwarp::compiler {

// GpuTarget is an architecture, 90 for sm_90, and the version of PTX that the driver knows, 85 for 8.5.
struct GpuTarget {
  unsigned architecture = 0;
  unsigned ptxVersion = 85;
  bool isLoaded = false;  // the program loads the code, and asks for what is in it by nvcc's names
  bool isForOne = true;   // later architectures need not take the code, which may use what this one alone has
};

// parseGpuTarget() reads "sm_90" or "sm_90:ptx85", or either with ":loaded"; nothing when it is none of them, or older
// than what shuffles and votes need.
std::optional<GpuTarget> parseGpuTarget(llvm::StringRef text);

// makeGpuMachine() is LLVM's code generator for the target; null when this LLVM has none. An architecture that LLVM
// does not know yet gets code of the newest one before it, which drivers take as well.
std::unique_ptr<llvm::TargetMachine> makeGpuMachine(const GpuTarget &target);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_GPU_GPU_TARGET_H
