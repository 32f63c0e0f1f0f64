// Ways in the code that no thread comes back from.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_DEAD_ENDS_H
#define HOSTWARP_COMPILER_DEVICE_LANES_DEAD_ENDS_H

#include <llvm/IR/Function.h>

namespace hostwarp::compiler {

// openDeadEnds() makes blocks that end in a call from which nobody returns, such as a failed assert, go on where their
// condition would have gone otherwise: then they are parts of the loops that they stand beside, and threads leave these
// in one place. What follows the call never runs. True: it has changed the function.
bool openDeadEnds(llvm::Function &function);

// isDeadEnd(): threads that come into the block do not leave it.
bool isDeadEnd(const llvm::BasicBlock &block);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_DEAD_ENDS_H
