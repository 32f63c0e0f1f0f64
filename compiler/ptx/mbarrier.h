#ifndef HOSTWARP_COMPILER_PTX_MBARRIER_H
#define HOSTWARP_COMPILER_PTX_MBARRIER_H

#include "compiler/ptx/emitter.h"

namespace hostwarp::compiler::ptx {

// emitAsyncArrive() is cp.async.mbarrier.arrive{.noinc}, its first modifiers taken already.
void emitAsyncArrive(Emitter &emitter);

// completeBytes() completes `bytes` of the transaction of the mbarrier that operand `index` names in shared memory.
void completeBytes(Emitter &emitter, size_t index, llvm::Value *bytes);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_MBARRIER_H
