#include "emu_runtime/check/race_detector.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "emu_runtime/check/race_report.h"
#include "fibers/engine.h"

namespace hostwarp::check {

namespace {

BlockState &stateOf(void *block) { return *static_cast<BlockState *>(block); }

// Sets are looked through for what need not be kept any more when they are so large, and whenever they have doubled.
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
  if (launches_.size() > 1)
    for (const auto &[launch, each] : launches_)
      history_.launch(each).unsettled |= 1u << static_cast<uint32_t>(Unsettled::Overlap);
  return note;
}

void *RaceDetector::blockBegins(const fibers::ObservedBlock &block) {
  if (idle_.empty()) idle_.push_back(std::make_unique<BlockState>());
  std::unique_ptr<BlockState> state = std::move(idle_.back());
  idle_.pop_back();
  state->begin(block, launchOf(block));
  BlockState *const key = state.get();
  blocks_[key] = std::move(state);
  return key;
}

void RaceDetector::blockEnds(void *block) {
  settleHeldBack(stateOf(block));
  const auto place = blocks_.find(&stateOf(block));
  idle_.push_back(std::move(place->second));
  blocks_.erase(place);
}

void RaceDetector::threadEnds(void *block, const hw_thread &thread) {
  settleHeldBack(stateOf(block), thread.linearThread, nullptr);
  stateOf(block).threadEnds(thread.linearThread);
}

bool RaceDetector::isClusterShared(BlockState &block, uintptr_t address, uint64_t bytes) {
  const BlockState *const owner = sharedOwner(block, address);
  return owner != nullptr && bytes <= owner->shared().bytesFrom(address);
}

void RaceDetector::gridEnds(uint64_t launch, bool whole) {
  const auto place = launches_.find(launch);
  if (place == launches_.end()) return;
  const LaunchNote &note = history_.launch(place->second);
  const uint32_t broken = whole ? 0 : 1u << static_cast<uint32_t>(Unsettled::Broken);
  Verdicts::process().add(note.kernelName, note.unsettled | broken);
  launches_.erase(place);
}

void RaceDetector::unsettle(const BlockState &block, Unsettled why) {
  history_.launch(block.launch()).unsettled |= 1u << static_cast<uint32_t>(why);
}

void RaceDetector::touchesUnseen(const BlockState &block) { unsettle(block, Unsettled::Unseen); }

void RaceDetector::looksAtOrder(void *block) { unsettle(stateOf(block), Unsettled::OrderSeen); }

void RaceDetector::arrivesAtBarrier(void *block, const hw_thread &thread, uint32_t barrier) {
  stateOf(block).arrivesAtBarrier(thread.linearThread, barrier);
}

void RaceDetector::barrierOpens(void *block, uint32_t barrier, const fibers::ThreadSet &waited, bool all) {
  settleHeldBack(stateOf(block));
  stateOf(block).barrierOpens(barrier, waited, all);
}

void RaceDetector::lanesMeet(void *block, uint32_t warp, uint32_t lanes, bool all) {
  stateOf(block).lanesMeet(warp, lanes, all);
}

void RaceDetector::lanesExchange(void *block, uint32_t warp, uint32_t lanes) {
  stateOf(block).lanesExchange(warp, lanes);
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

// isKnown(): the thread has made the same access before, at the same time, and nobody has written since, or accessed,
// if it is a write.
bool RaceDetector::isKnown(const Cell &cell, const Judging &judging) const {
  const Accesses mine = judging.mine;
  if (judging.access.writes()) return cell.write == mine && cell.others.none() && !judging.access.isAtomic();
  const Accesses last = cell.others.isSet ? history_.last(cell.others) : cell.others;
  return last.id == mine.id && (last.lanes & mine.lanes) != 0;
}

void RaceDetector::access(BlockState &block, const hw_thread &self, const Access &access) {
  const uint32_t record = block.record(history_, self, access.traits, access.site);
  if (record == 0 || history_.isFull()) unsettle(block, Unsettled::TooMany);
  if (record == 0) return;
  if (access.isAtomic()) settleHeldBack(block, self.linearThread, &access);
  const Judging judging{block, self, access, {.id = record, .isSet = 0, .lanes = 1u << self.laneId}};
  bool isQuiet = false;  // one race is told of for an access
  forEachCell(block, access, [&](Cell &cell) {
    if (isKnown(cell, judging)) return;
    if ((access.traits & HW_ACCESS_COMPARES) != 0) cell.others = withoutOwnReads(cell.others, judging);
    if (!isQuiet) isQuiet = !judgeCell(cell, judging);
    note(cell, judging);
  });
}

void RaceDetector::synchronise(BlockState &block, const hw_thread &self, const Access &access) {
  if (access.bytes == 0) settleHeldBack(block, self.linearThread, nullptr);
  if (access.bytes == 0) return SyncLocations::fence(block, self.linearThread, access.traits);
  if ((access.traits & HW_ACCESS_OF_LIBRARY) == 0) {
    const bool isUpdate = access.reads() && access.writes();
    if (access.isAtomic() && (!isUpdate || (access.traits & HW_ACCESS_RESULT_UNUSED) == 0))
      unsettle(block, Unsettled::ResultUsed);
    if ((access.traits & HW_ACCESS_POLLS) != 0) unsettle(block, Unsettled::ResultUsed);
    if ((access.traits & HW_ACCESS_ROUNDS) != 0) unsettle(block, Unsettled::Rounding);
  }
  locations_.access(block, self.linearThread, access.start, access.traits, access.writes());
}

// conflict(): the two may not be unordered. A thread that waits for volatile memory to change talks with the one that
// writes it; anything else volatile is an access like others.
bool RaceDetector::conflict(const AccessRecord &before, const Judging &judging) {
  const uint32_t mine = judging.access.traits;
  if (!before.writes() && !judging.access.writes()) return false;
  constexpr uint32_t isMeant = HW_ACCESS_VOLATILE | HW_ACCESS_ATOMIC;
  if (((before.traits & HW_ACCESS_POLLS) != 0 && (mine & isMeant) != 0) ||
      ((mine & HW_ACCESS_POLLS) != 0 && (before.traits & isMeant) != 0)) {
    countBenign(Benign::Poll, (mine & HW_ACCESS_POLLS) != 0 ? *judging.access.site : *before.site);
    return false;
  }
  if (!before.isAtomic() || !judging.access.isAtomic()) return true;
  const bool isNarrow = ((before.traits | mine) & HW_ACCESS_IN_BLOCK) != 0;
  return isNarrow && before.block != judging.block.linear();
}

// lucky(): which lanes' accesses a lock orders, but would not had they taken it later: they have no fence behind that.
uint32_t RaceDetector::lucky(const AccessRecord &before, uint32_t lanes, const Judging &judging) {
  const uint32_t thread = judging.self.linearThread;
  const Lock lock = before.lock, mine = judging.block.thread(thread).lock();
  if (lock.address == 0 || lock.address != mine.address) return 0;
  const bool isFenced = before.block == judging.block.linear() ? lock.fenced : lock.fencedForAll;
  return isFenced ? 0 : judging.block.betweenBarriers(before, lanes, thread);
}

uint32_t RaceDetector::unordered(const AccessRecord &before, uint32_t lanes, const Judging &judging) {
  const uint32_t thread = judging.self.linearThread;
  const uint32_t rest = judging.block.unordered(before, lanes, thread);
  if (rest == 0) return lucky(before, lanes, judging);
  constexpr uint32_t isStrong = HW_ACCESS_VOLATILE | HW_ACCESS_ATOMIC;
  const bool areStrong = (before.traits & isStrong) != 0 && (judging.access.traits & isStrong) != 0;
  return areStrong ? judging.block.unseen(before, rest, thread) : rest;
}

bool RaceDetector::judgeAgainst(Accesses some, const Judging &judging) {
  // Reads do not disturb each other, nor do atomic accesses.
  const uint32_t theirs = history_.traits(some), mine = judging.access.traits;
  if (((theirs | mine) & HW_ACCESS_WRITES) == 0) return true;
  if ((theirs & AccessHistory::isPlain) == 0 && judging.access.isAtomic() &&
      ((theirs | mine) & HW_ACCESS_IN_BLOCK) == 0)
    return true;
  std::array<bool, Race::kDistances> isTold{};  // one for each distance
  history_.forEach(some, [&](Accesses each) {
    const AccessRecord before = history_.record(each.id);
    bool &isOne = isTold[static_cast<size_t>(Race::distance(before, judging.block.linear(), judging.self.warpId))];
    if (isOne) return true;
    const uint32_t lanes = unordered(before, each.lanes, judging);
    if (lanes == 0 || !conflict(before, judging)) return true;
    report(before, lanes, judging);
    isOne = true;
    return std::ranges::find(isTold, false) != isTold.end();
  });
  return std::ranges::find(isTold, true) == isTold.end();
}

bool RaceDetector::isPolled(Accesses some) const { return (history_.traits(some) & HW_ACCESS_POLLS) != 0; }

bool RaceDetector::judgeCell(Cell &cell, const Judging &judging) {
  const uint32_t traits = judging.access.traits;
  // Those who hand a turn to each other write what they have waited for.
  const bool isTurn = (traits & HW_ACCESS_VOLATILE) != 0 && judging.access.writes() && isPolled(cell.others);
  return (isTurn || cell.write.none() || judgeAgainst(cell.write, judging)) &&
         (cell.others.none() || judgeAgainst(cell.others, judging));
}

// withoutOwnReads(): code that computes what compare-and-swap shall write begins with a plain read of the place. It
// does no harm: what it gives counts only if the swap finds the same.
Accesses RaceDetector::withoutOwnReads(Accesses others, const Judging &judging) {
  const auto isOwnRead = [&](Accesses each) {
    const AccessRecord &record = history_.record(each.id);
    return record.block == judging.block.linear() && record.launch == judging.block.launch() &&
           record.warp == judging.self.warpId && (each.lanes & judging.mine.lanes) != 0 && !record.isAtomic();
  };
  std::vector<Accesses> rest;
  bool isChanged = false;
  history_.forEach(others, [&](Accesses each) {
    if (isOwnRead(each)) {
      isChanged = true;
      each.lanes &= ~judging.mine.lanes;
    }
    if (each.lanes != 0) rest.push_back(each);
    return true;
  });
  return isChanged ? setOf(rest) : others;
}

Accesses RaceDetector::setOf(const std::vector<Accesses> &lastFirst) {
  Accesses set;
  for (size_t i = lastFirst.size(); i-- > 0;) set = history_.with(set, lastFirst[i]);
  return set;
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
  const uint32_t size = history_.size(others);
  if (!(std::has_single_bit(size) && size >= longSet) && isNeeded(last)) return history_.with(others, judging.mine);
  std::vector<Accesses> rest;
  history_.forEach(others, [&](Accesses each) {
    if (isNeeded(each)) rest.push_back(each);
    return true;
  });
  return history_.with(setOf(rest), judging.mine);
}

void RaceDetector::note(Cell &cell, const Judging &judging) {
  if (judging.access.isAtomic() || !judging.access.writes())
    cell.others = withMine(cell.others, judging);
  else
    cell = {.write = judging.mine, .others = {}};
}

void RaceDetector::report(const AccessRecord &before, uint32_t lanes, const Judging &judging) {
  const fibers::RuntimeSection section;
  BlockState &block = judging.block;
  const uint32_t thread = judging.self.linearThread;
  const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
  Race race{before,
            before.warp * 32 + lane,
            judging.access,
            thread,
            block.linear(),
            {},
            before.cluster == block.cluster(),
            block.hasPassed(before, lane),
            lucky(before, lanes, judging) != 0 || locations_.wasTold(block.thread(thread), before, lanes)};
  if (const BlockState *const owner = sharedOwner(block, judging.access.start))
    race.shared = {owner->linear(), judging.access.start - owner->shared().start()};
  // A read that compare-and-swap follows is none.
  if (before.isAtomic() && !judging.access.writes() && !judging.access.isAtomic()) {
    settleHeldBack(block, thread, nullptr);
    heldBack_.emplace(std::pair(&block, thread), race);
    return;
  }
  tell(block, race);
}

void RaceDetector::tell(const BlockState &block, const Race &race) {
  if (reportRace(race, history_.launch(block.launch()))) unsettle(block, Unsettled::Race);
}

void RaceDetector::settleHeldBack(BlockState &block, uint32_t thread, const Access *next) {
  if (heldBack_.empty()) return;
  const auto held = heldBack_.find({&block, thread});
  if (held == heldBack_.end()) return;
  const bool isSwap =
      next != nullptr && (next->traits & HW_ACCESS_COMPARES) != 0 && next->start == held->second.access.start;
  const fibers::RuntimeSection section;
  if (!isSwap) tell(block, held->second);
  heldBack_.erase(held);
}

void RaceDetector::settleHeldBack(BlockState &block) {
  if (heldBack_.empty()) return;
  const fibers::RuntimeSection section;
  const auto first = heldBack_.lower_bound({&block, 0}), last = heldBack_.upper_bound({&block, ~uint32_t{0}});
  for (auto held = first; held != last; ++held) tell(block, held->second);
  heldBack_.erase(first, last);
}

}  // namespace hostwarp::check
