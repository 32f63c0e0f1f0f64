// In which launch of a kernel something is found.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_RUNNING_LAUNCH_H
#define HOSTWARP_EMU_RUNTIME_CHECK_RUNNING_LAUNCH_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emu_runtime/support/findings_file.h"

namespace hostwarp::check {

class BlockState;

// RunningLaunch is "launch 3 in stream 2, warp 1", and the functions of the host that have launched it, from the call
// outwards; of a kernel that a kernel has launched first those of that kernel, and the thread. Empty where no kernel
// runs.
struct RunningLaunch {
  std::string text;
  std::vector<SourcePlace> places;
};

// launchOf() is of the block, or of the running thread's; the warp is that of the thread with the number, or of the
// running one. Blocks for long. pre: inside of a RuntimeSection.
RunningLaunch launchOf(const BlockState *block, std::optional<uint32_t> thread);

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_RUNNING_LAUNCH_H
