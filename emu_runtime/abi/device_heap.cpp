// malloc() and free() of device code.
#include <string>

#include "emu_runtime/abi/exports.h"
#include "emu_runtime/device/context.h"
#include "fibers/engine.h"
#include "include/hostwarp/device_abi.h"

namespace {

hostwarp::device::Context *runningContext() {
  return static_cast<hostwarp::device::Context *>(hostwarp::fibers::currentOwner());
}

}  // namespace

HOSTWARP_ABI void *hw_malloc(size_t bytes) noexcept {
  auto *context = runningContext();
  return context ? context->heap().allocate(bytes) : nullptr;
}

HOSTWARP_ABI void hw_free(void *pointer) noexcept {
  auto *context = runningContext();
  if (!context || context->heap().free(pointer)) return;
  hostwarp::fibers::failCurrentGrid(
      hostwarp::fibers::Fault::IllegalAddress,
      "free() in device code of something that malloc() in device code did not return, or that is free already");
}
