// One access of memory, as the code is about to make it.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_ACCESS_CHECKS_H
#define HOSTWARP_EMU_RUNTIME_CHECK_ACCESS_CHECKS_H

#include "emu_runtime/check/known_memory.h"

namespace hostwarp::check {

// checkAccess() looks at an access by an operation that the running CUDA thread has begun. pre: it is in flight.
void checkAccess(Access access);

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_ACCESS_CHECKS_H
