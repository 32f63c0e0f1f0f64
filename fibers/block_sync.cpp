// Where threads of a block wait for each other: barriers, warp rendezvous, the grid barrier, spins.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "fibers/block.h"
#include "fibers/worker.h"

namespace hostwarp::fibers {
namespace {

// firstSoft() chooses among a warp's soft rendezvous the one to complete when lanes wait at several. __activemask()
// comes first, for any subset is a right answer there. Then the lowest address: code inside of a branch mostly lies
// before the code behind it, where its lanes join the others again.
Rendezvous *firstSoft(Warp &warp) {
  const auto rank = [](const Rendezvous &meeting) {
    return std::pair(meeting.collective != Collective::ActiveMask, meeting.site);
  };
  Rendezvous *first = nullptr;
  for (uint32_t i = 0; i < warp.openCount; ++i) {
    Rendezvous &meeting = warp.open[i];
    if (meeting.soft() && (first == nullptr || rank(meeting) < rank(*first))) first = &meeting;
  }
  return first;
}

}  // namespace

void Block::barrierWait(Fiber *self, uint32_t id, uint32_t count, uint8_t operation, bool predicate, const void *site) {
  Barrier &barrier = barriers_[id];
  noteProgress();
  ++barrier.arrived;
  barrier.holding += predicate;
  self->setWait(WaitKind::Barrier, Collective::SyncWarp, operation, site, id, count);
  if (barrier.arrived >= (count != 0 ? count : live_)) {
    releaseBarrier(barrier, id, self);
    return finishRelease(self);
  }
  barrier.count = count;
  openBarriers_ |= 1u << id;
  barrier.waiters.push(self);
  suspend(self);
}

void Block::barrierArrive(Fiber *self, uint32_t id, uint32_t count) {
  Barrier &barrier = barriers_[id];
  if (observed_ != nullptr) syncObserver->arrivesAtBarrier(observed_, self->thread, id);
  noteProgress();
  ++barrier.arrived;
  // Who waits there, a block entry knows.
  if (!ranWhole() && barrier.arrived >= (count != 0 ? count : live_)) return releaseBarrier(barrier, id, nullptr);
  barrier.count = count;
  openBarriers_ |= 1u << id;
}

void Block::observeBarrier(const Barrier &barrier, uint32_t id, const Fiber *last) {
  ThreadSet waited;
  barrier.waiters.forEach([&](const Fiber *fiber) { waited.add(fiber->thread); });
  if (last != nullptr) waited.add(last->thread);
  const size_t count = barrier.waiters.size() + (last != nullptr ? 1 : 0);
  syncObserver->barrierOpens(observed_, id, waited, count == live_);
}

void Block::releaseBarrier(Barrier &barrier, uint32_t id, Fiber *last) {
  if (observed_ != nullptr) observeBarrier(barrier, id, last);
  if (director_ != nullptr) tellOfMeeting(barrier.waiters, last);
  const uint32_t holding = barrier.holding;
  const bool all = holding == barrier.arrived;
  const auto deliver = [&](Fiber *fiber) {
    const int operation = fiber->wait.operation - 1;
    fiber->exchange.result = operation == HW_COUNT ? holding : operation == HW_AND ? all : holding != 0;
  };
  // A plain barrier has operation 0 and costs no visit of the waiters.
  if (last == nullptr || last->wait.operation != 0) {
    barrier.waiters.forEach(deliver);
    if (last != nullptr) deliver(last);
  }
  ready_.append(barrier.waiters);
  barrier.arrived = barrier.count = barrier.holding = 0;
  openBarriers_ &= ~(1u << id);
}

// reviewBarriers() releases what a thread's exit completes: exited threads count as arrived [CUDA 5.6 __syncthreads].
void Block::reviewBarriers() {
  for (uint32_t open = openBarriers_; open != 0; open &= open - 1) {
    const uint32_t id = static_cast<uint32_t>(__builtin_ctz(open));
    Barrier &barrier = barriers_[id];
    if (barrier.count == 0 && barrier.arrived >= live_) releaseBarrier(barrier, id, nullptr);
  }
}

void Block::meet(Fiber *self, uint32_t mask, Collective collective, const void *site) {
  Warp &warp = warps_[self->thread.warpId];
  const uint32_t bit = 1u << self->thread.laneId;
  noteProgress();
  Rendezvous &meeting = warp.find(mask, collective, site);
  if (meeting.arrived == 0 && meeting.soft()) ++softMeetings_;
  meeting.arrived |= bit;
  if ((warp.wanted(meeting) & ~meeting.arrived) == 0) {
    completeMeeting(warp, meeting, self);
    return finishRelease(self);
  }
  self->setWait(WaitKind::Warp, collective, self->exchange.operation, site, mask, 0);
  suspend(self);
}

void Block::observeMeeting(const Warp &warp, const Rendezvous &meeting) {
  const auto number = static_cast<uint32_t>(&warp - warps_.get());
  if (meeting.collective == Collective::ActiveMask) return noteLookAtOrder();
  if (meeting.collective != Collective::SyncWarp)
    return syncObserver->lanesExchange(observed_, number, meeting.arrived);
  // Lanes that are only kept in step are not ordered.
  if (!meeting.soft()) syncObserver->lanesMeet(observed_, number, meeting.arrived, meeting.arrived == warp.live);
}

void Block::completeMeeting(Warp &warp, Rendezvous &meeting, Fiber *last) {
  const uint32_t participants = meeting.arrived;
  LaneExchange *lanes[32];
  for (uint32_t rest = participants; rest != 0; rest &= rest - 1) {
    Fiber *fiber = warp.lanes[__builtin_ctz(rest)];
    lanes[__builtin_ctz(rest)] = &fiber->exchange;
    if (fiber != last) ready_.push(fiber);
  }
  computeResults(meeting.collective, participants, lanes);
  if (observed_ != nullptr) observeMeeting(warp, meeting);
  if (director_ != nullptr) tellOfMeeting(warp, participants);
  softMeetings_ -= meeting.soft();
  warp.close(meeting);
}

void Block::reviewWarp(Warp &warp) {
  for (uint32_t i = 0; i < warp.openCount;) {
    Rendezvous &meeting = warp.open[i];
    if ((warp.wanted(meeting) & ~meeting.arrived) == 0)
      completeMeeting(warp, meeting, nullptr);  // moves another one to this place
    else
      ++i;
  }
}

void Block::meetTile(Fiber *self, uint32_t threads, const void *site) {
  const Tile tile = Tile::of(threads, self->thread.warpId);
  noteProgress();
  if (++tileArrived_[tile.number()] == liveThreads(tile)) {
    completeTile(tile, self);
    return finishRelease(self);
  }
  openTiles_ |= 1u << tile.number();
  self->setWait(WaitKind::Tile, Collective::SyncWarp, 0, site, threads, 0);
  suspend(self);
}

uint32_t Block::liveThreads(Tile tile) const {
  uint32_t live = 0;
  for (uint32_t w = tile.firstWarp; w < tile.firstWarp + tile.warps && w < warpCount_; ++w)
    live += static_cast<uint32_t>(std::popcount(warps_[w].live));
  return live;
}

void Block::completeTile(Tile tile, Fiber *last) {
  void **handed = worker_.tilePointers();
  void (*work)(void *const *) = nullptr;
  ThreadSet met;
  for (uint32_t i = 0; i < tile.warps * 32; ++i) {
    const uint32_t w = tile.firstWarp + i / 32;
    handed[i] = nullptr;
    if (w >= warpCount_ || (warps_[w].live >> i % 32 & 1) == 0) continue;
    Fiber *fiber = warps_[w].lanes[i % 32];
    handed[i] = reinterpret_cast<void *>(fiber->exchange.value);
    work = fiber->exchange.work;
    met.add(fiber->thread);
    if (fiber != last) ready_.push(fiber);
  }
  tileArrived_[tile.number()] = 0;
  openTiles_ &= ~(1u << tile.number());
  if (observed_ != nullptr) syncObserver->threadsMeet(observed_, met);
  if (director_ != nullptr)
    for (uint32_t w = 0; w < warpCount_; ++w) tellOfMeeting(warps_[w], met.lanes[w]);
  if (work != nullptr) work(handed);
}

// reviewTiles() completes the meetings that waited for a thread that has exited.
void Block::reviewTiles() {
  for (uint32_t open = openTiles_; open != 0; open &= open - 1) {
    const Tile tile = Tile::numbered(static_cast<uint32_t>(std::countr_zero(open)));
    if (tileArrived_[tile.number()] == liveThreads(tile)) completeTile(tile, nullptr);
  }
}

// resolveSoftMeetings() lets lanes go on that wait for "whoever comes along", now that nobody else can come.
bool Block::resolveSoftMeetings() {
  bool any = false;
  for (uint32_t w = 0; w < warpCount_; ++w) {
    Rendezvous *first = firstSoft(warps_[w]);
    if (first == nullptr) continue;
    completeMeeting(warps_[w], *first, nullptr);
    any = true;
  }
  return any;
}

void Block::gridArrive(Fiber *self) {
  noteProgress();
  self->gridRound = gridRound_;
  if (observed_ != nullptr) syncObserver->arrivesAtGrid(observed_, self->thread);
  if (++gridArrived_ == live_) arriveAtGrid();
}

void Block::gridWait(Fiber *self, const void *site) {
  noteProgress();
  releaseFromGrid();
  if (self->gridRound == gridRound_) {
    self->setWait(WaitKind::Grid, Collective::SyncWarp, 0, site, 0, 0);
    gridWaiters_.push(self);
    suspend(self);
  } else {
    finishRelease(self);
  }
  if (observed_ != nullptr) syncObserver->passesGrid(observed_, self->thread);
}

void Block::syncGrid(Fiber *self, const void *site) {
  self->gridRound = gridRound_;
  gridArrived_ = live_;
  arriveAtGrid();
  gridWait(self, site);
}

void Block::syncCluster(Fiber *self, const void *site) {
  cluster_->arrive(self, live_);
  clusterWait(self, site);
}

void Block::arriveAtGrid() {
  gridPhase_ = grid_->barrierPhase();
  arrivedAtGrid_ = true;
  if (!grid_->arriveBlock()) return;
  releaseFromGrid();
  worker_.announceGridRelease();
}

bool Block::releaseFromGrid() {
  if (!arrivedAtGrid_ || grid_->barrierPhase() == gridPhase_) return false;
  passGrid();
  return true;
}

void Block::passGrid() {
  arrivedAtGrid_ = false;
  gridArrived_ = 0;
  ++gridRound_;
  if (director_ != nullptr) director_->gridMeets(grid_->launch());
  ready_.append(gridWaiters_);
}

void Block::clusterArrive(Fiber *self) {
  if (observed_ != nullptr) syncObserver->arrivesAtCluster(observed_, self->thread);
  cluster_->arrive(self);
}

void Block::clusterWait(Fiber *self, const void *site) {
  noteProgress();
  while (!cluster_->isOpenFor(self)) {
    self->setWait(WaitKind::Cluster, Collective::SyncWarp, 0, site, 0, 0);
    clusterWaiters_.push(self);
    suspend(self);
  }
  if (observed_ != nullptr) syncObserver->passesCluster(observed_, self->thread);
  checkStopped();
}

void Block::openClusterBarrier() {
  if (director_ != nullptr) tellOfMeeting(clusterWaiters_, nullptr);
  ready_.append(clusterWaiters_);
  if (!std::exchange(atCluster_, false)) return;
  clusterOpened_ = true;
  worker_.lookAtWaitingBlocks();
}

void Block::yield(Fiber *self, const void *site) {
  if (director_ != nullptr) return yieldDirected(self, site);
  self->thread.spinBudget = policy_->spinBudget(stream_, false);
  checkStopped();
  if (const GridRequest &request = grid_->request(); request.waiting != nullptr) request.waiting(request.owner);
  self->setWait(WaitKind::Spin, Collective::SyncWarp, 0, site, 0, 0);
  ++spinsInRow_;
  ++yieldsInTurn_;
  hasSpun_ = true;
  spinners_.push(self);
  suspend(self);
}

void *Block::sharedObject(const hw_shared_object *object) {
  for (const auto &[known, storage] : sharedObjects_)
    if (known == object) return storage;
  const size_t alignment = std::max<size_t>(object->alignment, 64);
  const size_t bytes = (std::max<size_t>(object->bytes, 1) + alignment - 1) / alignment * alignment;
  void *storage = std::aligned_alloc(alignment, bytes);
  if (storage != nullptr) sharedObjects_.emplace_back(object, storage);
  if (observed_ != nullptr && storage != nullptr) syncObserver->getsMemory(storage, bytes);
  return storage;
}

}  // namespace hostwarp::fibers
