// How the front end marks __grid_constant__ parameters.
#ifndef HOSTWARP_COMPILER_DEVICE_GRID_CONSTANTS_H
#define HOSTWARP_COMPILER_DEVICE_GRID_CONSTANTS_H

#include <llvm/IR/IntrinsicInst.h>

namespace hostwarp::compiler {

// isGridConstant(): the annotation says that its first operand is such a parameter.
bool isGridConstant(const llvm::IntrinsicInst &annotation);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_GRID_CONSTANTS_H
