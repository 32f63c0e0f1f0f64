// Device ABI: waiting for the grids before this one, where this one was allowed to start before their end.
#include "emu_runtime/abi/exports.h"
#include "emu_runtime/execution/running_grid.h"
#include "include/hostwarp/device_abi.h"

HOSTWARP_ABI void hw_wait_for_prerequisites(void) noexcept {
  const auto *grid = hostwarp::execution::RunningGrid::current();
  while (!grid->prerequisitesDone()) hw_yield();
}
