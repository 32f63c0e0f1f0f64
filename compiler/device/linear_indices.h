// A thread's number in its block, where programs put it together from the thread's indices.
#ifndef HOSTWARP_COMPILER_DEVICE_LINEAR_INDICES_H
#define HOSTWARP_COMPILER_DEVICE_LINEAR_INDICES_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/BasicBlock.h>

namespace hostwarp::compiler {

// takeLinearIndices() puts `linear` in the place of y * blockDim.x + x wherever the blocks compute it, by itself or as
// a part of a sum: where a row is shorter than a warp, threads that follow each other have numbers that do, though
// neither x nor y says so. pre: `linear` is that number, and dominates the blocks.
void takeLinearIndices(llvm::ArrayRef<llvm::BasicBlock *> blocks, llvm::Value &x, llvm::Value &y, llvm::Value &linear);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LINEAR_INDICES_H
