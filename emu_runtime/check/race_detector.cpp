#include "emu_runtime/check/race_detector.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "emu_runtime/check/race_report.h"
#include "emu_runtime/order/work.h"
#include "fibers/engine.h"

namespace hostwarp::check {

namespace {

BlockState &stateOf(void *block) { return *static_cast<BlockState *>(block); }

}  // namespace

uint32_t RaceDetector::launchOf(const fibers::ObservedBlock &block) {
  if (const auto known = launches_.find(block.launch); known != launches_.end()) return known->second;
  if (launches_.empty()) {
    locations_.clear();
    updates_.clear();
    async_.clear();
  }
  if (launches_.empty()) global_.beginEpoch();
  if (launches_.empty() && global_.history().isLong()) {
    global_.clear();
    notes_.clear();
  }
  const auto note = static_cast<uint32_t>(notes_.size());
  Past past = global_.history().allUntilNow();
  for (const auto &[launch, other] : launches_)
    if (notes_[other].past.records < past.records) past = notes_[other].past;
  notes_.push_back({block.launch, block.kernelName, block.prototype->gridDim, block.prototype->blockDim, past});
  launches_[block.launch] = note;
  return note;
}

void *RaceDetector::blockBegins(const fibers::ObservedBlock &block) {
  // What is told of programs that read what they have not written shall not depend on what lay there.
  if (block.prototype->sharedBytes != 0) std::memset(block.prototype->sharedBase, 0, block.prototype->sharedBytes);
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
  async_.blockEnds(stateOf(block));
  const auto place = blocks_.find(&stateOf(block));
  idle_.push_back(std::move(place->second));
  blocks_.erase(place);
}

void RaceDetector::threadEnds(void *block, const hw_thread &thread) {
  settleHeldBack(stateOf(block), thread.linearThread, nullptr);
  async_.threadEnds(stateOf(block), thread);
  stateOf(block).threadEnds(thread.linearThread);
}

void RaceDetector::lanesEnd(void *block, uint32_t warp, uint32_t lanes) {
  BlockState &state = stateOf(block);
  for (; lanes != 0; lanes &= lanes - 1) {
    const uint32_t thread = warp * 32 + static_cast<uint32_t>(std::countr_zero(lanes));
    if (!state.hasEnded(thread)) state.threadEnds(thread);
  }
}

bool RaceDetector::isClusterShared(BlockState &block, uintptr_t address, uint64_t bytes) {
  const BlockState *const owner = sharedOwner(block, address);
  return owner != nullptr && owner->shared().holds(address, bytes);
}

void RaceDetector::gridEnds(uint64_t launch, bool whole) {
  const auto place = launches_.find(launch);
  if (place == launches_.end()) return;
  LaunchNote &note = notes_[place->second];
  note.hasEnded = true;
  const uint32_t broken = whole ? 0 : 1u << static_cast<uint32_t>(Unsettled::Broken);
  Verdicts::process().add(note.kernelName, note.unsettled | broken);
  launches_.erase(place);
}

void RaceDetector::unsettle(const BlockState &block, Unsettled why) {
  notes_[block.launch()].unsettled |= 1u << static_cast<uint32_t>(why);
}

void RaceDetector::touchesUnseen(const BlockState &block) { unsettle(block, Unsettled::Unseen); }

void RaceDetector::usesEarly(const BlockState &block) { unsettle(block, Unsettled::Race); }

void RaceDetector::looksAtOrder(void *block) { unsettle(stateOf(block), Unsettled::OrderSeen); }

void RaceDetector::arrivesAtBarrier(void *block, const hw_thread &thread, uint32_t barrier) {
  stateOf(block).arrivesAtBarrier(thread.linearThread, barrier);
}

void RaceDetector::barrierOpens(void *block, uint32_t barrier, const fibers::ThreadSet &waited, bool all) {
  BlockState &state = stateOf(block);
  settleHeldBack(state);
  if (all && state.areAllPast())
    state.deferred().passesBarrier();
  else
    settleDeferred(state);
  state.barrierOpens(barrier, waited, all);
}

void RaceDetector::passesBarrier(BlockState &block, const uint32_t *states, uint32_t ended) {
  if (states != nullptr)
    for (uint32_t thread = 0; thread < block.threads(); ++thread)
      if (states[thread] == ended && !block.hasEnded(thread)) block.threadEnds(thread);
  barrierOpens(&block, 0, {}, true);
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
  if (block.isInCluster() && blocks_.size() > 1)
    for (const auto &[key, other] : blocks_)
      if (other->cluster() == block.cluster() && other->shared().covers(address)) return other.get();
  return nullptr;
}

ShadowRegion &RaceDetector::regionOf(BlockState &block, uintptr_t address, uint32_t traits) {
  BlockState *const owner = sharedOwner(block, address);
  return owner != nullptr ? owner->shared() : globalRegion(block, address, traits);
}

ShadowRegion &RaceDetector::globalRegion(const BlockState &block, uintptr_t address, uint32_t traits) {
  return global_.regionOf(address, (traits & HW_ACCESS_WRITES) != 0, notes_[block.launch()].past);
}

template <class Visit>
void RaceDetector::forEachRegion(BlockState &block, uintptr_t start, uint64_t bytes, uint32_t traits, Visit visit) {
  while (bytes != 0) {
    ShadowRegion &region = regionOf(block, start, traits);
    const uint64_t part = std::min<uint64_t>(bytes, region.bytesFrom(start));
    visit(region, start, part);
    start += part;
    bytes -= part;
  }
}

// isKnown(): the thread has made the same access before, at the same time, and nobody has written since, or accessed,
// if it is a write.
bool RaceDetector::isKnown(const Cell &cell, const Judging &judging) {
  const Accesses mine = judging.mine;
  if (judging.access.writes() && judging.access.isInFlight()) return false;
  if (judging.access.writes()) return cell.write == mine && cell.others.none() && !judging.access.isAtomic();
  const Accesses last = cell.others.isSet ? judging.history.last(cell.others) : cell.others;
  return last.id == mine.id && (last.lanes & mine.lanes) != 0;
}

bool RaceDetector::judgeAndNote(Cell &cell, const Judging &judging, bool isQuiet) {
  if (isKnown(cell, judging)) return true;
  if ((judging.access.traits & HW_ACCESS_COMPARES) != 0) cell.others = withoutOwnReads(cell.others, judging);
  const bool isFine = isQuiet || judgeCell(cell, judging);
  note(cell, judging);
  return isFine;
}

void RaceDetector::accessOne(BlockState &block, uint32_t thread, const Access &access) {
  if (block.part() != nullptr && sharedOwner(block, access.start) == nullptr)
    block.part()->access(access.start, access.bytes, access.traits, access.site);
  if (access.isInFlight() && (access.traits & HW_ACCESS_ROUNDS) != 0) unsettle(block, Unsettled::Rounding);
  if (access.isAtomic()) settleHeldBack(block, thread, &access);
  bool isQuiet = false;  // one race is told of for an access
  forEachRegion(
      block, access.start, access.bytes, access.traits, [&](ShadowRegion &region, uintptr_t start, uint64_t bytes) {
        AccessHistory &history = region.history();
        const uint32_t record =
            recordOf(block, history, thread, access.traits, access.site, access.bytes, access.flight).id;
        if (record == 0) return;
        const Judging judging{block, history, thread, access, {.id = record, .isSet = 0, .lanes = 1u << thread % 32}};
        region.forEachCell(start, bytes,
                           [&](Cell &cell, uintptr_t) { isQuiet = !judgeAndNote(cell, judging, isQuiet) || isQuiet; });
      });
}

// changesPlaces(): updates of the place have been of this one kind so far, and come to the same in any order.
bool RaceDetector::changesPlaces(const Access &access) {
  if ((access.traits & HW_ACCESS_ROUNDS) != 0) return true;  // for which there is another verdict
  const uint32_t kind = HW_ACCESS_UPDATE_KIND(access.traits);
  return kind != 0 && updates_.emplace(access.start, kind).first->second == kind;
}

void RaceDetector::synchronise(BlockState &block, uint32_t thread, const Access &access) {
  if (access.bytes == 0 && block.part() != nullptr) block.part()->fence();
  if (access.bytes == 0) settleHeldBack(block, thread, nullptr);
  if (access.bytes == 0) return SyncLocations::fence(block, thread, access.traits);
  if ((access.traits & HW_ACCESS_OF_LIBRARY) == 0) {
    const bool isUpdate = access.reads() && access.writes();
    const bool isUnused = isUpdate && (access.traits & HW_ACCESS_RESULT_UNUSED) != 0;
    if (access.isAtomic() && !isUnused) unsettle(block, Unsettled::ResultUsed);
    if (isUnused && !changesPlaces(access)) unsettle(block, Unsettled::Mixed);
    if ((access.traits & HW_ACCESS_POLLS) != 0) unsettle(block, Unsettled::ResultUsed);
    if ((access.traits & HW_ACCESS_ROUNDS) != 0) unsettle(block, Unsettled::Rounding);
  }
  locations_.access(block, thread, access.start, access.traits, access.writes(), access.value);
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
  const uint32_t thread = judging.thread;
  const Lock lock = before.lock, mine = judging.block.seen(thread).lock();
  if (lock.address == 0 || lock.address != mine.address) return 0;
  const bool isFenced = before.block == judging.block.linear() ? lock.fenced : lock.fencedForAll;
  return isFenced ? 0 : judging.block.betweenBarriers(before, lanes, thread);
}

// notBefore(): which lanes' accesses come neither before this one nor, where the operations that make them are over,
// had they been waited for. The end of a grid is such a wait.
uint32_t RaceDetector::notBefore(const AccessRecord &before, uint32_t lanes, const Judging &judging) const {
  if (before.isInFlight() && before.launch == judging.block.launch())
    return async_.flights().pending(before, lanes, judging.block, judging.thread);
  return judging.block.unordered(before, lanes, judging.thread);
}

uint32_t RaceDetector::unordered(const AccessRecord &before, uint32_t lanes, const Judging &judging) const {
  const uint32_t rest = notBefore(before, lanes, judging);
  if (before.isInFlight()) return rest;
  if (rest == 0) return lucky(before, lanes, judging);
  constexpr uint32_t isStrong = HW_ACCESS_VOLATILE | HW_ACCESS_ATOMIC;
  const bool areStrong = (before.traits & isStrong) != 0 && (judging.access.traits & isStrong) != 0;
  return areStrong ? judging.block.unseen(before, rest, judging.thread) : rest;
}

bool RaceDetector::judgeProxy(Accesses write, const Judging &judging) {
  if (write.none() || !judging.access.reads() || !AsyncOperations::isByProxy(judging.access.flight)) return true;
  const AccessRecord before = judging.history.record(write.id);
  if (before.isInFlight() || before.launch != judging.block.launch()) return true;
  const bool isShared = sharedOwner(judging.block, judging.access.start) != nullptr;
  const auto lane = static_cast<uint32_t>(std::countr_zero(write.lanes));
  if (async_.proxyFences().isBehind(before, lane, isShared ? HW_ASYNC_SHARED : HW_ASYNC_GLOBAL, judging.block,
                                    judging.thread))
    return true;
  const fibers::RuntimeSection section;
  Race race = raceOf(before, write.lanes, judging);
  race.lacksFence = true;
  tell(judging.block, race);
  return false;
}

bool RaceDetector::judgeAgainst(Accesses some, const Judging &judging) {
  // Reads do not disturb each other, nor do atomic accesses.
  const uint32_t theirs = judging.history.traits(some), mine = judging.access.traits;
  if (((theirs | mine) & HW_ACCESS_WRITES) == 0) return true;
  if ((theirs & AccessHistory::isPlain) == 0 && judging.access.isAtomic() &&
      ((theirs | mine) & HW_ACCESS_IN_BLOCK) == 0)
    return true;
  std::array<bool, Race::kDistances> isTold{};  // one for each distance
  const auto judge = [&](Accesses each) {
    const AccessRecord before = judging.history.record(each.id);
    bool &isOne = isTold[static_cast<size_t>(Race::distance(before, judging.block.linear(), judging.warp()))];
    if (isOne) return true;
    const uint32_t lanes = unordered(before, each.lanes, judging);
    if (lanes == 0 || !conflict(before, judging)) return true;
    report(before, lanes, judging);
    isOne = true;
    return std::ranges::find(isTold, false) != isTold.end();
  };
  if (judging.access.writes())
    judging.history.forEach(some, judge);
  else
    judging.history.forEachWriting(some, judge);
  return std::ranges::find(isTold, true) == isTold.end();
}

bool RaceDetector::judgeCell(Cell &cell, const Judging &judging) {
  const uint32_t traits = judging.access.traits;
  judged_ = &cell;
  // Those who hand a turn to each other write what they have waited for.
  const bool isTurn = (traits & HW_ACCESS_VOLATILE) != 0 && judging.access.writes() &&
                      (judging.history.traits(cell.others) & HW_ACCESS_POLLS) != 0;
  return (isTurn || cell.write.none() || judgeAgainst(cell.write, judging)) &&
         (cell.others.none() || judgeAgainst(cell.others, judging)) && judgeProxy(cell.write, judging);
}

// withoutOwnReads(): code that computes what compare-and-swap shall write begins with a plain read of the place. It
// does no harm: what it gives counts only if the swap finds the same.
Accesses RaceDetector::withoutOwnReads(Accesses others, const Judging &judging) {
  const auto isOwnRead = [&](Accesses each) {
    const AccessRecord &record = judging.history.record(each.id);
    return record.block == judging.block.linear() && record.launch == judging.block.launch() &&
           record.warp == judging.warp() && (each.lanes & judging.mine.lanes) != 0 && !record.isAtomic() &&
           !record.isInFlight();
  };
  std::vector<Accesses> rest;
  bool isChanged = false;
  judging.history.forEach(others, [&](Accesses each) {
    if (isOwnRead(each)) {
      isChanged = true;
      each.lanes &= ~judging.mine.lanes;
    }
    if (each.lanes != 0) rest.push_back(each);
    return true;
  });
  return isChanged ? setOf(judging.history, rest) : others;
}

Accesses RaceDetector::setOf(AccessHistory &history, const std::vector<Accesses> &lastFirst) {
  Accesses set;
  for (size_t i = lastFirst.size(); i-- > 0;) set = history.with(set, lastFirst[i]);
  return set;
}

// withMine() adds an access to others of the kind. What is known to the thread, later accesses need not be compared
// with if they are with this one: reads stand for reads, and atomic accesses for atomic ones. An update whose result is
// used stands for those that it has seen, too. None stands for one that is atomic for fewer threads. What grids have
// done that are over comes before all that others do.
Accesses RaceDetector::withMine(Accesses others, const Judging &judging) {
  if (others.none() || others == judging.mine) return judging.mine;
  const Access &mine = judging.access;
  const bool sees = mine.isAtomic() && mine.reads() && mine.writes() && (mine.traits & HW_ACCESS_RESULT_UNUSED) == 0;
  const auto isNeeded = [&](Accesses each) {
    const AccessRecord &record = judging.history.record(each.id);
    if (notes_[record.launch].hasEnded) return false;
    if (record.isAtomic() != mine.isAtomic() || (record.writes() && !mine.writes())) return true;
    const bool areOfBlock = (mine.traits & HW_ACCESS_IN_BLOCK) != 0 && record.block == judging.block.linear();
    if ((record.traits & HW_ACCESS_IN_BLOCK) != 0 && !areOfBlock) return true;
    return !sees && notBefore(record, each.lanes, judging) != 0;
  };
  const auto isMine = [&](Accesses each) { return each.id == judging.mine.id; };
  // To look through all would take a time that grows with the square of their number where the last one is never
  // needed: where each thread reads a word at two places.
  const bool looksThrough =
      others.isSet && (sees ? !isNeeded(judging.history.last(others)) : !judging.history.mayGrow(others));
  if (looksThrough && !isMine(judging.history.last(others))) {
    std::vector<Accesses> rest;
    judging.history.forEach(others, [&](Accesses each) {
      if (isNeeded(each)) rest.push_back(each);
      return true;
    });
    return judging.history.with(setOf(judging.history, rest), judging.mine);
  }
  while (others.isSet && !isMine(judging.history.last(others)) && !isNeeded(judging.history.last(others)))
    others = judging.history.before(others);
  const Accesses last = others.isSet ? judging.history.last(others) : others;
  const Accesses before = others.isSet ? judging.history.before(others) : Accesses{};
  if (isMine(last)) {
    if ((last.lanes | judging.mine.lanes) == last.lanes) return others;
    return judging.history.with(before, {.id = last.id, .isSet = 0, .lanes = last.lanes | judging.mine.lanes});
  }
  return judging.history.with(isNeeded(last) ? others : before, judging.mine);
}

void RaceDetector::note(Cell &cell, const Judging &judging) {
  if (judging.access.isAtomic() || !judging.access.writes())
    cell.others = withMine(cell.others, judging);
  else
    cell = {.write = judging.mine, .others = {}};
}

Race RaceDetector::raceOf(const AccessRecord &before, uint32_t lanes, const Judging &judging) {
  BlockState &block = judging.block;
  const uint32_t thread = judging.thread;
  const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
  Race race{before,
            before.warp * 32 + lane,
            judging.access,
            thread,
            block.linear(),
            {},
            before.cluster == block.cluster(),
            block.hasPassed(before, lane),
            lucky(before, lanes, judging) != 0 || locations_.wasTold(block.thread(thread), before, lanes),
            before.isInFlight() && async_.flights().isAwaited(before.flight, lane)};
  constexpr uint32_t updates = HW_ACCESS_ATOMIC | HW_ACCESS_WRITES;
  race.isUpdatedSince = (judging.history.traits(judged_->others) & updates) == updates;
  if (const BlockState *const owner = sharedOwner(block, judging.access.start)) {
    race.shared = {owner->linear(), judging.access.start - owner->shared().start()};
    const bool isPart = before.writes() && before.bytes < judging.access.bytes;
    const bool isKnown = owner->deferred().isWritten(race.shared->offset);
    race.isUnwritten = (judged_->write.none() && !isKnown) || isPart;
  }
  return race;
}

void RaceDetector::report(const AccessRecord &before, uint32_t lanes, const Judging &judging) {
  const fibers::RuntimeSection section;
  const Race race = raceOf(before, lanes, judging);
  // A read that compare-and-swap follows is none.
  if (before.isAtomic() && !judging.access.writes() && !judging.access.isAtomic()) {
    settleHeldBack(judging.block, race.thread, nullptr);
    heldBack_.emplace(std::pair(&judging.block, race.thread), race);
    return;
  }
  tell(judging.block, race);
}

void RaceDetector::tell(const BlockState &block, const Race &race) {
  if (reportRace(race, notes_[block.launch()], block)) unsettle(block, Unsettled::Race);
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
