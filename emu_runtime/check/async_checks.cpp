// What the checked build calls where asynchronous operations begin and are waited for (compiler/ptx/library).
#include "emu_runtime/abi/exports.h"
#include "emu_runtime/check/access_checks.h"
#include "emu_runtime/check/async_operations.h"
#include "emu_runtime/check/race_detector.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::check {

namespace {

void tell(const void *address, uint64_t value, uint32_t event, const hw_access_site *site) {
  const hw_thread &self = *hw_self();
  BlockState *const block = blockOf(self);
  if (block == nullptr) return;
  AsyncOperations &operations = RaceDetector::process().asyncOperations();
  const auto place = reinterpret_cast<uintptr_t>(address);
  if (event < HW_ASYNC_OPERATIONS)
    operations.begin(*block, self, event, place, site);
  else if (event == HW_ASYNC_WRITES && operations.isProduct(*block, self))
    operations.writesResult(*block, self, {place, value, HW_ACCESS_WRITES, site, 0, {}});
  else if (event <= HW_ASYNC_SUMS)
    checkAccess(operations.access(place, value, event));
  else
    operations.happens(*block, self, event, place, value);
}

}  // namespace

}  // namespace hostwarp::check

HOSTWARP_ABI void hw_check_async(const void *address, uint64_t value, uint32_t event,
                                 const hw_access_site *site) noexcept {
  hostwarp::check::tell(address, value, event, site);
}

HOSTWARP_ABI uint32_t hw_check_async_mode() noexcept {
  return HW_ASYNC_TOLD | (hostwarp::check::LateEffects::areWanted() ? HW_ASYNC_LATE : 0);
}

HOSTWARP_ABI void hw_check_later(void (*work)(const void *), const void *arguments, uint64_t bytes) noexcept {
  using namespace hostwarp::check;
  const hw_thread &self = *hw_self();
  if (blockOf(self) == nullptr) return work(arguments);
  const auto *first = static_cast<const std::byte *>(arguments);
  RaceDetector::process().asyncOperations().later(self, {.work = work, .arguments = {first, first + bytes}});
}
