// Which shuffles are one.
#ifndef HOSTWARP_COMPILER_DEVICE_SHUFFLE_PAIRS_H
#define HOSTWARP_COMPILER_DEVICE_SHUFFLE_PAIRS_H

#include <llvm/Passes/PassBuilder.h>

namespace hostwarp::compiler {

// pairShuffles() registers the pass that makes one shuffle of 64 bits of two neighbouring ones of 32 bits that take
// values from the same lanes: each place where threads meet costs a block entry a loop over the lanes and the memory
// for what they keep, and a fiber a switch.
void pairShuffles(llvm::PassBuilder &builder);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_SHUFFLE_PAIRS_H
