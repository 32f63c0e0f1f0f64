#include "emu_runtime/check/running_launch.h"

#include <algorithm>
#include <iterator>

#include "emu_runtime/check/allocation_places.h"
#include "emu_runtime/check/block_state.h"
#include "emu_runtime/check/source_text.h"
#include "emu_runtime/order/work.h"

namespace hostwarp::check {

namespace {

// addLaunches() gives for each launch by a kernel, from the inside, the functions that it was made in, and the thread.
void addLaunches(const fibers::DeviceLaunch *launch, std::vector<SourcePlace> &places) {
  for (; launch != nullptr; launch = launch->outer) {
    if (launch->site == nullptr) continue;
    std::ranges::copy(placesOf(*launch->site), std::back_inserter(places));
    places.push_back({.function = launch->thread});
  }
}

}  // namespace

RunningLaunch launchOf(const BlockState *block, std::optional<uint32_t> thread) {
  const hw_thread *const self = hw_self();
  if (block == nullptr && self != nullptr) block = blockOf(*self);
  if (block == nullptr) return {};
  RunningLaunch launch{.text = "launch " + std::to_string(block->launchOrdinal()), .places = {}};
  if (const order::Part *const part = block->part(); part != nullptr) {
    launch.text += " in " + part->work().queue().name + (part->work().isGraph() ? ", a node of a graph" : "");
    addLaunches(block->launchedBy(), launch.places);
    std::ranges::copy(placesOf(part->work().call()), std::back_inserter(launch.places));
  }
  if (!thread && self != nullptr) thread = self->linearThread;
  if (thread) launch.text += ", warp " + std::to_string(*thread / 32);
  return launch;
}

}  // namespace hostwarp::check
