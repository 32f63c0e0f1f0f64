// What the checked build calls before each access (compiler/device/check_accesses.cpp).
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "emu_runtime/abi/exports.h"
#include "emu_runtime/check/access_checks.h"
#include "emu_runtime/check/findings.h"
#include "emu_runtime/check/init_checks.h"
#include "emu_runtime/check/known_memory.h"
#include "emu_runtime/check/lane_accesses.h"
#include "emu_runtime/check/race_detector.h"
#include "emu_runtime/check/race_report.h"
#include "emu_runtime/check/variables.h"
#include "emu_runtime/check/written_memory.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/module/device_variables.h"
#include "emu_runtime/support/options.h"
#include "fibers/engine.h"
#include "fibers/sync_observer.h"
#include "fibers/sync_operation.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::check {

namespace {

// Recent is the ranges that this OS thread's last accesses lay in.
struct Recent {
  const memory::AllocationTable *all = nullptr, *ofHeaps = nullptr;
  uint64_t changes = 0;          // of the tables, when the ranges were good
  std::array<Range, 16> ranges;  // as many as a kernel mostly has arrays
  Range between;                 // allocations: threads' own variables, and what belongs to the runtime
  size_t next = 0;
  mutable size_t last = 0;  // the one found last

  // now() tells whether allocations have come or gone.
  uint64_t now() const { return all->changes() + ofHeaps->changes(); }
  // lookUp() has to be called before ranges are looked up.
  uint64_t lookUp() {
    all = &memory::AllocationTable::process();
    ofHeaps = &memory::AllocationTable::ofHeaps();
    return now();
  }
  bool holds(uintptr_t address, uint64_t bytes) const { return find(address, bytes) != nullptr; }
  bool liesBetween(uintptr_t address, uint64_t bytes) const {
    return between.holds(address, bytes) && changes == now();
  }
  const Range *find(uintptr_t address, uint64_t bytes) const {
    if (all == nullptr || changes != now()) return nullptr;
    if (ranges[last].holds(address, bytes)) return &ranges[last];
    const auto found = std::ranges::find_if(ranges, [&](const Range &each) { return each.holds(address, bytes); });
    if (found == ranges.end()) return nullptr;
    last = static_cast<size_t>(found - ranges.begin());
    return &*found;
  }
  void add(const Judgement &judgement, uint64_t then) {
    if (judgement.range.end == 0) return;
    if (changes != then) {
      ranges = {};
      between = {};
    }
    changes = then;
    (judgement.isOfNobody ? between : ranges[next++ % ranges.size()]) = judgement.range;
  }
};
[[gnu::tls_model("initial-exec")]] thread_local Recent recent;

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
[[gnu::noinline]] bool lookUp(const Access &access, uint32_t thread) {
  const fibers::RuntimeSection section;
  const uint64_t now = recent.lookUp();
  hw_thread &self = *const_cast<hw_thread *>(hw_self());
  if (self.linearThread != thread) runAs(self, thread);
  if (access.start - reinterpret_cast<uintptr_t>(self.sharedBase) < self.sharedBytes) {
    if ((access.traits & HW_ACCESS_BOUNDS_KNOWN) == 0)
      report({.kind = "out of bounds", .what = sharedProblem(self, access)}, *access.site);
    return false;
  }
  Judgement judgement = judge(access);
  judgement.range.isConstant = modules::mayBeConstant(access.address(), self.deviceDelta) &&
                               modules::isConstant(access.address(), self.deviceDelta);
  if (judgement.problem && (access.traits & HW_ACCESS_BOUNDS_KNOWN) == 0) report(*judgement.problem, *access.site);
  recent.add(judgement, now);
  return judgement.range.end != 0 && !judgement.isOfNobody;
}

// findsValue() tells whether a compare-and-swap will find what it looks for. pre: the memory is there.
bool findsValue(const Access &access) {
  return access.bytes > sizeof access.value || std::memcmp(access.address(), &access.value, access.bytes) == 0;
}

// asTaken() is the traits of an access, with HOSTWARP_CHECK_VOLATILE's view of those that are volatile.
[[gnu::noinline]] uint32_t volatileAsTaken(uint32_t traits) {
  static const std::string &view = optionText(Option::CHECK_VOLATILE);
  static const uint32_t more = view == "atomic" ? HW_ACCESS_ATOMIC : 0;
  static const uint32_t less = view == "plain" ? HW_ACCESS_POLLS : 0;
  return (traits | more) & ~less;
}
uint32_t asTaken(uint32_t traits) { return (traits & HW_ACCESS_VOLATILE) == 0 ? traits : volatileAsTaken(traits); }

// asTrusted() is what the compiler says of it, as far as HOSTWARP_CHECK_VOLATILE leaves that true.
uint32_t asTrusted(uint32_t traits) {
  static const uint32_t untrue =
      optionText(Option::CHECK_VOLATILE) == "atomic" ? HW_ACCESS_ONLY_BARRIERS | HW_ACCESS_SILENT : 0;
  return traits & ~untrue;
}

[[gnu::always_inline]] inline bool isKnown(const hw_thread &self, uintptr_t address, uint64_t bytes) {
  return isShared(self, address, bytes) || recent.holds(address, bytes);
}

// isOfNobody(): no other thread may touch what is accessed. The memory that blocks share lies between allocations, too.
bool isOfNobody(const BlockState &block, uintptr_t start, uint64_t bytes) {
  const hw_thread &self = *hw_self();
  if (!recent.liesBetween(start, bytes) || block.isInCluster()) return false;
  return start >= endOfShared(self) || start + bytes <= reinterpret_cast<uintptr_t>(self.sharedBase);
}

// judgedOf() is the lanes whose accesses are of memory that other threads may touch, too.
uint32_t judgedOf(BlockState &block, const hw_thread &self, const LaneAccesses &all, const Extent &extent) {
  if (isKnown(self, extent.start, extent.bytes)) return all.lanes;
  if (isOfNobody(block, extent.start, extent.bytes)) return 0;
  uint32_t judged = 0;
  all.forEach([&](uint32_t lane) {
    const Access access = all.of(lane);
    const bool isJudged = isKnown(self, access.start, access.bytes) ||
                          RaceDetector::process().isClusterShared(block, access.start, access.bytes) ||
                          lookUp(access, all.warp * 32 + lane);
    if (isJudged) judged |= 1u << lane;
  });
  return judged;
}

void checkInit(BlockState &block, const LaneAccesses &all) {
  WrittenMemory *const memory = WrittenMemory::process();
  if (memory == nullptr) return;
  InitChecks checks(*memory, block, all);
  const bool copies = (all.traits & HW_ACCESS_COPIES) != 0;
  // Of plain reads the code says more, where it follows values; atomic ones are left to this.
  const bool isTold = WrittenMemory::followsValues() && (all.traits & HW_ACCESS_ATOMIC) == 0;
  if ((all.traits & HW_ACCESS_READS) != 0 && !copies && !isTold) checks.reads();
  if ((all.traits & HW_ACCESS_WRITES) != 0) checks.writes();
}

// unseen(): library code may have written anything.
void unseen(BlockState &block) {
  RaceDetector::process().touchesUnseen(block);
  if (WrittenMemory *const memory = WrittenMemory::process()) {
    memory->writeAll();
    block.written().writeAll();
  }
}

// checkOne() looks at an access that may order others.
void checkOne(BlockState &block, uint32_t thread, Access access, bool isJudged) {
  RaceDetector &detector = RaceDetector::process();
  if (access.bytes != 0)
    fibers::schedulingPoint({access.start, static_cast<uint32_t>(access.bytes), access.traits, access.value, isJudged});
  if (isJudged && (access.traits & HW_ACCESS_COMPARES) != 0 && !findsValue(access))
    access.traits &= ~uint32_t{HW_ACCESS_WRITES | HW_ACCESS_RELEASES};
  if (isJudged) detector.accessOne(block, thread, access);
  detector.synchronise(block, thread, access);
}

BlockState *currentBlock() { return blockOf(*hw_self()); }

// isEarly() tells of an access to the registers of a product that is in flight.
bool isEarly(BlockState &block, uint32_t thread, const Access &access) {
  RaceDetector &detector = RaceDetector::process();
  const hw_access_site *product = detector.asyncOperations().resultAt(block, thread, access.start, access.bytes);
  if (product == nullptr) return false;
  const fibers::RuntimeSection section;
  hw_thread &self = *const_cast<hw_thread *>(hw_self());
  if (self.linearThread != thread) runAs(self, thread);
  reportEarlyUse(access, *product);
  detector.usesEarly(block);
  return true;
}

// check() is for lanes of one warp.
void check(BlockState &block, LaneAccesses &all) {
  const hw_thread &self = *hw_self();
  all.traits = asTaken(all.traits);
  if (all.traits == HW_ACCESS_OF_LIBRARY) return unseen(block);
  const bool mayBeJudged = (all.traits & HW_ACCESS_OF_LIBRARY) == 0 && all.bytes != 0;
  const Extent extent = all.extent();
  const uint32_t judged = mayBeJudged ? judgedOf(block, self, all, extent) : 0;
  if (mayBeJudged && judged != all.lanes)
    for (uint32_t rest = all.lanes & ~judged; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      (void)isEarly(block, all.warp * 32 + lane, all.of(lane));
    }
  if (judged != 0 && WrittenMemory::process() != nullptr) {
    LaneAccesses known = all;
    known.lanes = judged;
    checkInit(block, known);
  }
  const bool mayOrder = (all.traits & (HW_ACCESS_ATOMIC | HW_ACCESS_VOLATILE)) != 0;
  if (mayOrder && (all.traits & HW_ACCESS_SILENT) == 0) {
    all.forEach([&](uint32_t lane) { checkOne(block, all.warp * 32 + lane, all.of(lane), (judged >> lane & 1) != 0); });
  } else if (judged != 0) {
    all.lanes = judged;
    RaceDetector::process().access(block, all, extent);
  }
}

// needNoMore(): beside the race detector nobody has anything to say of such accesses, and they order nothing.
bool needNoMore(const BlockState &block, const LaneCall &call, const Extent &extent, bool isKnown) {
  constexpr uint32_t mayOrder = HW_ACCESS_COMPARES | HW_ACCESS_OF_LIBRARY,
                     mayTalk = HW_ACCESS_VOLATILE | HW_ACCESS_ATOMIC;
  const bool isSilent = (call.traits & mayTalk) == 0 || (call.traits & HW_ACCESS_SILENT) != 0;
  return isKnown && (call.traits & mayOrder) == 0 && isSilent && extent.bytes != 0 && !block.followsWrites();
}

// readsConstants(): nobody disturbs that but what the host does.
bool readsConstants(const BlockState &block, const LaneCall &call, const Range *range) {
  constexpr uint32_t looks =
      HW_ACCESS_READS | HW_ACCESS_WRITES | HW_ACCESS_ATOMIC | HW_ACCESS_VOLATILE | HW_ACCESS_OF_LIBRARY;
  return range != nullptr && range->isConstant && (call.traits & looks) == HW_ACCESS_READS && !block.followsWrites();
}

// needsNoLook(): it is of memory that no other thread may touch, and orders nothing.
bool needsNoLook(const BlockState &block, uint32_t traits, uintptr_t start, uint64_t bytes) {
  constexpr uint32_t mayTalk = HW_ACCESS_VOLATILE | HW_ACCESS_ATOMIC | HW_ACCESS_OF_LIBRARY;
  return (traits & mayTalk) == 0 && isOfNobody(block, start, bytes) &&
         !RaceDetector::process().asyncOperations().hasResults();
}

// checkEach() looks at one access after the other. The loop will not come to the end of what is wrong for so long: that
// is what a bound without sense looks like.
void checkEach(BlockState &block, const LaneCall &call) {
  constexpr uint32_t mostWrong = 1024;
  uint32_t wrong = 0;
  call.forEachTurn([&](const LaneCall &turn) {
    const uint64_t before = timesTold();
    turn.forEachWarp([&](LaneAccesses all) { check(block, all); });
    wrong = timesTold() != before ? wrong + 1 : 0;
    if (wrong < mostWrong) return true;
    RaceDetector::process().touchesUnseen(block);
    return false;
  });
}

// check(): where a block is run once more to find out who has failed, there is no state.
void check(LaneCall &&call) {
  BlockState *const block = currentBlock();
  if (block == nullptr || call.lanes == 0 || call.count == 0) return;
  call.traits = asTrusted(call.traits);
  if (call.addresses != nullptr) call.findStride();
  if (block->deferred().defer(call)) return;
  RaceDetector &detector = RaceDetector::process();
  if (!block->followsWrites() && recent.holds(call.start, call.bytes * (call.last() + 1)) &&
      detector.accessOnTrail(*block, call, recent.changes))
    return;
  detector.leaveTrail();
  const Extent extent = call.extent();
  if (block->deferred().mustSettleFor(extent)) detector.settleDeferred(*block);
  const bool isOfBlock = isShared(*hw_self(), extent.start, extent.bytes);
  const Range *const range = isOfBlock ? nullptr : recent.find(extent.start, extent.bytes);
  if (readsConstants(*block, call, range))
    detector.readsConstants(*block, call);
  else if (needsNoLook(*block, call.traits, extent.start, extent.bytes))
    return;
  else if (!needNoMore(*block, call, extent, isOfBlock || range != nullptr))
    checkEach(*block, call);
  else if (detector.accessRow(*block, call, recent.changes))
    return;
  else if (call.count == 1 && call.isOfOneWarp())
    detector.access(*block, call.inFirstWarp(), extent);
  else
    detector.accessInTurns(*block, call);
}

// checkUneven() is for lanes with so many reads each: first as many as all of them have, then those that others have.
void checkUneven(LaneCall call, const uint64_t *counts) {
  LaneCall::Places places;
  for (uint64_t done = 0; call.lanes != 0;) {
    uint64_t least = UINT64_MAX;
    for (uint32_t rest = call.lanes; rest != 0; rest &= rest - 1)
      least = std::min(least, counts[std::countr_zero(rest)]);
    call.count = least;
    check(call.afterTurns(done, places));
    done = least;
    for (uint32_t rest = call.lanes; rest != 0; rest &= rest - 1)
      if (const int lane = std::countr_zero(rest); counts[lane] == least) call.lanes &= ~(1u << lane);
  }
}

}  // namespace

