// PTX for a GPU, made of what hwcc-device makes host code of: the device ABI gets its other meaning.
#ifndef HOSTWARP_COMPILER_DEVICE_GPU_GPU_CODE_H
#define HOSTWARP_COMPILER_DEVICE_GPU_GPU_CODE_H

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

#include <string>
#include <vector>

#include "compiler/device/carried_code.h"
#include "compiler/device/gpu/gpu_target.h"

namespace hostwarp::compiler {

// makePtx() gives one PTX module for code that belongs together: an image of its own, or the images of one program that
// were compiled with -rdc=true. Code that is PTX stays as it is, and code that was
// compiled for an older architecture remains code for that one. The error names what has no meaning on a GPU yet.
llvm::Expected<std::string> makePtx(const std::vector<CarriedCode> &codes, const GpuTarget &device);

// optimiseForGpu() runs LLVM's pipeline of a level from 0 to 3, writePtx() LLVM's back end.
void optimiseForGpu(llvm::Module &module, llvm::TargetMachine &machine, unsigned level);
llvm::Expected<std::string> writePtx(llvm::Module &module, llvm::TargetMachine &machine);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_GPU_GPU_CODE_H
