// The dispatcher: all grids in flight, and the workers that take blocks from them.
#ifndef HOSTWARP_FIBERS_DISPATCHER_H
#define HOSTWARP_FIBERS_DISPATCHER_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "fibers/director.h"
#include "fibers/engine.h"
#include "fibers/grid.h"
#include "fibers/mutex.h"
#include "fibers/schedule_policy.h"
#include "fibers/stack_pool.h"
#include "fibers/watchdog.h"

namespace hostwarp::fibers {

class Worker;

// Dispatcher is the engine's shared state. Thread-safe.
class Dispatcher {
 public:
  explicit Dispatcher(const EngineOptions &options);
  ~Dispatcher();  // waits for all grids and workers

  void submit(const GridRequest &request, Grid::Done done);
  // help() is Engine::help(). pre: not on a worker.
  void help(const Place &last, const std::function<bool()> &over);
  void cancelAll();

  const EngineOptions &options() const { return options_; }
  const SchedulePolicy &policy() const { return *policy_; }
  // director() serves the only worker; null without EngineOptions::schedule.
  Director *director() const { return director_.get(); }
  StackPool &stacks() { return stacks_; }
  size_t fibersOut() const;

  // --- For workers ---
  // claim() takes a residency token and a block from the first grid that has one to start. It may complete grids that
  // were stopped before they began. Returns false when there is nothing.
  [[nodiscard]] bool claim(std::shared_ptr<Grid> &grid, uint64_t &position);
  // claimOf() does so with this one.
  [[nodiscard]] bool claimOf(Grid &grid, uint64_t &position);
  // release() gives a block's token back and completes the grid with it if that was the last.
  void release(const std::shared_ptr<Grid> &grid);
  // workEpoch() changes whenever a claim() that failed may succeed.
  uint64_t workEpoch() const { return workEpoch_.load(std::memory_order_acquire); }
  // submissions() counts submit() calls: while it stands still no grid of a higher priority has come.
  uint64_t submissions() const { return submissions_.load(std::memory_order_relaxed); }
  // releases() changes whenever a grid barrier has opened or a grid was stopped.
  uint64_t releases() const { return releases_.load(std::memory_order_acquire); }
  void announceRelease();
  void announceWork();
  // stop() ends a grid with this outcome: its blocks are dropped by their workers as soon as possible.
  bool stop(const std::shared_ptr<Grid> &grid, GridOutcome outcome);
  // waitForEvent() blocks until something changes, for at most `limit`.
  void waitForEvent(std::chrono::microseconds limit);
  unsigned activeWorkers() const { return active_.load(std::memory_order_relaxed); }

  // --- For the watchdog ---
  std::vector<std::shared_ptr<Grid>> gridsInFlight() const;
  // prod() signals the workers that run a block of this stopped grid.
  void prod(Grid &grid);

 private:
  friend struct DebuggerView;

  class Binding;
  void serve();
  [[nodiscard]] bool search(uint64_t epoch);
  [[nodiscard]] bool claimFor(const Place &last, std::shared_ptr<Grid> &grid, uint64_t &position);
  unsigned wantedFor(const Grid &grid) const;
  void launchWorkersLocked(unsigned wanted) HOSTWARP_REQUIRES(mutex_);
  [[nodiscard]] bool callWorkersLocked(unsigned wanted) HOSTWARP_REQUIRES(mutex_);
  void complete(const std::shared_ptr<Grid> &grid);
  bool tryClaimLocked(Grid &grid, uint64_t &position) HOSTWARP_REQUIRES(mutex_);

  const EngineOptions options_;
  const std::unique_ptr<SchedulePolicy> policy_;
  const std::unique_ptr<Director> director_;
  StackPool stacks_;

  mutable Mutex mutex_;
  Condition changed_;  // events for sleeping workers
  Condition quiet_;    // inFlight_ or active_ fell
  Condition rest_;     // calls_ or ends_
  // Grids with blocks to start, by priority and order of submission.
  std::vector<std::shared_ptr<Grid>> open_ HOSTWARP_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<Grid>> inFlight_ HOSTWARP_GUARDED_BY(mutex_);  // grids not completed
  std::vector<std::unique_ptr<Worker>> workers_;                             // all there will be, from the start
  std::vector<Worker *> freeWorkers_ HOSTWARP_GUARDED_BY(mutex_);
  unsigned launched_ HOSTWARP_GUARDED_BY(mutex_) = 0;  // threads of workers started and not ended
  unsigned calls_ HOSTWARP_GUARDED_BY(mutex_) = 0;     // to those that rest, at most as many as do
  bool ends_ HOSTWARP_GUARDED_BY(mutex_) = false;      // nothing will be submitted any more

  std::atomic<unsigned> sleeping_{0};  // workers inside waitForEvent()
  std::atomic<unsigned> active_{0};
  std::atomic<unsigned> searching_{0};  // threads of workers that look for work
  std::atomic<unsigned> resting_{0};    // those of them that sleep
  std::atomic<uint64_t> workEpoch_{0};
  std::atomic<uint64_t> submissions_{0};
  std::atomic<uint64_t> releases_{0};
  std::atomic<uint64_t> launches_{0};
  std::atomic<bool> serialHeld_{false};  // a block of a serialBlocks grid is resident

  Watchdog watchdog_;
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_DISPATCHER_H