void checkAccess(Access access) {
  BlockState *const block = currentBlock();
  if (block == nullptr) return;
  const hw_thread &self = *hw_self();
  access.traits = asTaken(access.traits);
  const bool isJudged = isKnown(self, access.start, access.bytes) ||
                        RaceDetector::process().isClusterShared(*block, access.start, access.bytes) ||
                        lookUp(access, self.linearThread);
  if (!isJudged) return;
  RaceDetector::process().leaveTrail();
  checkInit(*block, {.warp = self.warpId,
                     .lanes = 1u << self.laneId,
                     .first = self.laneId,
                     .start = access.start,
                     .stride = 0,
                     .addresses = nullptr,
                     .values = &access.value,
                     .bytes = access.bytes,
                     .traits = access.traits,
                     .site = access.site});
  RaceDetector::process().accessOne(*block, self.linearThread, access);
}

}  // namespace hostwarp::check

HOSTWARP_ABI void hw_check_access(const void *address, uint64_t bytes, uint32_t traits, const hw_access_site *site,
                                  uint64_t value) noexcept {
  using namespace hostwarp::check;
  if (const BlockState *block = currentBlock();
      block != nullptr && needsNoLook(*block, traits, reinterpret_cast<uintptr_t>(address), bytes))
    return;
  check({.thread = hw_self()->linearThread,
         .lanes = 1,
         .start = reinterpret_cast<uintptr_t>(address),
         .stride = 0,
         .addresses = nullptr,
         .bytes = bytes,
         .traits = traits,
         .site = site,
         .values = &value});
}

