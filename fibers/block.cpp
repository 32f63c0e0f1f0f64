#include "fibers/block.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <numeric>

#include "fibers/worker.h"

namespace hostwarp::fibers {
namespace {

// After this many switches without a pause, spinning threads and other blocks get a turn even if ready threads remain:
// threads that wait for them through barriers in a loop would run forever otherwise.
constexpr int32_t kPatience = 1 << 16;

// How long the blocks that are drawn at a time shall take.
constexpr std::chrono::microseconds kShortSeries{8}, kLongSeries{32};
constexpr uint32_t kLongestSeries = 64;

uint32_t warpsOf(uint32_t threads) { return (threads + 31) / 32; }

// beginAgain() makes the fiber stand for the first thread of the block after its own in a series: field by field, since
// a copy of all that blocks have in common would wait for the few that have just been written.
void beginAgain(Fiber &fiber, const hw_dim3 &block, int32_t budget) {
  hw_thread &thread = fiber.thread;
  thread.threadIdx.x = thread.threadIdx.y = thread.threadIdx.z = 0;
  thread.laneId = thread.warpId = thread.linearThread = 0;
  thread.blockIdx.x = block.x;
  thread.blockIdx.y = block.y;
  thread.blockIdx.z = block.z;
  thread.spinBudget = budget;
  fiber.wait.kind = WaitKind::None;
}

}  // namespace

Block::Block(Worker &worker) : worker_(worker), workerContext_(worker.context()) {}

void Block::begin(std::shared_ptr<Grid> grid, uint64_t linear, FiberPool &fibers, const SchedulePolicy &policy,
                  char *shared, Cluster *cluster) {
  grid_ = std::move(grid);
  linear_ = linear;
  looksAtTime_ = countedTime_ = 0;
  fibers_ = &fibers;
  shared_ = shared;
  const GridRequest &request = grid_->request();
  entry_ = request.entry;
  args_ = request.args;
  threads_ = grid_->threadsPerBlock();
  patience_ = kPatience;
  spinsInRow_ = yieldsInTurn_ = 0;
  othersTurn_ = false;
  stop_ = BlockStop::Finished;
  triggered_ = false;
  endedInSeries_ = 0;
  rest_ = {};
  series_ = 1;
  seriesStarted_ = {};

  const uint64_t alignment = std::max<uint64_t>(request.sharedAlignment, 16);
  const uint64_t staticBytes = (request.staticSharedBytes + alignment - 1) / alignment * alignment;
  prototype_.blockIdx = grid_->blockIndex(linear);
  prototype_.blockDim = request.block;
  prototype_.gridDim = request.grid;
  prototype_.sharedBase = shared;
  prototype_.dynamicShared = shared + staticBytes;
  prototype_.deviceDelta = request.deviceDelta;
  prototype_.sharedBytes = staticBytes + request.dynamicSharedBytes;

  cluster_ = cluster != nullptr ? cluster : &alone_;
  if (cluster == nullptr) alone_.begin(prototype_.sharedBytes);
  cluster_->join(this);

  policy_ = &policy;
  stream_ = policy.streamFor(grid_->origin(), linear);
  director_ = worker_.director();
  firstBudget_ = director_ != nullptr ? 1 : policy.spinBudget(stream_, true);
  prototype_.spinBudget = firstBudget_;
  random_ = director_ != nullptr || !policy.inOrder();
  if (random_) {
    for (FiberQueue *queue : {&ready_, &spinners_, &gridWaiters_, &clusterWaiters_}) queue->setRandom(true, threads_);
    for (Barrier &barrier : barriers_) barrier.waiters.setRandom(true, threads_);
    shuffled_.resize(threads_);
    std::iota(shuffled_.begin(), shuffled_.end(), 0u);
  }
  if (director_ != nullptr) agents_.assign(threads_, {});
  nextFiber_ = nullptr;
  nextFresh_ = kNobody;
  blockEntry_ = random_ || !worker_.runsWholeBlocks() ? nullptr : request.blockEntry;
  // Without a frame the threads run one by one.
  if (blockEntry_ != nullptr && !frame_.reserve(request.frameBytes * threads_)) blockEntry_ = nullptr;
  grid_->noteForm(blockEntry_ != nullptr);
  resetThreads();
  beginObservation();
}

void Block::beginObservation() {
  if (syncObserver == nullptr) return;
  const uint64_t cluster = cluster_ == &alone_ ? linear_ : reinterpret_cast<uint64_t>(cluster_);
  observed_ = syncObserver->blockBegins({grid_->launch(), grid_->request().kernelName, linear_, cluster, threads_,
                                         &prototype_, grid_->request().followed, grid_->request().launchedBy});
}

void Block::endObservation() {
  void *block = std::exchange(observed_, nullptr);
  if (block != nullptr && syncObserver != nullptr) syncObserver->blockEnds(block);
}

void Block::resetThreads() {
  live_ = threads_;
  nextThread_ = 0;
  nextIndex_ = {0, 0, 0};
  warpCount_ = warpsOf(threads_);
  if (warpCount_ > warpCapacity_) {
    warps_ = std::make_unique<Warp[]>(warpCount_);
    warpCapacity_ = warpCount_;
  }
  for (uint32_t w = 0; w < warpCount_; ++w) {
    const uint32_t lanes = std::min(threads_ - w * 32, 32u);
    warps_[w].reset(lanes == 32 ? ~0u : (1u << lanes) - 1);
  }
}

void Block::restartByThreads() {
  discard();
  blockEntry_ = nullptr;
  grid_->noteForm(false);
  resetThreads();
  beginObservation();
}

BlockStop Block::run() {
  progressed_ = false;
  // How often a block pauses or lacks a fiber depends on the machine, how its threads take turns must not.
  const bool isSameTurn = stop_ == BlockStop::Preempted || stop_ == BlockStop::NeedFiber;
  if (!isSameTurn) {
    spinsInRow_ = yieldsInTurn_ = 0;
    patience_ = kPatience;
  }
  releaseFromGrid();
  Fiber *first = isSameTurn ? chooseAfterPause() : chooseNext();
  if (first == nullptr) return stop_;
  hw_current = &first->thread;
  switchContext(worker_.context(), first->context);
  return stop_;
}

void Block::discard() {
  endObservation();
  forEachWaiting([](Fiber &fiber) { fiber.pool->reclaim(&fiber); });
  for (uint32_t w = 0; w < warpCount_; ++w) warps_[w].reset(0);
  for (Barrier &barrier : barriers_) {
    barrier.waiters.clear();
    barrier.arrived = barrier.count = barrier.holding = 0;
  }
  for (FiberQueue *queue : {&ready_, &spinners_, &gridWaiters_, &clusterWaiters_}) queue->clear();
  std::ranges::fill(tileArrived_, 0);
  openBarriers_ = openTiles_ = softMeetings_ = gridArrived_ = live_ = 0;
  nextThread_ = threads_;
  arrivedAtGrid_ = atCluster_ = clusterOpened_ = false;
}

void Block::end() {
  endObservation();
  for (auto &[object, storage] : sharedObjects_) std::free(storage);
  sharedObjects_.clear();
  // Arrivals without a wait may be left at a barrier that nobody came to.
  for (uint32_t open = std::exchange(openBarriers_, 0); open != 0; open &= open - 1) {
    Barrier &barrier = barriers_[__builtin_ctz(open)];
    barrier.arrived = barrier.count = barrier.holding = 0;
  }
  grid_.reset();
}

void Block::placeThread(hw_thread &thread) {
  uint32_t linear = nextThread_;
  if (random_) {
    const size_t pick =
        director_ != nullptr
            ? static_cast<size_t>(std::ranges::find(shuffled_, std::exchange(nextFresh_, kNobody)) - shuffled_.begin())
            : nextThread_ + policy_->choose(stream_, threads_ - nextThread_);
    std::swap(shuffled_[nextThread_], shuffled_[pick]);
    linear = shuffled_[nextThread_];
    const hw_dim3 &dim = prototype_.blockDim;
    nextIndex_ = {linear % dim.x, linear / dim.x % dim.y, linear / dim.x / dim.y};
  }
  ++nextThread_;
  thread.threadIdx = nextIndex_;
  thread.linearThread = linear;
  thread.laneId = linear % 32;
  thread.warpId = linear / 32;
  if (++nextIndex_.x == prototype_.blockDim.x) {
    nextIndex_.x = 0;
    if (++nextIndex_.y == prototype_.blockDim.y) {
      nextIndex_.y = 0;
      ++nextIndex_.z;
    }
  }
}

void Block::beginThread(Fiber *self) {
  hw_thread &thread = self->thread;
  thread = prototype_;
  placeThread(thread);
  Warp &warp = warps_[thread.warpId];
  warp.started |= 1u << thread.laneId;
  warp.lanes[thread.laneId] = self;
  self->wait.kind = WaitKind::None;
  self->clusterPhase = ~uint64_t{0};
  self->blockState = observed_;
  noteThread();
}

void Block::endThread(Fiber *self) {
  Warp &warp = warps_[self->thread.warpId];
  if (observed_ != nullptr) syncObserver->threadEnds(observed_, self->thread);
  warp.live &= ~(1u << self->thread.laneId);
  if (director_ != nullptr) director_->ends(nameOf(self), agents_[self->thread.linearThread]);
  --live_;
  noteThread();
  if (warp.openCount != 0) reviewWarp(warp);
  if (openBarriers_ != 0) reviewBarriers();
  if (openTiles_ != 0) reviewTiles();
  if (cluster_->isBusy()) cluster_->threadEnded(self);
  if (gridArrived_ != 0 && gridArrived_ == live_ && !arrivedAtGrid_) arriveAtGrid();
}

void Block::runWhole(Fiber *self) {
  beginThread(self);
  nextThread_ = threads_;  // no other fiber shall begin
  do {
    self->inEngine = 0;
    blockEntry_(args_, frame_.data());
    self->inEngine = 1;
  } while (becomeNext());
  for (uint32_t w = 0; w < warpCount_; ++w) warps_[w].live = 0;
  live_ = 0;
  if (cluster_->isBusy()) cluster_->threadEnded(self);
  noteProgress();
}

bool Block::drawSeries() {
  const auto now = Grid::Clock::now();
  const auto took = now - std::exchange(seriesStarted_, now);
  if (took < kShortSeries)
    series_ = std::min(series_ * 2, kLongestSeries);
  else if (took > kLongSeries)
    series_ = std::max(series_ / 2, 1u);
  const uint64_t share = grid_->left() / (4 * uint64_t{worker_.company()});
  const auto wanted = static_cast<uint32_t>(std::clamp<uint64_t>(share, 1, series_));
  uint64_t first = 0;
  const uint32_t drawn = grid_->nextPositions(first, wanted);
  rest_ = {first, first + drawn};
  return drawn != 0;
}

bool Block::becomeNext() {
  if (openBarriers_ != 0 || !sharedObjects_.empty() || !grid_->blocksEndUnnoticed() || grid_->stopped()) return false;
  // Dependents hear of a series at once: all workers write to one count.
  if (rest_.empty()) trigger();
  if (rest_.empty() && !(worker_.mayContinue() && drawSeries())) return false;
  endedInSeries_ += !std::exchange(triggered_, false);
  const uint64_t next =
      policy_->blockAt(grid_->origin(), rest_.next++, grid_->clusterCount(), grid_->residentClusters());
  hw_dim3 &index = prototype_.blockIdx;
  if (next == linear_ + 1 && index.x + 1 < prototype_.gridDim.x)
    ++index.x;
  else
    index = grid_->blockIndex(next);
  linear_ = next;
  looksAtTime_ = countedTime_ = 0;
  endObservation();
  beginObservation();
  beginAgain(*currentFiber(), index, firstBudget_);
  currentFiber()->blockState = observed_;
  noteThread();
  return true;
}

void Block::runThreads(Fiber *self) {
  if (blockEntry_ != nullptr) return runWhole(self);
  do {
    beginThread(self);
    self->inEngine = 0;
    entry_(args_);
    self->inEngine = 1;
    endThread(self);
  } while (!random_ && unstarted() && ready_.empty() && !grid_->stopped());
}

void Block::retire(Fiber *self) {
  fibers_->giveBack(self);
  switchTo(self, chooseNext());
}

void Block::exitThread(Fiber *self) {
  endThread(self);
  // The frames above are dead from here on. The fiber's new beginning overwrites only the very first of them.
  fibers_->reclaim(self);
  Fiber *next = chooseNext();
  hw_current = next != nullptr ? &next->thread : nullptr;
  leaveContext(worker_.scratch(), next != nullptr ? next->context : worker_.context());
}

void Block::trigger() {
  if (grid_->request().triggered == nullptr) return;
  const uint32_t news = std::exchange(endedInSeries_, 0) + !std::exchange(triggered_, true);
  if (news != 0) grid_->blocksTriggered(news);
}

void Block::leave(BlockStop why) {
  stop_ = why;
  hw_current = nullptr;
  leaveContext(worker_.scratch(), worker_.context());
}

Fiber *Block::choosePatiently() {
  if (random_) return chooseRandom();
  patience_ = kPatience;
  // Ready threads may wait for this block's spinners, for other blocks, or for both.
  const bool othersFirst = (spinners_.empty() || othersTurn_) && worker_.hasOtherWork();
  othersTurn_ = !othersFirst;
  return othersFirst ? stopWith(BlockStop::Preempted) : chooseAfterPatience();
}

Fiber *Block::chooseAfterPatience() { return spinners_.empty() ? chooseNext() : spinners_.pop(); }

Fiber *Block::chooseAfterPause() {
  if (random_) return director_ != nullptr ? chooseDirected() : pickRandom();
  return stop_ == BlockStop::Preempted ? chooseAfterPatience() : chooseNext();
}

Fiber *Block::chooseNext() {
  if (random_) return chooseRandom();
  Fiber *next = ready_.pop();
  return next != nullptr ? next : choose();
}

void Block::finishRelease(Fiber *last) {
  checkStopped();
  if (last == nullptr) return;
  // Who goes on after a rendezvous is the policy's choice; in order, the last to come is the last to go on, too.
  ready_.push(last);
  suspend(last);
}

Fiber *Block::choose() {
  if (live_ == 0) return stopWith(BlockStop::Finished);
  if (grid_->stopped()) return stopWith(BlockStop::Stopped);
  if (unstarted()) {
    Fiber *fiber = fibers_->take(this);
    return fiber != nullptr ? fiber : stopWith(BlockStop::NeedFiber);
  }
  if (!spinners_.empty() && maySpin()) return spinners_.pop();
  if (softMeetings_ != 0 && resolveSoftMeetings()) return ready_.pop();
  return stopWith(whyStuck());
}

Fiber *Block::chooseRandom() {
  if (director_ != nullptr) return chooseDirected();
  if (live_ == 0) return stopWith(BlockStop::Finished);
  return policy_->preempt(stream_) && worker_.hasOtherWork() ? stopWith(BlockStop::Preempted) : pickRandom();
}

Fiber *Block::pickRandom() {
  if (grid_->stopped()) return stopWith(BlockStop::Stopped);
  const size_t spinning = maySpin() ? spinners_.size() : 0;
  const size_t fresh = threads_ - nextThread_;
  const size_t total = ready_.size() + spinning + fresh;
  if (total == 0) {
    if (softMeetings_ != 0 && resolveSoftMeetings()) return ready_.takeAt(policy_->choose(stream_, ready_.size()));
    return stopWith(whyStuck());
  }
  const RandomStream before = stream_;
  const size_t pick = policy_->choose(stream_, total);
  if (pick < ready_.size()) return ready_.takeAt(pick);
  if (pick < ready_.size() + spinning) return spinners_.takeAt(pick - ready_.size());
  if (Fiber *fiber = fibers_->take(this); fiber != nullptr) return fiber;
  stream_ = before;
  return stopWith(BlockStop::NeedFiber);
}

BlockStop Block::whyStuck() const {
  if (!spinners_.empty()) return BlockStop::Spinning;
  if (gridArrived_ == live_ && !gridWaiters_.empty()) return BlockStop::AtGrid;
  return clusterWaiters_.empty() ? BlockStop::Deadlock : BlockStop::AtCluster;
}

}  // namespace hostwarp::fibers
