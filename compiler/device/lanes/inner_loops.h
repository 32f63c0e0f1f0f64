// Loops of the threads' own that go over neighbouring elements.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_INNER_LOOPS_H
#define HOSTWARP_COMPILER_DEVICE_LANES_INNER_LOOPS_H

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/IR/Dominators.h>

#include "compiler/device/lanes/lane_shapes.h"

namespace hostwarp::compiler {

// unrollOverElements() unrolls a loop in which each thread goes through a row of its own, element by element, so that
// AccessGroups find several to read at once. True: it has changed one, and nothing that was known holds. pre: all loops
// are in LLVM's simplified form and closed.
bool unrollOverElements(const ThreadLoop &threads, const LaneShapes &shapes, llvm::LoopInfo &loops,
                        llvm::ScalarEvolution &evolution, llvm::DominatorTree &dominators,
                        llvm::AssumptionCache &assumptions);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_INNER_LOOPS_H
