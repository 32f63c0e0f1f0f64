// Atomics of several threads that are one for memory.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_LANE_ATOMICS_H
#define HOSTWARP_COMPILER_DEVICE_LANES_LANE_ATOMICS_H

#include <llvm/IR/Instructions.h>

#include "compiler/device/lanes/shape.h"

namespace hostwarp::compiler {

// isCombined(): the lanes change one place, `address` being what their addresses have in common, by an operation of
// which it makes no difference whether it is done for each or for all, or by sums of floating-point numbers.
bool isCombined(const llvm::Instruction &atomic, Shape address);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_LANE_ATOMICS_H
