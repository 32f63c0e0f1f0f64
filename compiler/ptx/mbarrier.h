#ifndef HOSTWARP_COMPILER_PTX_MBARRIER_H
#define HOSTWARP_COMPILER_PTX_MBARRIER_H

#include "compiler/ptx/emitter.h"

namespace hostwarp::compiler::ptx {

// emitAsyncArrive() is cp.async.mbarrier.arrive{.noinc}, its first modifiers taken already.
void emitAsyncArrive(Emitter &emitter);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_MBARRIER_H
