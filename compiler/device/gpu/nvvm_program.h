// NVVM's programs: modules of IR, in bitcode or as text, that become PTX. libnvvm.so hands them over (compiler/nvvm).
#ifndef HOSTWARP_COMPILER_DEVICE_GPU_NVVM_PROGRAM_H
#define HOSTWARP_COMPILER_DEVICE_GPU_NVVM_PROGRAM_H

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

#include "compiler/device/gpu/gpu_target.h"

namespace hostwarp::compiler {

struct NvvmProgram {
  std::vector<std::string> modules;      // files
  std::vector<std::string> lazyModules;  // of which only what is used is linked
  GpuTarget target;
  bool optimises = true;
  bool fuses = true;                              // products and sums
  bool flushes = false;                           // subnormal numbers of single precision
  bool exactQuotients = true, exactRoots = true;  // of single precision
  bool onlyVerifies = false;
};

// compileNvvm() links the modules, optimises them and writes PTX; empty where they are only verified. Text with typed
// pointers is upgraded (typed_pointers.h).
llvm::Expected<std::string> compileNvvm(const NvvmProgram &program);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_GPU_NVVM_PROGRAM_H
