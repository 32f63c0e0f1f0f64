#include "emu_runtime/check/init_checks.h"

#include <string>

#include "emu_runtime/check/findings.h"
#include "emu_runtime/check/variables.h"
#include "fibers/engine.h"

namespace hostwarp::check {

void runAs(hw_thread &self, uint32_t thread) {
  const hw_dim3 &extent = self.blockDim;
  self.threadIdx = {thread % extent.x, thread / extent.x % extent.y, thread / extent.x / extent.y};
  self.linearThread = thread;
  self.laneId = thread % 32;
  self.warpId = thread / 32;
}

void InitChecks::reads() {
  all_.forEach([&](uint32_t lane) { read(all_.of(lane), all_.warp * 32 + lane); });
}

void InitChecks::writes() {
  all_.forEach([&](uint32_t lane) { write(all_.of(lane)); });
}

WrittenBlock *InitChecks::sharedAt(uintptr_t address) {
  return block_.written().covers(address) ? &block_.written() : nullptr;
}

void InitChecks::read(const Access &access, uint32_t thread) {
  const WrittenBlock *const shared = sharedAt(access.start);
  const bool isWritten = shared != nullptr ? shared->isWritten(access.start, access.bytes)
                                           : !memory_.firstUnwritten(access.start, access.bytes);
  if (isWritten) return;
  const fibers::RuntimeSection section;
  hw_thread &self = *const_cast<hw_thread *>(hw_self());
  if (self.linearThread != thread) runAs(self, thread);
  const std::string where =
      shared != nullptr ? "at offset " + std::to_string(access.start - block_.shared().start()) + " of shared memory,"
                        : placeInMemory(access);
  const bool isShared = shared != nullptr;
  report({.kind = "uninitialised read",
          .what = describeAccess(access) + " " + where + " which were never written",
          .variable =
              isShared ? sharedVariable(*access.site, access.start - block_.shared().start(), access.bytes, self) : "",
          .origin = isShared ? Origin() : originOf(access)},
         *access.site);
}

void InitChecks::write(const Access &access) {
  const bool copies = (access.traits & HW_ACCESS_COPIES) != 0;
  if (WrittenBlock *const shared = sharedAt(access.start))
    shared->write(access.start, access.bytes);
  else if (copies && sharedAt(access.value) == nullptr)
    memory_.copy(access.start, access.value, access.bytes);
  else
    memory_.write(access.start, access.bytes);
}

}  // namespace hostwarp::check
