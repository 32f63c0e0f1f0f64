// How far long kernels have come, for the person who waits (HOSTWARP_PROGRESS).
#ifndef HOSTWARP_EMU_RUNTIME_PROFILE_PROGRESS_H
#define HOSTWARP_EMU_RUNTIME_PROFILE_PROGRESS_H

namespace hostwarp::profile {

// watchProgress() begins to show on stderr how far the kernels in flight have come. The first call starts a thread if
// the user wants that; further calls and calls without the wish do nothing and cost one load.
void watchProgress();

}  // namespace hostwarp::profile

#endif  // HOSTWARP_EMU_RUNTIME_PROFILE_PROGRESS_H
