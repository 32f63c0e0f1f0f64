// Barriers that count their threads, where these are all of the block.
#ifndef HOSTWARP_COMPILER_DEVICE_COUNTED_BARRIERS_H
#define HOSTWARP_COMPILER_DEVICE_COUNTED_BARRIERS_H

#include <llvm/IR/Function.h>

#include "compiler/device/options.h"

namespace hostwarp::compiler {

// entryWithBarriersForAll() copies the entry for threads of blocks of the shape, with __syncthreads() in the place of
// barriers that have a number and are for as many threads as the block has; the caller erases it. Null: threads wait
// otherwise, too, or somewhere in the module they arrive without waiting, which counts. The copy does the same as long
// as all threads go the same way from barrier to barrier: where some do not come, others pass that should not.
llvm::Function *entryWithBarriersForAll(llvm::Function &entry, const BlockShape &shape);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_COUNTED_BARRIERS_H
