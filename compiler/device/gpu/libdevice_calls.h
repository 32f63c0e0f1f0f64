// Functions of libdevice that are one instruction of PTX, or few.
#ifndef HOSTWARP_COMPILER_DEVICE_GPU_LIBDEVICE_CALLS_H
#define HOSTWARP_COMPILER_DEVICE_GPU_LIBDEVICE_CALLS_H

#include <llvm/IR/Module.h>

namespace hostwarp::compiler {

// replaceLibdeviceCalls() puts instructions in the place of calls of such functions: minima, maxima, roots, and the
// fast functions, whose instructions take subnormal numbers for zero if `flushes`. Without `exactRoots` those of single
// precision are approximations. The module has no libdevice of its own, or has it linked already.
void replaceLibdeviceCalls(llvm::Module &module, bool flushes, bool exactRoots);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_GPU_LIBDEVICE_CALLS_H
