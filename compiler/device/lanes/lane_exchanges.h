// Whether threads of a loop may hand values to each other through memory.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_LANE_EXCHANGES_H
#define HOSTWARP_COMPILER_DEVICE_LANES_LANE_EXCHANGES_H

#include "compiler/device/lanes/lane_shapes.h"

namespace hostwarp::compiler {

// mayExchange(): between two waits, threads read what others of their warp write, as far as the addresses tell.
// Programs do so that rely on the order in which a GPU's warp executes: all lanes read before any writes.
bool mayExchange(const ThreadLoop &threads, const LaneShapes &shapes, llvm::ScalarEvolution &evolution);

// mayExchangeInLoops(): they do so in a loop that each thread goes through, as one that sorts.
bool mayExchangeInLoops(const ThreadLoop &threads, const LaneShapes &shapes, llvm::ScalarEvolution &evolution,
                        const llvm::LoopInfo &loops);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_LANE_EXCHANGES_H
