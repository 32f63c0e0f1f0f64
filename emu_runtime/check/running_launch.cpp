#include "emu_runtime/check/running_launch.h"

#include "emu_runtime/check/allocation_places.h"
#include "emu_runtime/check/block_state.h"
#include "emu_runtime/check/source_text.h"
#include "emu_runtime/order/work.h"

namespace hostwarp::check {

RunningLaunch runningLaunch(std::optional<uint32_t> thread) {
  const hw_thread *const self = hw_self();
  if (self == nullptr) return {};
  const BlockState *const block = blockOf(*self);
  if (block == nullptr) return {};
  RunningLaunch launch{.text = "launch " + std::to_string(block->launchOrdinal()), .places = {}};
  if (const order::Part *const part = block->part(); part != nullptr) {
    launch.text += " in " + part->work().queue().name + (part->work().isGraph() ? ", a node of a graph" : "");
    launch.places = placesOf(part->work().call());
  }
  launch.text += ", warp " + std::to_string(thread.value_or(self->linearThread) / 32);
  return launch;
}

}  // namespace hostwarp::check
