// Mathematical functions as code that LLVM vectorises, in two steps.
#ifndef HOSTWARP_COMPILER_DEVICE_VECTOR_MATH_H
#define HOSTWARP_COMPILER_DEVICE_VECTOR_MATH_H

#include <llvm/IR/Module.h>

#include "compiler/device/device_module.h"

namespace hostwarp::compiler {

// callMathLibrary() makes calls of the C library's functions, and of the runtime's hw_math_*, calls of those of
// compiler/math_library where it has them, which are to be inlined; false if there are none. The library leaves rare
// operands to the C library, by calls that are marked `nobuiltin`. Only functions whose names begin with `prefix`.
bool callMathLibrary(DeviceModule &device, llvm::StringRef prefix = "");

// offerMasks() lets LLVM vectorise loops that contain such calls: it adds functions which take vectors and a mask,
// always to be inlined, and call for each lane in the mask, usually none. false if there are no such calls.
bool offerMasks(llvm::Module &module);
// withdrawMasks() ends what offerMasks() began. pre: loops are vectorised.
void withdrawMasks(llvm::Module &module);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_VECTOR_MATH_H
