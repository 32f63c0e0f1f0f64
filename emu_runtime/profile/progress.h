// How far long kernels have come, for the person who waits (HOSTWARP_PROGRESS).
#ifndef HOSTWARP_EMU_RUNTIME_PROFILE_PROGRESS_H
#define HOSTWARP_EMU_RUNTIME_PROFILE_PROGRESS_H

#include "fibers/engine.h"

namespace hostwarp::profile {

// watchProgress() begins to show on stderr how far the kernels in flight have come. The first call starts a thread if
// the user wants that; further calls and calls without the wish do nothing and cost one load. pre: the engine is never
// destroyed.
void watchProgress(const fibers::Engine &engine);

}  // namespace hostwarp::profile

#endif  // HOSTWARP_EMU_RUNTIME_PROFILE_PROGRESS_H
