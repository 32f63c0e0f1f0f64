#ifndef HOSTWARP_COMPILER_PTX_MBARRIER_H
#define HOSTWARP_COMPILER_PTX_MBARRIER_H

#include "compiler/ptx/address.h"

namespace hostwarp::compiler::ptx {

// emitAsyncArrive() is cp.async.mbarrier.arrive{.noinc}, its first modifiers taken already.
void emitAsyncArrive(Emitter &emitter);

// barrierAddress() is the mbarrier that operand `index` names. It lies in shared memory, and a 32-bit address is a
// shared one even without the state space.
llvm::Value *barrierAddress(Emitter &emitter, size_t index, Space space);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_MBARRIER_H
