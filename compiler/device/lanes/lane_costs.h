// Whether a loop over threads is quicker by vectors.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_LANE_COSTS_H
#define HOSTWARP_COMPILER_DEVICE_LANES_LANE_COSTS_H

#include "compiler/device/lanes/lane_shapes.h"

namespace hostwarp::compiler {

// LaneCosts is what a loop takes for as many threads as a vector has lanes, in cycles or so.
struct LaneCosts {
  double oneByOne = 0, together = 0;
  double anywhere = 0;  // of what is together: accesses whose elements lie anywhere
  bool payOff() const { return together < 0.9 * oneByOne; }
  // arePointless(): nobody should make vectors of the loop, since its accesses alone take longer.
  bool arePointless() const { return anywhere > oneByOne; }
};

// costsOf() estimates both ways. `lanes` threads run side by side, in registers of `registerBits`.
LaneCosts costsOf(const ThreadLoop &threads, const LaneShapes &shapes, const llvm::LoopInfo &loops,
                  llvm::ScalarEvolution &evolution, unsigned lanes, unsigned registerBits);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_LANE_COSTS_H
