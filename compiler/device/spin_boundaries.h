// Loops that wait for another thread, in a block entry.
#ifndef HOSTWARP_COMPILER_DEVICE_SPIN_BOUNDARIES_H
#define HOSTWARP_COMPILER_DEVICE_SPIN_BOUNDARIES_H

#include <llvm/IR/Instructions.h>

namespace hostwarp::compiler {

// letsOthersRun(): the call does nothing but give other threads a turn.
bool letsOthersRun(const llvm::CallBase &call);

// hasSpinLoop(): the function has a loop that may turn until another thread does something, or lets others run.
bool hasSpinLoop(llvm::Function &function);

// addSpinBoundaries() makes threads stop in such loops after a number of turns, and wherever they let others run, so
// that those get theirs: it returns calls of a function that nobody defines, which stand where they stop. `self` is the
// thread that runs the block.
llvm::SmallVector<llvm::CallInst *> addSpinBoundaries(llvm::Function &function, llvm::Value &self);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_SPIN_BOUNDARIES_H
