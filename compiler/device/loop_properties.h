// What LLVM's passes and ours may rely on of loops over threads, as metadata of their latches.
#ifndef HOSTWARP_COMPILER_DEVICE_LOOP_PROPERTIES_H
#define HOSTWARP_COMPILER_DEVICE_LOOP_PROPERTIES_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Instructions.h>

namespace hostwarp::compiler {

// addLoopProperty() adds to the metadata about the loop that `latch` closes.
void addLoopProperty(llvm::BranchInst &latch, llvm::ArrayRef<llvm::Metadata *> property);

// markThreads() says that the loop's turns are threads.
void markThreads(llvm::BranchInst &latch);

// keepRolled() forbids to unroll the loop: several threads in a row pay as a vector only.
void keepRolled(llvm::BranchInst &latch);

// allowReordering() tells LLVM that the threads' accesses do not depend on each other [CUDA 3.2.6]: without it, every
// row would begin with a comparison of all pointers. `blocks` are all of the loop.
void allowReordering(llvm::ArrayRef<llvm::BasicBlock *> blocks, llvm::BranchInst &latch);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LOOP_PROPERTIES_H
