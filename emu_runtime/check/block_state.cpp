#include "emu_runtime/check/block_state.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace hostwarp::check {

namespace {

template <class Visit>
void forEachThread(const fibers::ThreadSet &set, Visit visit) {
  for (uint32_t warp = 0; warp < fibers::ThreadSet::kWarps; ++warp)
    for (uint32_t lanes = set.lanes[warp]; lanes != 0; lanes &= lanes - 1)
      visit(warp * 32 + static_cast<uint32_t>(std::countr_zero(lanes)));
}

bool areEmpty(const std::array<Clock, kReaches> &clocks) { return std::ranges::all_of(clocks, &Clock::empty); }

}  // namespace

void BlockState::begin(const fibers::ObservedBlock &block, uint32_t launch) {
  linear_ = block.linear;
  cluster_ = block.cluster;
  launch_ = launch;
  launchOrdinal_ = block.launch;
  part_ = static_cast<order::Part *>(block.followed);
  prototype_ = block.prototype;
  launchedBy_ = block.launchedBy;
  floor_ = 0;
  warpFloors_ = {};
  ended_ = {};
  count_ = block.threads;
  areAlike_ = true;
  common_ = {};
  arrived_ = {};
  sharedHistory_.clear();
  sharedPast_ = {};
  isPastKnown_ = !isInCluster();
  shared_.coverAlike(sharedHistory_, reinterpret_cast<uintptr_t>(block.prototype->sharedBase),
                     block.prototype->sharedBytes);
  followsWrites_ = WrittenMemory::process() != nullptr;
  deferred_.begin(shared_.start(), block.prototype->sharedBytes, block.launch, !followsWrites_ && !isInCluster());
  if (followsWrites_) written_.begin(shared_.start(), block.prototype->sharedBytes);
  recent_.resize((block.threads + 31) / 32);  // what is left of other blocks has other numbers
}

void BlockState::setApart() {
  areAlike_ = false;
  threads_.clear();
  threads_.resize(count_);
  for (ThreadState &thread : threads_) {
    thread.now = common_.now;
    thread.gridPhase = common_.gridPhase;
    thread.clusterPhase = common_.clusterPhase;
  }
}

bool BlockState::areAlikeNow(uint32_t warp, uint32_t lanes) const {
  const ThreadState &first = threads_[warp * 32 + static_cast<uint32_t>(std::countr_zero(lanes))];
  for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1) {
    const ThreadState &other = threads_[warp * 32 + static_cast<uint32_t>(std::countr_zero(lanes))];
    if (other.now != first.now || other.gridPhase != first.gridPhase || other.clusterPhase != first.clusterPhase ||
        !(other.lock() == first.lock()))
      return false;
  }
  return true;
}

void BlockState::newRecord(RecentRecord &recent, AccessHistory &history, uint32_t thread, uint32_t traits,
                           const hw_access_site *site, uint64_t bytes, const Flight &flight) {
  AccessRecord record = present(thread);
  record.site = site;
  record.traits = traits;
  record.bytes = static_cast<uint32_t>(bytes);
  record.flight = flight;
  recent.isPlain = !record.isInFlight() && record.lock == Lock{};
  if (!areAlike_ || !recent.isPlain) return remember(recent, history, record, history.add(record));
  const uint32_t id = rowRecord(history, traits, site, bytes).id;
  remember(recent, history, record, id == 0 ? 0 : id + record.warp);
}

void BlockState::newRowRecord(RecentRecord &recent, AccessHistory &history, uint32_t traits, const hw_access_site *site,
                              uint64_t bytes) {
  AccessRecord record = present(0);
  record.site = site;
  record.traits = traits;
  record.bytes = static_cast<uint32_t>(bytes);
  record.isOfBlock = true;
  recent.isPlain = true;
  remember(recent, history, record, history.add(record));
}

