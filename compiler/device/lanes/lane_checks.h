// What the runtime is told of the lanes' accesses, in the checked build.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_LANE_CHECKS_H
#define HOSTWARP_COMPILER_DEVICE_LANES_LANE_CHECKS_H

#include <llvm/IR/Instructions.h>

#include "compiler/device/lanes/lane_shapes.h"

namespace hostwarp::compiler {

// isLaneCheck(): the call tells of an access, and one call can do so for all lanes. What compares depends on what the
// lanes before have written.
bool isLaneCheck(const llvm::Instruction &instruction, const LaneShapes &shapes);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_LANE_CHECKS_H
