// Whether a loop over threads is quicker by vectors.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_LANE_COSTS_H
#define HOSTWARP_COMPILER_DEVICE_LANES_LANE_COSTS_H

#include "compiler/device/lanes/lane_shapes.h"

namespace hostwarp::compiler {

// paysOff() estimates both ways. `lanes` threads run side by side, in registers of `registerBits`.
bool paysOff(const ThreadLoop &threads, const LaneShapes &shapes, const llvm::LoopInfo &loops, unsigned lanes,
             unsigned registerBits);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_LANE_COSTS_H