HOSTWARP_ABI void hw_check_lanes(uint32_t thread, uint32_t lanes, const void *address, int64_t stride,
                                 const void *const *addresses, uint64_t bytes, uint32_t traits,
                                 const hw_access_site *site, const uint64_t *values) noexcept {
  hostwarp::check::check({.thread = thread,
                          .lanes = lanes,
                          .start = reinterpret_cast<uintptr_t>(address),
                          .stride = stride,
                          .addresses = addresses,
                          .bytes = bytes,
                          .traits = traits,
                          .site = site,
                          .values = values});
}

HOSTWARP_ABI void hw_check_reads(const void *address, uint64_t bytes, uint32_t traits, const hw_access_site *site,
                                 uint64_t count, int64_t step) noexcept {
  hostwarp::check::check({.thread = hw_self()->linearThread,
                          .lanes = 1,
                          .start = reinterpret_cast<uintptr_t>(address),
                          .stride = 0,
                          .addresses = nullptr,
                          .bytes = bytes,
                          .traits = traits,
                          .site = site,
                          .count = count,
                          .step = step});
}

HOSTWARP_ABI void hw_check_lane_reads(uint32_t thread, uint32_t lanes, const void *address, int64_t stride,
                                      const void *const *addresses, uint64_t bytes, uint32_t traits,
                                      const hw_access_site *site, uint64_t count, const uint64_t *counts,
                                      int64_t step) noexcept {
  hostwarp::check::LaneCall call{.thread = thread,
                                 .lanes = lanes,
                                 .start = reinterpret_cast<uintptr_t>(address),
                                 .stride = stride,
                                 .addresses = addresses,
                                 .bytes = bytes,
                                 .traits = traits,
                                 .site = site,
                                 .count = count,
                                 .step = step};
  if (counts == nullptr)
    hostwarp::check::check(std::move(call));
  else
    hostwarp::check::checkUneven(call, counts);
}

