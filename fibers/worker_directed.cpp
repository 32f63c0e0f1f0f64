// A worker whose blocks a director chooses among.
#include <algorithm>
#include <chrono>
#include <utility>

#include "fibers/diagnosis.h"
#include "fibers/dispatcher.h"
#include "fibers/worker.h"

namespace hostwarp::fibers {
namespace {

// So many threads are resident at a time, in whole blocks, if more are not needed to get on.
constexpr uint64_t kWindow = 16384;
// How often threads that wait for memory to change look again in vain, and how long that may take, before it is called
// a deadlock: the host might change it.
constexpr uint64_t kVainRounds = 1000;
constexpr std::chrono::seconds kVainTime{1};
constexpr size_t kBlocksTold = 4;

}  // namespace

bool Worker::stepDirected() {
  dropStopped();
  if (residents_.empty() && !admitGrid()) return false;
  while (residentThreads() < kWindow && admitNext()) {
  }
  for (Block *block : residents_) block->releaseFromGrid();
  if (Block *block = director()->choose(residents_); block != nullptr)
    runDirected(block);
  else
    getUnstuck();
  return true;
}

void Worker::dropStopped() {
  for (size_t i = 0; i < residents_.size();) {
    Block *block = residents_[i];
    if (!block->grid().stopped()) {
      ++i;
      continue;
    }
    const std::shared_ptr<Grid> grid = block->gridPointer();
    residents_.erase(residents_.begin() + static_cast<ptrdiff_t>(i));
    reportStopped(block);
    noteEnd(*grid);
    drop(block);
  }
}

// noteEnd() tells the director of the grid's end, if nothing is left of it.
void Worker::noteEnd(const Grid &grid) {
  if (grid.exhausted() && std::ranges::none_of(residents_, [&](Block *each) { return &each->grid() == &grid; }))
    director()->launchEnds(grid.launch());
}

uint64_t Worker::residentThreads() const {
  uint64_t threads = 0;
  for (const Block *block : residents_) threads += block->grid().threadsPerBlock();
  return threads;
}

// admit() makes the blocks of the cluster resident, for which the caller holds a token.
void Worker::admit(const std::shared_ptr<Grid> &grid, uint64_t position) {
  Block *first = startOn(grid, position);
  if (first == nullptr) return;
  residents_.push_back(first);
  residents_.insert(residents_.end(), runnable_.begin(), runnable_.end());
  runnable_.clear();
}

// admitGrid() begins another grid; false when there is none.
bool Worker::admitGrid() {
  const uint64_t epoch = dispatcher_.workEpoch();
  std::shared_ptr<Grid> grid;
  uint64_t position = 0;
  if (!dispatcher_.claim(grid, position)) {
    seenNoWork_ = epoch;
    return false;
  }
  director()->launchBegins(grid->launch(), grid->request().kernelName);
  admit(grid, position);
  return true;
}

// admitNext() begins more of the grid that has been here longest; false when it has no more that may be resident.
bool Worker::admitNext() {
  if (residents_.empty()) return false;
  const std::shared_ptr<Grid> grid = residents_.front()->gridPointer();
  if (grid->request().serialBlocks || grid->exhausted() || !grid->takeToken()) return false;
  uint64_t position = 0;
  if (!grid->nextPosition(position)) {
    grid->dropToken();
    return false;
  }
  admit(grid, position);
  return true;
}

void Worker::runDirected(Block *block) {
  countGoing(1);
  if (director()->progress() != seenProgress_) {
    seenProgress_ = director()->progress();
    if (std::exchange(vainRounds_, 0) != 0) director()->gaveUp();
    hasGotOn_ = true;
    backOffLevel_ = 0;
  }
  runningGrid_.store(&block->grid(), std::memory_order_relaxed);
  const BlockStop stop = runToStop(*block);
  runningGrid_.store(nullptr, std::memory_order_relaxed);
  switch (stop) {
    case BlockStop::AtChoice:
    case BlockStop::AtGrid:
    case BlockStop::AtCluster:
    case BlockStop::Stopped:  // dropStopped() sees to it
      return;
    case BlockStop::Finished:
      break;
    default:
      return failBlock(block, stop);
  }
  std::erase(residents_, block);
  const std::shared_ptr<Grid> grid = block->gridPointer();
  noteEnd(*grid);
  finish(block);
  if (continuing_ != nullptr) dispatcher_.release(std::exchange(continuing_, nullptr));
}

// getUnstuck() finds somebody who can go on once no thread can by itself.
void Worker::getUnstuck() {
  bool isResolved = false;
  for (Block *block : residents_) isResolved |= block->resolveSoft();
  if (isResolved) return;
  if (admitNext()) return director()->leavesOut();
  for (Block *block : residents_) {
    const bool isBroken = block->whyStuck() == BlockStop::AtGrid && block->grid().barrierBroken();
    if (isBroken || block->cluster().isStuck()) return failBlock(block, block->whyStuck());
  }
  if (seenNoWork_ != dispatcher_.workEpoch() && admitGrid()) return;
  waitInVain();
}

// failAll() ends the grid that has been here longest: all of its threads wait, in as many blocks as are told of.
void Worker::failAll() {
  const std::shared_ptr<Grid> grid = residents_.front()->gridPointer();
  GridOutcome outcome = describeDeadlock(*residents_.front());
  for (size_t i = 1; i < std::min(residents_.size(), kBlocksTold); ++i) {
    if (&residents_[i]->grid() != grid.get()) continue;
    const std::string lines = describeDeadlock(*residents_[i]).diagnosis;
    outcome.diagnosis += lines.substr(std::min(lines.find('\n'), lines.size() - 1) + 1);
  }
  dispatcher_.stop(grid, std::move(outcome));
}

void Worker::waitInVain() {
  if (tellOfVainLooks()) return director()->releaseBlind(residents_);
  const auto now = Grid::Clock::now();
  if (vainRounds_++ == 0) vainSince_ = now;
  if (vainRounds_ > kVainRounds && now - vainSince_ > kVainTime) {
    vainRounds_ = 0;
    return failAll();
  }
  director()->releaseAll(residents_);
  if (dispatcher_.options().pacer == nullptr) backOff();
}

}  // namespace hostwarp::fibers
