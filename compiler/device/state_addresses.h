// What code may read of hw_thread through addresses.
#ifndef HOSTWARP_COMPILER_DEVICE_STATE_ADDRESSES_H
#define HOSTWARP_COMPILER_DEVICE_STATE_ADDRESSES_H

#include <llvm/IR/Instruction.h>

namespace hostwarp::compiler {

// looksAtOneThread(): a field of hw_thread that differs between threads may be read through `self`, the address of the
// hw_thread that a whole block runs with. The read would give one thread's value to all.
bool looksAtOneThread(const llvm::Instruction &self);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_STATE_ADDRESSES_H