HOSTWARP_ABI void hw_check_written(const void *address, uint64_t bytes) noexcept {
  if (auto *memory = hostwarp::check::WrittenMemory::process())
    memory->write(reinterpret_cast<uintptr_t>(address), bytes);
}

HOSTWARP_ABI void hw_check_barrier(const uint32_t *states, uint32_t ended) noexcept {
  if (auto *block = hostwarp::check::currentBlock())
    hostwarp::check::RaceDetector::process().passesBarrier(*block, states, ended);
}

HOSTWARP_ABI void hw_check_object(const void *address, uint64_t bytes, uint32_t traits, const hw_access_site *site,
                                  const void *object, uint64_t objectBytes, const char *objectName) noexcept {
  using namespace hostwarp::check;
  const auto start = reinterpret_cast<uintptr_t>(address), first = reinterpret_cast<uintptr_t>(object);
  const uint64_t offset = start - first;
  if (objectBytes == HW_DYNAMIC_BYTES) objectBytes = endOfShared(*hw_self()) - first;
  if (bytes == 0 || (offset <= objectBytes && bytes <= objectBytes - offset)) return;
  const hostwarp::fibers::RuntimeSection section;
  const Access access{start, bytes, traits, site, 0, {}};
  report({.kind = "out of bounds",
          .what = describeAccess(access) + " at offset " + std::to_string(static_cast<int64_t>(offset)) + " of " +
                  objectName + ", which has " + std::to_string(objectBytes) + " bytes",
          .variable = objectElement(*site, first, start, bytes)},
         *site);
}
