// malloc() and free() of device code.
#include <string>

#include "emu_runtime/abi/exports.h"
#include "emu_runtime/execution/running_grid.h"
#include "fibers/engine.h"
#include "include/hostwarp/device_abi.h"

namespace {

hostwarp::device::Context *runningContext() {
  auto *grid = hostwarp::execution::RunningGrid::current();
  return grid ? &grid->context() : nullptr;
}

}  // namespace

HOSTWARP_ABI void *hw_malloc(size_t bytes) noexcept { return hw_malloc_aligned(bytes, 0); }

HOSTWARP_ABI void *hw_malloc_aligned(size_t bytes, size_t alignment) noexcept {
  auto *context = runningContext();
  return context ? context->heap().allocate(bytes, alignment) : nullptr;
}

HOSTWARP_ABI void hw_free(void *pointer) noexcept {
  auto *context = runningContext();
  if (!context || context->heap().free(pointer)) return;
  hostwarp::fibers::failCurrentGrid(
      hostwarp::fibers::Fault::IllegalAddress,
      "free() in device code of something that malloc() in device code did not return, or that is free already");
}
