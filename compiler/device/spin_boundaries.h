// Loops that wait for another thread, in a block entry.
#ifndef HOSTWARP_COMPILER_DEVICE_SPIN_BOUNDARIES_H
#define HOSTWARP_COMPILER_DEVICE_SPIN_BOUNDARIES_H

#include <llvm/IR/Instructions.h>

namespace hostwarp::compiler {

// hasSpinLoop(): the function has a loop that may turn until another thread does something.
bool hasSpinLoop(llvm::Function &function);

// addSpinBoundaries() makes threads stop in such loops after a number of turns, so that others get theirs: it returns
// calls of a function that nobody defines, which stand where they stop. pre: `start` is the function's first block.
llvm::SmallVector<llvm::CallInst *> addSpinBoundaries(llvm::Function &function, llvm::BasicBlock &start);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_SPIN_BOUNDARIES_H
