#include "emu_runtime/check/race_detector.h"

#include <bit>
#include <vector>

#include "emu_runtime/check/race_report.h"
#include "fibers/engine.h"

namespace hostwarp::check {

namespace {

BlockState &stateOf(void *block) { return *static_cast<BlockState *>(block); }

// Sets of so many are looked through for what need not be kept any more.
constexpr uint32_t longSet = 64;

}  // namespace

RaceDetector &RaceDetector::process() {
  static auto *detector = new RaceDetector;
  return *detector;
}

uint32_t RaceDetector::launchOf(const fibers::ObservedBlock &block) {
  if (const auto known = launches_.find(block.launch); known != launches_.end()) return known->second;
  if (launches_.empty()) {
    history_.clear();
    global_.clear();
    locations_.clear();
  }
  const uint32_t note =
      history_.addLaunch({block.launch, block.kernelName, block.prototype->gridDim, block.prototype->blockDim});
  launches_[block.launch] = note;
  return note;
}

void *RaceDetector::blockBegins(const fibers::ObservedBlock &block) {
  auto state = std::make_unique<BlockState>(block, launchOf(block));
  BlockState *const key = state.get();
  blocks_[key] = std::move(state);
  return key;
}

void RaceDetector::blockEnds(void *block) { blocks_.erase(&stateOf(block)); }

void RaceDetector::threadEnds(void *block, const hw_thread &thread) { stateOf(block).threadEnds(thread.linearThread); }

bool RaceDetector::isClusterShared(BlockState &block, uintptr_t address, uint64_t bytes) {
  const BlockState *const owner = sharedOwner(block, address);
  return owner != nullptr && bytes <= owner->shared().bytesFrom(address);
}

void RaceDetector::gridEnds(uint64_t launch) {
  const auto place = launches_.find(launch);
  if (place == launches_.end()) return;
  const LaunchNote &note = history_.launch(place->second);
  Verdicts::process().add(note.kernelName, note.unsettled);
  launches_.erase(place);
}

void RaceDetector::unsettle(const BlockState &block, Unsettled why) {
  history_.launch(block.launch()).unsettled |= 1u << static_cast<uint32_t>(why);
}

void RaceDetector::looksAtOrder(void *block) { unsettle(stateOf(block), Unsettled::OrderSeen); }

void RaceDetector::arrivesAtBarrier(void *block, const hw_thread &thread, uint32_t barrier) {
  stateOf(block).arrivesAtBarrier(thread.linearThread, barrier);
}

void RaceDetector::barrierOpens(void *block, uint32_t barrier, const fibers::ThreadSet &waited, bool all) {
  stateOf(block).barrierOpens(barrier, waited, all);
}

void RaceDetector::lanesMeet(void *block, uint32_t warp, uint32_t lanes, bool all) {
  stateOf(block).lanesMeet(warp, lanes, all);
}

void RaceDetector::threadsMeet(void *block, const fibers::ThreadSet &threads) { stateOf(block).threadsMeet(threads); }

void RaceDetector::arrivesAtGrid(void *block, const hw_thread &thread) {
  stateOf(block).thread(thread.linearThread).gridPhase |= 1;
}

void RaceDetector::passesGrid(void *block, const hw_thread &thread) {
  uint32_t &phase = stateOf(block).thread(thread.linearThread).gridPhase;
  phase = (phase | 1) + 1;
}

void RaceDetector::arrivesAtCluster(void *block, const hw_thread &thread) {
  stateOf(block).thread(thread.linearThread).clusterPhase |= 1;
}

void RaceDetector::passesCluster(void *block, const hw_thread &thread) {
  uint32_t &phase = stateOf(block).thread(thread.linearThread).clusterPhase;
  phase = (phase | 1) + 1;
}

void RaceDetector::getsMemory(const void *address, size_t bytes) {
  forget(reinterpret_cast<uintptr_t>(address), bytes);
}

BlockState *RaceDetector::sharedOwner(BlockState &block, uintptr_t address) {
  if (block.shared().covers(address)) return &block;
  // Another block's shared memory, in a cluster.
  if (blocks_.size() > 1)
    for (const auto &[key, other] : blocks_)
      if (other->cluster() == block.cluster() && other->shared().covers(address)) return other.get();
  return nullptr;
}

template <class Visit>
void RaceDetector::forEachCell(BlockState &block, const Access &access, Visit visit) {
  if (BlockState *const owner = sharedOwner(block, access.start))
    owner->shared().forEachCell(access.start, access.bytes, visit);
  else
    global_.forEachCell(access.start, access.bytes, visit);
}

void RaceDetector::access(BlockState &block, const hw_thread &self, const Access &access) {
  const uint32_t record = block.record(history_, self, access.traits, access.site);
  if (record == 0) return unsettle(block, Unsettled::TooMany);
  const Judging judging{block, self, access, {.id = record, .isSet = 0, .lanes = 1u << self.laneId}};
  bool isQuiet = false;  // one race is told of for an access
  forEachCell(block, access, [&](Cell &cell) {
    if (!isQuiet) isQuiet = !judgeCell(cell, judging);
    note(cell, judging);
  });
}

void RaceDetector::synchronise(BlockState &block, const hw_thread &self, const Access &access) {
  if (access.bytes == 0) return SyncLocations::fence(block, self.linearThread, access.traits);
  if ((access.traits & HW_ACCESS_OF_LIBRARY) == 0) {
    const bool isUpdate = access.reads() && access.writes();
    if (!isUpdate || (access.traits & HW_ACCESS_RESULT_UNUSED) == 0) unsettle(block, Unsettled::ResultUsed);
    if ((access.traits & HW_ACCESS_ROUNDS) != 0) unsettle(block, Unsettled::Rounding);
  }
  locations_.access(block, self.linearThread, access.start, access.traits, access.writes());
}

bool RaceDetector::conflict(const AccessRecord &before, const Judging &judging) {
  const bool isAtomic = judging.access.isAtomic();
  if (!before.writes() && !judging.access.writes()) return false;
  if (!before.isAtomic() || !isAtomic) return true;
  const bool isNarrow = ((before.traits | judging.access.traits) & HW_ACCESS_IN_BLOCK) != 0;
  return isNarrow && before.block != judging.block.linear();
}

bool RaceDetector::judgeAgainst(Accesses some, const Judging &judging) {
  bool isFine = true;
  history_.forEach(some, [&](Accesses each) {
    const AccessRecord &before = history_.record(each.id);
    if (!conflict(before, judging)) return true;
    const uint32_t lanes = judging.block.unordered(before, each.lanes, judging.self.linearThread);
    if (lanes == 0) return true;
    report(before, lanes, judging);
    isFine = false;
    return false;
  });
  return isFine;
}

bool RaceDetector::judgeCell(Cell &cell, const Judging &judging) {
  return (cell.write.none() || judgeAgainst(cell.write, judging)) &&
         (cell.others.none() || judgeAgainst(cell.others, judging));
}

// withMine() adds an access to others of the kind. What is known to the thread, later accesses need not be compared
// with if they are with this one: reads stand for reads, and atomic accesses for atomic ones. An update whose result is
// used stands for those that it has seen, too.
Accesses RaceDetector::withMine(Accesses others, const Judging &judging) {
  if (others.none() || others == judging.mine) return judging.mine;
  const Access &mine = judging.access;
  const bool sees = mine.isAtomic() && mine.reads() && mine.writes() && (mine.traits & HW_ACCESS_RESULT_UNUSED) == 0;
  const auto isNeeded = [&](Accesses each) {
    const AccessRecord &record = history_.record(each.id);
    if (record.isAtomic() != mine.isAtomic() || (record.writes() && !mine.writes())) return true;
    return !sees && judging.block.unordered(record, each.lanes, judging.self.linearThread) != 0;
  };
  Accesses kept;
  if (!others.isSet) {
    if (others.id == judging.mine.id) return {.id = others.id, .isSet = 0, .lanes = others.lanes | judging.mine.lanes};
    if (isNeeded(others)) kept = others;
    return history_.with(kept, judging.mine);
  }
  const Accesses last = history_.last(others);
  if (last.id == judging.mine.id) {
    if ((last.lanes | judging.mine.lanes) == last.lanes) return others;
    return history_.with(history_.before(others),
                         {.id = last.id, .isSet = 0, .lanes = last.lanes | judging.mine.lanes});
  }
  if (history_.size(others) < longSet && isNeeded(last)) return history_.with(others, judging.mine);
  std::vector<Accesses> rest;
  history_.forEach(others, [&](Accesses each) {
    if (isNeeded(each)) rest.push_back(each);
    return true;
  });
  for (size_t i = rest.size(); i-- > 0;) kept = history_.with(kept, rest[i]);
  return history_.with(kept, judging.mine);
}

void RaceDetector::note(Cell &cell, const Judging &judging) {
  if (judging.access.isAtomic() || !judging.access.writes())
    cell.others = withMine(cell.others, judging);
  else
    cell = {.write = judging.mine, .others = {}};
}

void RaceDetector::report(const AccessRecord &before, uint32_t lanes, const Judging &judging) {
  const fibers::RuntimeSection section;
  const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
  const bool wouldBeOrdered =
      locations_.wasTold(judging.block.thread(judging.self.linearThread), before, lanes);
  const bool isRace = reportRace({before, before.warp * 32 + lane, history_.launch(before.launch), judging.access,
                                  judging.self, judging.block, sharedOwner(judging.block, judging.access.start),
                                  judging.block.hasPassed(before, lane), wouldBeOrdered});
  if (isRace) unsettle(judging.block, Unsettled::Race);
}

}  // namespace hostwarp::check
