// Which loops with waits stay loops.
#ifndef HOSTWARP_COMPILER_DEVICE_ROLLED_WAITS_H
#define HOSTWARP_COMPILER_DEVICE_ROLLED_WAITS_H

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace hostwarp::compiler {

// keepWaitsRolled() registers the pass that keeps loops with many waits from being unrolled: a block entry has code of
// its own for each place where threads meet, and values do not stay in registers from turn to turn.
void keepWaitsRolled(llvm::PassBuilder &builder);

// The same pass leaves loops rolled whose code LLVM takes for less than it will be: operations that are calls yet.
// letUnroll() ends that.
void letUnroll(llvm::Function &function);

// unrollSteps() adds the passes that unroll loops with waits whose turns halve or double a distance between threads,
// for code in which the shape of blocks is known: what is left of a step is a few vectors, since the lanes that take
// part and their partners are known, too.
void unrollSteps(llvm::LoopPassManager &passes);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_ROLLED_WAITS_H
