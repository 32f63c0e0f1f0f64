// Intrinsics that NVVM IR has and LLVM has not.
#ifndef HOSTWARP_COMPILER_DEVICE_GPU_NVVM_INTRINSICS_H
#define HOSTWARP_COMPILER_DEVICE_GPU_NVVM_INTRINSICS_H

#include <llvm/IR/Module.h>

namespace hostwarp::compiler {

// replaceNvvmIntrinsics() makes calls of LLVM's of them: votes and shuffles, whose kind is an argument in NVVM IR, and
// llvm.nvvm.match.all.sync; and casts of conversions between spaces of memory. What has another type, or a kind that is
// no constant, stays.
void replaceNvvmIntrinsics(llvm::Module &module);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_GPU_NVVM_INTRINSICS_H