// remember(): the record has that number, and nothing is known of others yet.
void BlockState::remember(RecentRecord &recent, const AccessHistory &history, const AccessRecord &record, uint32_t id) {
  recent.site = record.site;
  recent.block = sharedHistory_.number();
  recent.history = history.number();
  recent.time = record.time;
  recent.traits = record.traits;
  recent.gridPhase = record.gridPhase;
  recent.clusterPhase = record.clusterPhase;
  recent.id = id;
  recent.others = recent.rows = {};
  recent.trail.chunk = nullptr;
  if (recent.isPlain) return;
  recent.lock = record.lock;
  recent.flight = record.flight;
  forgetPast();
}

bool BlockState::areBefore(const AccessRecord &record, uint32_t thread) const {
  const ThreadState &self = seen(thread);
  if (record.launch != launch_ || isOver(record.gridPhase, self.gridPhase)) return true;
  if (record.cluster == cluster_ && isOver(record.clusterPhase, self.clusterPhase)) return true;
  return isBeforeBarrier(record) && noneHasEnded();
}

Clock BlockState::release(uint32_t number) {
  ThreadState &self = thread(number);
  // The floors are not in the clock, which others shall understand.
  Clock clock = self.known;
  if (floor_ != 0) clock.raiseBlock(linear_, floor_);
  const uint32_t warp = number / 32;
  if (warpFloors_[warp] > floor_) clock.raiseWarp(linear_, warp, warpFloors_[warp]);
  clock.raiseThread(linear_, number, ++self.now);
  return clock;
}

void BlockState::threadEnds(uint32_t number) {
  ThreadState &self = thread(number);
  self.lastFloor = floor_;
  self.lastWarpFloor = warpFloors_[number / 32];
  ended_[number / 32] |= 1u << number % 32;
}

// ended() is the lanes that have left without the barriers that the others have passed since.
uint32_t BlockState::ended(const AccessRecord &record, uint32_t lanes, bool isSameWarp) const {
  lanes &= ended_[record.warp];
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const ThreadState &other = threads_[record.warp * 32 + lane];
    if (record.time < other.lastFloor || (isSameWarp && record.time < other.lastWarpFloor)) lanes &= ~(1u << lane);
  }
  return lanes;
}

uint32_t BlockState::unknown(const AccessRecord &record, uint32_t lanes, uint32_t thread) const {
  const Clock &known = seen(thread).known;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    if (known.of(record.block, record.warp * 32 + lane) > record.time) lanes &= ~(1u << lane);
  }
  return lanes;
}

uint32_t BlockState::unseen(const AccessRecord &record, uint32_t lanes, uint32_t thread) const {
  const Reach reach = record.block == linear_ ? Reach::Block : Reach::Everybody;
  const ThreadState &self = seen(thread);
  if (!self.atomics) return lanes;
  const Clock &looked = self.atomics->looked[static_cast<size_t>(reach)];
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    if (looked.of(record.block, record.warp * 32 + lane) > record.time) lanes &= ~(1u << lane);
  }
  return lanes;
}

void BlockState::Learnt::add(const ThreadState &thread) {
  latest = std::max(latest, thread.now);
  known.join(thread.known);
  if (!thread.atomics) return;
  for (size_t reach = 0; reach < kReaches; ++reach) {
    pending[reach].join(thread.atomics->pending[reach]);
    looked[reach].join(thread.atomics->looked[reach]);
    fenced[reach].join(thread.atomics->fenced[reach]);
  }
}

void BlockState::Learnt::tell(ThreadState &thread) const {
  thread.now = latest + 1;
  thread.known = known;
  if (areEmpty(pending) && areEmpty(looked) && areEmpty(fenced)) return;
  AtomicState &atomics = thread.atomicState();
  atomics.pending = pending;
  atomics.looked = looked;
  atomics.fenced = fenced;
}

// keepPast(): a barrier of all threads says nothing of what other blocks have done, nor of operations in flight.
void BlockState::keepPast() {
  if (areAllPast()) sharedPast_ = sharedHistory_.allUntilNow();
}

