// What the checked build calls in the place of functions whose callers findings name.
#include "emu_runtime/abi/exports.h"
#include "emu_runtime/check/allocation_places.h"
#include "emu_runtime/memory/allocation_table.h"
#include "include/hostwarp/check_abi.h"

using hostwarp::check::DeviceCall;

HOSTWARP_ABI void *hw_check_malloc(size_t bytes, const hw_access_site *site) noexcept {
  const DeviceCall call(*site);
  return hw_malloc(bytes);
}

HOSTWARP_ABI void *hw_check_malloc_aligned(size_t bytes, size_t alignment, const hw_access_site *site) noexcept {
  const DeviceCall call(*site);
  return hw_malloc_aligned(bytes, alignment);
}

// A free() of something else ends the grid, and does not come back.
HOSTWARP_ABI void hw_check_free(void *pointer, const hw_access_site *site) noexcept {
  const auto known = hostwarp::memory::AllocationTable::ofHeaps().find(pointer);
  if (!known || known->start != reinterpret_cast<uintptr_t>(pointer)) return hw_free(pointer);
  const DeviceCall call(*site);
  hw_free(pointer);
}
