#include "fibers/worker.h"

#include <algorithm>
#include <string>
#include <utility>

#include "fibers/cpu_pause.h"
#include "fibers/debugger.h"
#include "fibers/diagnosis.h"
#include "fibers/dispatcher.h"
#include "fibers/process_copy.h"

namespace hostwarp::fibers {
namespace {

// How many fruitless rounds over all spinning blocks pass before the worker starts another block beside them. With
// other workers around, what they wait for is probably being done right now.
constexpr size_t kRoundsAlone = 1;
constexpr size_t kRoundsInCompany = 8;
// How often each block that can go on pauses before another one begins beside them. Where this many threads take turns
// already, more would be more stacks than the caches hold: others begin then if no block ends for long, because these
// may wait for them.
constexpr size_t kPausesBetweenStarts = 2;
constexpr size_t kPausesOfMany = 64;
constexpr size_t kManyThreads = 1024;
// By a seed, how often another grid is left for later because blocks that have begun can go on: they may wait for it.
constexpr unsigned kMostRefusals = 256;
// After so many turns in which blocks have got on, and none has begun or ended, they may wait for the host all the
// same.
constexpr size_t kManyGoings = 131072;
// A turn in which all threads have spun, too, counts for more: it takes long, and who gets on may wait beside that.
constexpr size_t kGoingsOfSpins = 512;
// So many rounds over all spinning blocks are a look of Pacer's.
constexpr unsigned kRoundsOfLook = 8;
constexpr unsigned kPauseLevels = 64;
constexpr std::chrono::microseconds kShortestSleep{20};
constexpr std::chrono::microseconds kLongestSleep{1000};

size_t sharedBytesOf(const GridRequest &request) {
  const size_t alignment = std::max<size_t>(request.sharedAlignment, 16);
  return (request.staticSharedBytes + alignment - 1) / alignment * alignment + request.dynamicSharedBytes;
}

// clusterStride() is how far apart the shared memories of a cluster's blocks lie.
size_t clusterStride(const GridRequest &request) {
  const size_t least =
      request.cluster.x * request.cluster.y * request.cluster.z > 1 ? SharedMemoryPool::kAlignment : 16;
  const size_t alignment = std::max<size_t>(request.sharedAlignment, least);
  return (sharedBytesOf(request) + alignment - 1) / alignment * alignment;
}

}  // namespace

Worker::Worker(Dispatcher &dispatcher) : dispatcher_(dispatcher) {}

Worker::~Worker() = default;

void Worker::run() {
  bindWorker(this);
  while (step()) {
  }
  bindWorker(nullptr);
}

Worker::Guest::Guest(Worker &worker, const Place &last) : worker_(worker), last_(last), state_(worker.signalMemory_) {
  bindGuest(&worker);
  worker.guestOf_ = &last_;
}

Worker::Guest::~Guest() {
  worker_.guestOf_ = nullptr;
  bindGuest(nullptr);
}

void Worker::Guest::run(std::shared_ptr<Grid> grid, uint64_t position) {
  worker_.lastEpoch_ = worker_.dispatcher_.submissions();
  if (Block *block = worker_.startOn(std::move(grid), position); block != nullptr) worker_.runBlock(block);
  while (worker_.step()) {
  }
}

Director *Worker::director() const { return dispatcher_.director(); }

bool Worker::step() {
  if (director() != nullptr) return stepDirected();
  // A block that has paused for others may wait for one that has not begun, or for one that spins.
  const bool paused = std::exchange(paused_, false);
  Block *block = paused && othersHavePaused() && mayStartAnother() ? startBlock() : nullptr;
  if (block == nullptr && paused) block = nextSpinning();
  if (block == nullptr) block = nextResident();
  if (block == nullptr && mayStartAnother()) block = startBlock();
  if (block == nullptr) block = nextSpinning();
  if (block != nullptr) {
    runBlock(block);
    if (fruitless_ != 0 && fruitless_ % std::max<size_t>(spinning_.size(), 1) == 0) backOff();
    return true;
  }
  if (!outside_.empty()) {
    backOff();
    return true;
  }
  return false;
}

Block *Worker::nextResident() {
  if (!outside_.empty()) wakeOutside();
  if (runnable_.empty()) return nullptr;
  Block *block = runnable_.front();
  runnable_.pop_front();
  return block;
}

Block *Worker::nextSpinning() {
  if (spinning_.empty()) return nullptr;
  Block *block = spinning_.front();
  spinning_.pop_front();
  return block;
}

// wakeOutside() looks through the blocks at grid and cluster barriers, if any barrier has opened or any grid has
// stopped since.
void Worker::wakeOutside() {
  const uint64_t releases = dispatcher_.releases();
  if (releases == seenReleases_) return;
  seenReleases_ = releases;
  std::erase_if(outside_, [this](Block *block) {
    if (block->releaseFromGrid() || block->leaveCluster()) {
      runnable_.push_back(block);
    } else if (block->grid().stopped()) {
      drop(block);
    } else {
      if (block->grid().barrierBroken()) failBlock(block, BlockStop::AtGrid);
      return false;
    }
    backOffLevel_ = 0;
    return true;
  });
}

// claimsNothing(): a guest leaves other grids to the workers, unless what it has begun may wait for them.
bool Worker::claimsNothing() const { return guestOf_ != nullptr && spinning_.empty() && outside_.empty(); }

bool Worker::mayStartAnother() const {
  if (rests_.empty() && (claimsNothing() || seenNoWork_ == dispatcher_.workEpoch())) return false;
  // With a pacer others begin between whole rounds: who spins first then does not depend on how long all did.
  if (dispatcher_.options().pacer != nullptr && !spinning_.empty() && fruitless_ % spinning_.size() != 0) return false;
  const size_t rounds = dispatcher_.activeWorkers() > 1 ? kRoundsInCompany : kRoundsAlone;
  return spinning_.empty() || fruitless_ >= rounds * spinning_.size();
}

// othersHavePaused(): each of the blocks that can go on has had some turns since another one began or ended. Where
// blocks pause often, each new one costs stacks.
bool Worker::othersHavePaused() {
  if (runnable_.empty()) return false;
  const bool areMany = runnable_.size() * runnable_.back()->grid().threadsPerBlock() >= kManyThreads;
  if (pauses_ < (areMany ? kPausesOfMany : kPausesBetweenStarts) * runnable_.size()) return false;
  pauses_ = 0;
  return true;
}

bool Worker::hasOtherWork() const {
  return !runnable_.empty() || !spinning_.empty() || !outside_.empty() || !rests_.empty() ||
         seenNoWork_ != dispatcher_.workEpoch();
}

bool Worker::hasNoBlocks() const {
  return runnable_.empty() && spinning_.empty() && outside_.empty() && rests_.empty();
}

bool Worker::goesBySeed() const { return !dispatcher_.policy().inOrder(); }

bool Worker::mayContinue() const { return !goesBySeed() && lastEpoch_ == dispatcher_.submissions() && hasNoBlocks(); }

bool Worker::takesNext(const Grid &grid) {
  if (!isFreeNext_ || goesBySeed() || (guestOf_ != nullptr && !grid.standsBefore(*guestOf_))) return false;
  isFreeNext_ = false;
  return true;
}

bool Worker::divisionsFault() const { return dispatcher_.options().divisionsFault; }

std::string Worker::nameOfAddress(uint64_t address, int64_t deviceDelta) const {
  const auto name = dispatcher_.options().nameOfAddress;
  return name != nullptr ? name(address, deviceDelta) : "";
}

bool Worker::runsWholeBlocks() const { return dispatcher_.options().wholeBlocks; }

unsigned Worker::company() const { return std::max(dispatcher_.activeWorkers(), 1u); }

// keepRest() puts what the block has drawn and not begun aside, so that it begins even if the block does not end soon.
void Worker::keepRest(Block &block) {
  const PositionRange rest = block.takeRest();
  if (!rest.empty() && !block.grid().stopped()) rests_.push_back({block.gridPointer(), rest});
}

// startRest() begins a block of a rest, if its grid has residency for one more; null if there is none.
Block *Worker::startRest() {
  std::erase_if(rests_, [](const Rest &rest) { return rest.grid->stopped(); });
  for (const Rest &rest : rests_)
    if (rest.grid->takeToken()) return continueRest(rest.grid);
  return nullptr;
}

bool Worker::hasRest(const std::shared_ptr<Grid> &grid) const {
  return std::ranges::any_of(rests_, [&](const Rest &rest) { return rest.grid == grid; });
}

// continueRest() begins the next block of the grid's rest, which the caller's token is for; null if it cannot begin,
// which has stopped the grid and used the token up. pre: hasRest(grid).
Block *Worker::continueRest(const std::shared_ptr<Grid> &grid) {
  const auto found = std::ranges::find_if(rests_, [&](const Rest &rest) { return rest.grid == grid; });
  Rest rest = std::move(*found);
  rests_.erase(found);
  const uint64_t position = rest.positions.next++;
  Block *block = startOn(std::move(rest.grid), position);
  if (block != nullptr) block->giveRest(rest.positions);
  return block;
}

Block *Worker::startBlock() {
  if (!rests_.empty())
    if (Block *block = startRest(); block != nullptr) return block;
  if (claimsNothing()) return nullptr;
  const uint64_t epoch = dispatcher_.workEpoch();
  std::shared_ptr<Grid> grid;
  uint64_t position = 0;
  lastEpoch_ = dispatcher_.submissions();
  if (goesBySeed()) {
    if (claimBegun(grid, position)) return startOn(std::move(grid), position);
    if (!runnable_.empty() && ++refusals_ < kMostRefusals) return nullptr;
    refusals_ = 0;
  }
  if (!dispatcher_.claim(grid, position)) {
    seenNoWork_ = epoch;
    return nullptr;
  }
  if (goesBySeed()) begun_.push_back(grid);
  return startOn(std::move(grid), position);
}

// claimBegun() takes a block of a grid that has begun, of the first one first. When other grids come depends on what
// else the machine does: by a seed they begin when nothing else gets on.
bool Worker::claimBegun(std::shared_ptr<Grid> &grid, uint64_t &position) {
  std::erase_if(begun_, [](const std::shared_ptr<Grid> &each) { return each->exhausted(); });
  const auto found = std::ranges::find_if(
      begun_, [&](const std::shared_ptr<Grid> &each) { return dispatcher_.claimOf(*each, position); });
  if (found == begun_.end()) return false;
  grid = *found;
  return true;
}

// startNext() begins the grid that giveNext() has brought, which nobody else knows of; null if it cannot begin.
Block *Worker::startNext() {
  std::shared_ptr<Grid> grid = std::exchange(next_, nullptr);
  uint64_t position = 0;
  if (grid->takeToken() && grid->nextPosition(position)) return startOn(std::move(grid), position);
  dispatcher_.release(grid);  // it was stopped
  return nullptr;
}

// startOn() makes the blocks of the cluster at this position of the launch order resident and returns the first. The
// caller holds a token for it, which the cluster takes over.
Block *Worker::startOn(std::shared_ptr<Grid> grid, uint64_t position) {
  const GridRequest &request = grid->request();
  goings_ = 0;
  const uint32_t size = grid->blocksPerCluster();
  const size_t bytes = clusterStride(request);
  char *shared = sharedMemory_.take(bytes * size, request.sharedAlignment);
  if (shared == nullptr) {
    dispatcher_.stop(grid, outOfMemory(*grid, "no memory for a block's shared memory"));
    dispatcher_.release(grid);
    return nullptr;
  }
  const uint64_t index =
      dispatcher_.policy().blockAt(grid->origin(), position, grid->clusterCount(), grid->residentClusters());
  Cluster *cluster = size > 1 ? takeCluster() : nullptr;
  if (cluster != nullptr) cluster->begin(bytes);
  Block *first = nullptr;
  for (uint32_t rank = 0; rank < size; ++rank) {
    Block *block = takeBlock();
    const uint64_t linear = cluster != nullptr ? grid->blockOfCluster(index, rank) : index;
    block->begin(grid, linear, fibersFor(request.stackBytes), dispatcher_.policy(), shared + rank * bytes, cluster);
    if (first == nullptr)
      first = block;
    else
      runnable_.push_back(block);
  }
  return first;
}

Block *Worker::takeBlock() {
  if (freeBlocks_.empty()) return blocks_.emplace_back(std::make_unique<Block>(*this)).get();
  Block *block = freeBlocks_.back();
  freeBlocks_.pop_back();
  return block;
}

Cluster *Worker::takeCluster() {
  if (freeClusters_.empty()) return clusters_.emplace_back(std::make_unique<Cluster>()).get();
  Cluster *cluster = freeClusters_.back();
  freeClusters_.pop_back();
  return cluster;
}

BlockStop Worker::runToStop(Block &block) {
  for (;;) {
    const BlockStop stop = block.run();
    if (stop == BlockStop::Refused)
      block.restartByThreads();
    else if (stop != BlockStop::NeedFiber)
      return stop;
    else if (!block.addFiber())
      return BlockStop::NoStack;
  }
}

// findFaultingThread() finds out which thread of a block has faulted that ran by its block entry. The block runs again
// for that, one thread at a time, in a forked copy of the process: what the second run writes, or adds, to memory that
// the host reads after the failure must not be seen.
void Worker::findFaultingThread(Block &block) {
  pending_.fiber = nullptr;
  const auto found = runInCopy([&] { return faultByThreads(block); });
  if (!found) return;
  pending_ = faultOfText(*found);
}

// faultByThreads() is what runs in the copy: the fault as text, or nothing where no thread has one. Where lanes of a
// warp wait for each other the threads tell more than the block function could: who waits where.
std::string Worker::faultByThreads(Block &block) {
  pending_ = {};
  syncObserver = nullptr;  // it has seen what the threads do
  block.restartByThreads();
  BlockStop stop = runToStop(block);
  // The other blocks have come there before.
  for (; stop == BlockStop::AtGrid; stop = runToStop(block)) block.passGrid();
  if (stop == BlockStop::Deadlock) {
    GridOutcome deadlock = describeDeadlock(block);
    pending_ = {};
    pending_.fault = deadlock.fault;
    pending_.what = std::move(deadlock.diagnosis);
    return textOf(pending_);
  }
  if (stop != BlockStop::Faulted || pending_.fiber == nullptr) return "";
  pending_.thread = describeThread(pending_.fiber->thread);
  return textOf(pending_);
}

void Worker::runBlock(Block *block) {
  while (block != nullptr) {
    runningGrid_.store(&block->grid(), std::memory_order_relaxed);
    const BlockStop stop = runToStop(*block);
    if (stop == BlockStop::Faulted && block->ranWhole()) findFaultingThread(*block);
    runningGrid_.store(nullptr, std::memory_order_relaxed);
    keepRest(*block);
    if (stop != BlockStop::Finished) return settle(block, stop);
    finish(block);
    block = nullptr;
    // The token of the finished block serves the next one of the same grid, as long as nobody else shall come first.
    uint64_t position = 0;
    std::shared_ptr<Grid> grid = std::move(continuing_);
    if (grid == nullptr) return;
    if (hasRest(grid)) {
      block = continueRest(grid);
      continue;
    }
    if (mayContinue() && grid->nextPosition(position)) {
      block = startOn(std::move(grid), position);
      continue;
    }
    isFreeNext_ = hasNoBlocks();
    dispatcher_.release(grid);
    isFreeNext_ = false;
    if (next_ != nullptr) block = startNext();
  }
}

void Worker::settle(Block *block, BlockStop stop) {
  if (block->progressed() || (stop == BlockStop::Preempted && !block->hasSpun())) {
    hasGotOn_ = true;
    countGoing(block->hasSpun() ? kGoingsOfSpins : 1);
  }
  if (block->progressed()) {
    // Threads that have spun may still get on: they are not kept waiting, but others begin beside them.
    if (!block->hasSpun()) fruitless_ = 0;
    backOffLevel_ = 0;
  }
  switch (stop) {
    case BlockStop::Preempted:
      if (!block->hasSpun()) {
        paused_ = true;
        ++pauses_;
        return runnable_.push_back(block);
      }
      [[fallthrough]];
    case BlockStop::Spinning:
      ++fruitless_;
      return spinning_.push_back(block);
    case BlockStop::AtGrid:
      outside_.push_back(block);
      seenReleases_ = ~uint64_t{0};  // the barrier may have opened in between
      if (block->grid().barrierBroken() && !block->grid().stopped()) failBlock(block, stop);
      return;
    case BlockStop::AtCluster:
      outside_.push_back(block);
      block->parkAtCluster();
      lookAtWaitingBlocks();  // the grid may have been stopped in between
      if (block->cluster().isStuck()) failBlock(block, stop);
      return;
    case BlockStop::Stopped:
      reportStopped(block);
      return drop(block);
    default:
      failBlock(block, stop);
      return drop(block);
  }
}

void Worker::failBlock(Block *block, BlockStop stop) {
  GridOutcome outcome;
  switch (stop) {
    case BlockStop::Faulted:
      outcome = describeFault(*block, pending_);
      break;
    case BlockStop::NoStack:
      outcome = outOfMemory(block->grid(), "no memory for the stack of another waiting thread");
      break;
    default:
      outcome = describeDeadlock(*block);
      hw_debugger_fault(static_cast<uint32_t>(outcome.fault), outcome.diagnosis.c_str());
      break;
  }
  pending_ = {};
  dispatcher_.stop(block->gridPointer(), std::move(outcome));
}

// reportStopped() adds what this block was doing when its grid ran out of time.
void Worker::reportStopped(Block *block) {
  if (block->grid().fault() == Fault::Timeout)
    block->grid().addDetail(Fault::Timeout, describeProgress(*block, pending_));
  pending_ = {};
}

void Worker::finish(Block *block) {
  block->grid().blockEnded(block->linear());
  block->trigger();
  if (block->grid().barrierBroken()) dispatcher_.announceRelease();
  hasGotOn_ = true;
  fruitless_ = 0;
  pauses_ = 0;
  backOffLevel_ = 0;
  std::shared_ptr<Grid> grid = block->gridPointer();
  if (recycle(block)) continuing_ = std::move(grid);
}

// drop() takes a block of a stopped grid out of the way.
void Worker::drop(Block *block) {
  const std::shared_ptr<Grid> grid = block->gridPointer();
  block->discard();
  fruitless_ = 0;
  if (recycle(block)) dispatcher_.release(grid);
}

// recycle() takes a block back that is over; true when that makes its token free. Blocks of a cluster, and their shared
// memory, stay until the last of them is over, because the others may still reach into it.
bool Worker::recycle(Block *block) {
  Cluster &cluster = block->cluster();
  if (!cluster.blockEnded()) return false;
  const GridRequest &request = block->grid().request();
  Block *first = cluster.blocks().front();
  const size_t size = cluster.blocks().size();
  sharedMemory_.giveBack(first->sharedMemory(), clusterStride(request) * size, request.sharedAlignment);
  if (size > 1) freeClusters_.push_back(&cluster);
  for (Block *each : cluster.blocks()) {
    each->end();
    freeBlocks_.push_back(each);
  }
  return true;
}

// tellOfVainLooks() has others take their turns where all that has begun spins, or waits for what is outside, and there
// is nothing to begin; false where a look more is worth no more than the last one.
bool Worker::tellOfVainLooks() {
  Pacer *const pacer = dispatcher_.options().pacer;
  if (pacer == nullptr) return false;
  if (std::exchange(hasGotOn_, false) || !runnable_.empty() || seenNoWork_ != dispatcher_.workEpoch()) return true;
  return pacer->looksInVain();
}

// countGoing() is for turns that get on.
void Worker::countGoing(size_t count) {
  goings_ += count;
  Pacer *const pacer = dispatcher_.options().pacer;
  if (goings_ < kManyGoings || pacer == nullptr) return;
  goings_ = 0;
  pacer->goesOnForLong();
}

// countVainRound(): who waits for a lock cannot be told from who waits for others, until the lock's holder has had
// time.
void Worker::countVainRound() {
  if (!hasGotOn_ && ++roundsOfLook_ < kRoundsOfLook) return;
  roundsOfLook_ = 0;
  tellOfVainLooks();
}

void Worker::backOff() {
  if (dispatcher_.options().pacer != nullptr) return countVainRound();
  const unsigned level = backOffLevel_++;
  if (level < kPauseLevels) return cpuPause();
  const unsigned doublings = std::min(level - kPauseLevels, 10u);
  dispatcher_.waitForEvent(std::min(kShortestSleep * (1 << doublings), kLongestSleep));
}

void Worker::announceGridRelease() {
  seenReleases_ = ~uint64_t{0};
  dispatcher_.announceRelease();
}

FiberPool &Worker::fibersFor(size_t stackBytes) {
  const size_t usable = StackPool::usableBytes(stackBytes);
  for (const auto &pool : fiberPools_)
    if (pool->stackBytes() == usable) return *pool;
  return *fiberPools_.emplace_back(std::make_unique<FiberPool>(dispatcher_.stacks(), usable));
}

size_t Worker::fibersOut() const {
  size_t out = 0;
  for (const auto &pool : fiberPools_) out += pool->fibersOut();
  return out;
}

}  // namespace hostwarp::fibers