void BlockState::joinAll(const Clock &more) {
  keepPast();
  if (areAlike_ && more.empty()) {
    floor_ = ++common_.now;
    return;
  }
  if (areAlike_) setApart();
  Learnt learnt{.known = more};
  for (const ThreadState &thread : threads_) learnt.add(thread);
  // The floor says the same, but for threads that have ended.
  if (noneHasEnded()) learnt.known.forget(linear_);
  for (Clock &clock : learnt.fenced) clock.shorten(linear_, count_);
  floor_ = learnt.latest + 1;
  for (ThreadState &thread : threads_) learnt.tell(thread);
  makeAlike();
}

// makeAlike(): behind a barrier of all, threads may know the same again.
void BlockState::makeAlike() {
  const ThreadState &first = threads_.front();
  const auto isLikeFirst = [&](const ThreadState &thread) {
    return thread.knowsNothingElse() && thread.gridPhase == first.gridPhase &&
           thread.clusterPhase == first.clusterPhase;
  };
  if (!noneHasEnded() || !std::ranges::all_of(threads_, isLikeFirst)) return;
  common_.now = first.now;
  common_.gridPhase = first.gridPhase;
  common_.clusterPhase = first.clusterPhase;
  areAlike_ = true;
}

void BlockState::joinSome(const fibers::ThreadSet &met, const Clock &more) {
  if (areAlike_) setApart();
  Learnt learnt{.known = more};
  forEachThread(met, [&](uint32_t number) { learnt.add(threads_[number]); });
  forEachThread(met, [&](uint32_t number) { learnt.known.raiseThread(linear_, number, learnt.latest + 1); });
  forEachThread(met, [&](uint32_t number) { learnt.tell(threads_[number]); });
}

void BlockState::barrierOpens(uint32_t barrier, const fibers::ThreadSet &waited, bool all) {
  const Clock arrived = std::exchange(arrived_[barrier], {});
  if (all)
    joinAll(arrived);
  else
    joinSome(waited, arrived);
}

void BlockState::lanesMeet(uint32_t warp, uint32_t lanes, bool all) {
  if (!all) {
    fibers::ThreadSet met;
    met.lanes[warp] = lanes;
    return joinSome(met, {});
  }
  if (areAlike_) setApart();
  const auto first = threads_.begin() + warp * 32;
  const auto last = threads_.begin() + std::min<size_t>(warp * 32 + 32, threads_.size());
  Learnt learnt;
  std::for_each(first, last, [&](const ThreadState &thread) { learnt.add(thread); });
  warpFloors_[warp] = learnt.latest + 1;
  std::for_each(first, last, [&](ThreadState &thread) { learnt.tell(thread); });
}

void BlockState::lanesExchange(uint32_t warp, uint32_t lanes) {
  if (areAlike_) return;
  const auto forEachLane = [&](auto visit) {
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      visit(threads_[warp * 32 + static_cast<uint32_t>(std::countr_zero(rest))]);
  };
  bool knowsMore = false;
  forEachLane([&](const ThreadState &lane) { knowsMore |= !lane.knowsNothingElse(); });
  if (!knowsMore) return;
  Clock known;
  std::array<Clock, kReaches> pending, fenced;
  forEachLane([&](const ThreadState &lane) {
    known.join(lane.known);
    if (!lane.atomics) return;
    for (size_t reach = 0; reach < kReaches; ++reach) {
      pending[reach].join(lane.atomics->pending[reach]);
      fenced[reach].join(lane.atomics->fenced[reach]);
    }
  });
  for (Clock &clock : fenced) clock.forget(linear_);
  if (known.empty() && areEmpty(pending) && areEmpty(fenced)) return;
  forEachLane([&](ThreadState &lane) {
    lane.known = known;
    if (!areEmpty(pending)) lane.atomicState().pending = pending;
    for (size_t reach = 0; reach < kReaches; ++reach)
      if (!fenced[reach].empty()) lane.atomicState().fenced[reach].join(fenced[reach]);
  });
}

}  // namespace hostwarp::check
