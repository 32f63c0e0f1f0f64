// What the checked build calls before each access (compiler/device/check_accesses.cpp).
#include <array>
#include <cstring>
#include <string>

#include "emu_runtime/abi/exports.h"
#include "emu_runtime/check/findings.h"
#include "emu_runtime/check/known_memory.h"
#include "emu_runtime/check/race_detector.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/support/options.h"
#include "fibers/engine.h"
#include "fibers/sync_observer.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::check {

namespace {

// changesOfTables() tells whether allocations have come or gone.
uint64_t changesOfTables() {
  return memory::AllocationTable::process().changes() + memory::AllocationTable::ofHeaps().changes();
}

// Recent is the ranges that this OS thread's last accesses lay in.
struct Recent {
  uint64_t changes = ~uint64_t{0};  // of the tables, when the ranges were good
  std::array<Range, 4> ranges;
  size_t next = 0;

  bool holds(uintptr_t address, uint64_t bytes) const {
    if (changes != changesOfTables()) return false;
    for (const Range &range : ranges)
      if (range.holds(address, bytes)) return true;
    return false;
  }

  void add(const Range &range, uint64_t now) {
    if (changes != now) ranges = {};
    changes = now;
    ranges[next++ % ranges.size()] = range;
  }
};
thread_local Recent recent;

bool isShared(const hw_thread &self, uintptr_t address, uint64_t bytes) {
  const uint64_t offset = address - reinterpret_cast<uintptr_t>(self.sharedBase);
  return offset < self.sharedBytes && bytes <= self.sharedBytes - offset;
}

uintptr_t endOfShared(const hw_thread &self) { return reinterpret_cast<uintptr_t>(self.sharedBase) + self.sharedBytes; }

// sharedProblem(): the access ends behind the block's shared memory.
std::string sharedProblem(const hw_thread &self, const Access &access) {
  return describeAccess(access) + " at offset " +
         std::to_string(access.start - reinterpret_cast<uintptr_t>(self.sharedBase)) +
         " of shared memory, of which the block has " + std::to_string(self.sharedBytes) + " bytes";
}

// lookUp() is whether the access is of memory that other threads may touch, too; it tells of one that is wrong.
[[gnu::noinline]] bool lookUp(const Access &access) {
  const fibers::RuntimeSection section;
  const uint64_t now = changesOfTables();
  const hw_thread &self = *hw_self();
  if (access.start - reinterpret_cast<uintptr_t>(self.sharedBase) < self.sharedBytes) {
    if ((access.traits & HW_ACCESS_BOUNDS_KNOWN) == 0)
      report({"out of bounds", sharedProblem(self, access)}, *access.site);
    return false;
  }
  const Judgement judgement = judge(access);
  if (judgement.problem && (access.traits & HW_ACCESS_BOUNDS_KNOWN) == 0) report(*judgement.problem, *access.site);
  if (judgement.range.end != 0) recent.add(judgement.range, now);
  return judgement.range.end != 0;
}

// findsValue() tells whether a compare-and-swap will find what it looks for. pre: the memory is there.
bool findsValue(const Access &access) {
  return access.bytes > sizeof access.value || std::memcmp(access.address(), &access.value, access.bytes) == 0;
}

// asTaken() is the traits of an access, with HOSTWARP_CHECK_VOLATILE's view of those that are volatile.
uint32_t asTaken(uint32_t traits) {
  static const std::string &view = optionText(Option::CHECK_VOLATILE);
  static const uint32_t more = view == "atomic" ? HW_ACCESS_ATOMIC : 0;
  static const uint32_t less = view == "plain" ? HW_ACCESS_POLLS : 0;
  return (traits & HW_ACCESS_VOLATILE) != 0 ? (traits | more) & ~less : traits;
}

void check(Access access) {
  access.traits = asTaken(access.traits);
  const hw_thread &self = *hw_self();
  bool isJudged = (access.traits & HW_ACCESS_OF_LIBRARY) == 0 && access.bytes != 0;
  RaceDetector &detector = RaceDetector::process();
  auto *const state = static_cast<BlockState *>(reinterpret_cast<const fibers::ObservedThread &>(self).blockState);
  if (isJudged)
    isJudged = isShared(self, access.start, access.bytes) || recent.holds(access.start, access.bytes) ||
               (state != nullptr && detector.isClusterShared(*state, access.start, access.bytes)) || lookUp(access);
  if (state != nullptr && access.traits == HW_ACCESS_OF_LIBRARY) return detector.touchesUnseen(*state);
  const bool synchronises = access.isAtomic() || (access.traits & HW_ACCESS_VOLATILE) != 0;
  if (state == nullptr || !(isJudged || synchronises)) return;
  BlockState &block = *state;
  if (isJudged && (access.traits & HW_ACCESS_COMPARES) != 0 && !findsValue(access))
    access.traits &= ~uint32_t{HW_ACCESS_WRITES | HW_ACCESS_RELEASES};
  if (isJudged) detector.access(block, self, access);
  if (synchronises) detector.synchronise(block, self, access);
}

}  // namespace

}  // namespace hostwarp::check

HOSTWARP_ABI void hw_check_access(const void *address, uint64_t bytes, uint32_t traits, const hw_access_site *site,
                                  uint64_t value) noexcept {
  hostwarp::check::check({reinterpret_cast<uintptr_t>(address), bytes, traits, site, value});
}

HOSTWARP_ABI void hw_check_object(const void *address, uint64_t bytes, uint32_t traits, const hw_access_site *site,
                                  const void *object, uint64_t objectBytes, const char *objectName) noexcept {
  using namespace hostwarp::check;
  const auto start = reinterpret_cast<uintptr_t>(address), first = reinterpret_cast<uintptr_t>(object);
  const uint64_t offset = start - first;
  if (objectBytes == HW_DYNAMIC_BYTES) objectBytes = endOfShared(*hw_self()) - first;
  if (bytes == 0 || (offset <= objectBytes && bytes <= objectBytes - offset)) return;
  const hostwarp::fibers::RuntimeSection section;
  const Access access{start, bytes, traits, site};
  report({"out of bounds", describeAccess(access) + " at offset " + std::to_string(static_cast<int64_t>(offset)) +
                               " of " + objectName + ", which has " + std::to_string(objectBytes) + " bytes"},
         *site);
}
