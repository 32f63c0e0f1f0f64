// A grid in flight: which blocks are left, who holds some, how it ends.
#ifndef HOSTWARP_FIBERS_GRID_H
#define HOSTWARP_FIBERS_GRID_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "fibers/engine.h"
#include "fibers/mutex.h"

namespace hostwarp::fibers {

// Grid is shared by the workers that run its blocks. Thread-safe. A worker that wants to run a block takes a residency
// token first; whoever gives the last token back when nothing is left to start completes the grid.
class Grid {
 public:
  using Done = std::function<void(const GridOutcome &)>;
  using Clock = std::chrono::steady_clock;

  Grid(const GridRequest &request, uint64_t launch, Done done);

  const GridRequest &request() const { return request_; }
  uint64_t launch() const { return launch_; }  // ordinal of the submission
  // origin() is what random schedules draw from.
  uint64_t origin() const { return request_.origin != 0 ? request_.origin : launch_; }
  uint64_t blockCount() const { return blockCount_; }
  // A cluster starts as a whole. A grid without clusters has clusters of one block.
  uint32_t blocksPerCluster() const { return request_.cluster.x * request_.cluster.y * request_.cluster.z; }
  uint64_t clusterCount() const { return clusterCount_; }
  // blockOfCluster() is the linear index of the block of this rank.
  uint64_t blockOfCluster(uint64_t cluster, uint32_t rank) const;
  uint32_t threadsPerBlock() const { return request_.block.x * request_.block.y * request_.block.z; }
  hw_dim3 blockIndex(uint64_t linear) const;
  // standsBefore() tells that who waits for `last` may run blocks of this grid.
  bool standsBefore(const Place &last) const {
    return request_.place.queue == last.queue && request_.place.number <= last.number && !request_.mayBlock;
  }
  // workspace() is memory for code of the grid that synchronises blocks by itself, see HW_SREG_GRID_WORKSPACE.
  void *workspace() { return workspace_; }

  // takeToken() reserves residency for one cluster; false at the limit.
  [[nodiscard]] bool takeToken();
  // releaseToken() gives it back; true when that ended the grid: the caller must call complete().
  [[nodiscard]] bool releaseToken();
  // dropToken() undoes takeToken() without a look at the end of the grid.
  void dropToken() { residents_.fetch_sub(1); }
  // nextPosition() draws the next cluster in launch order; false when there is none. pre: a token is held.
  [[nodiscard]] bool nextPosition(uint64_t &position) { return nextPositions(position, 1) != 0; }
  // nextPositions() draws up to `wanted` clusters in a row, from `first` on, and returns how many it has drawn. The
  // caller starts all of them before it releases its token, unless the grid is stopped.
  [[nodiscard]] uint32_t nextPositions(uint64_t &first, uint32_t wanted);
  // left() is how many clusters have not been drawn yet; other workers may draw some meanwhile.
  uint64_t left() const {
    const uint64_t drawn = nextCluster_.load(std::memory_order_relaxed);
    return drawn < clusterCount_ ? clusterCount_ - drawn : 0;
  }
  // exhausted() tells that no block is left to start.
  bool exhausted() const { return stopped() || nextCluster_.load(std::memory_order_relaxed) >= clusterCount_; }
  uint32_t residents() const { return residents_.load(std::memory_order_relaxed); }
  // residentClusters() is how many clusters can be resident at a time.
  uint32_t residentClusters() const { return residentLimit_; }

  // fail() stops the grid with this outcome unless it has one already; true for the first caller.
  bool fail(GridOutcome outcome);
  // addDetail() appends lines to the diagnosis of a stopped grid, a few times at most.
  void addDetail(Fault onlyFor, const std::string &lines);
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  Fault fault() const;
  void complete();

  // The grid barrier, counted in blocks. arriveBlock() is called when all live threads of a block wait at it, and is
  // true when that releases everyone; blockEnded() when a block has run to its end.
  bool arriveBlock();
  void blockEnded(uint64_t linear);
  // blocksEndUnnoticed() tells that the end of a single block matters neither to barriers nor to a cluster.
  bool blocksEndUnnoticed() const { return !request_.cooperative && clusterCount_ == blockCount_; }
  // blocksTriggered() counts each block once that has triggered dependents or ended. pre: the request asks for it.
  void blocksTriggered(uint32_t count);
  uint64_t barrierPhase() const { return phase_.load(std::memory_order_acquire); }
  // barrierBroken() tells that some blocks wait at the barrier while all others have exited, so nobody can come.
  bool barrierBroken() const { return barrierBroken_.load(std::memory_order_acquire); }
  std::string describeMissingBlocks() const;

  // findCode() notes where the kernel's code lies (its executable or shared object), for mayInterruptAt(). Not for
  // signal handlers; mayInterruptAt() is for them: true where abandoning a thread leaves no lock of a library held.
  // After many attempts it is true anywhere.
  void findCode();
  bool mayInterruptAt(uintptr_t address) const;

  // noteForm() is told how a block runs, for the outcome.
  void noteForm(bool whole) { (whole ? wholeBlocks_ : singleThreads_).store(true, std::memory_order_relaxed); }

  Clock::time_point started() const { return Clock::time_point(Clock::duration(startTick_.load())); }
  // progress() is how far the grid has come; empty before its first block and after its last.
  std::optional<GridProgress> progress() const;
  bool hasStarted() const { return startTick_.load() != 0; }

 private:
  friend struct DebuggerView;

  void checkBarrierLocked() HOSTWARP_REQUIRES(mutex_);

  const GridRequest request_;
  const uint64_t launch_;
  const uint64_t blockCount_;
  const uint64_t clusterCount_;
  const uint32_t residentLimit_;
  Done done_;

  alignas(64) char workspace_[64] = {};

  std::atomic<uint64_t> nextCluster_{0};
  std::atomic<uint64_t> triggeredBlocks_{0};
  std::atomic<uint32_t> residents_{0};
  std::atomic<bool> stopped_{false};
  std::atomic<bool> completed_{false};
  std::atomic<bool> wholeBlocks_{false};
  std::atomic<bool> singleThreads_{false};
  std::atomic<Clock::rep> startTick_{0};

  mutable Mutex mutex_;
  GridOutcome outcome_ HOSTWARP_GUARDED_BY(mutex_);
  bool reported_ HOSTWARP_GUARDED_BY(mutex_) = false;  // done_ is being called, what the request points at may go
  int details_ HOSTWARP_GUARDED_BY(mutex_) = 0;
  uint64_t arrivedBlocks_ HOSTWARP_GUARDED_BY(mutex_) = 0;
  uint64_t endedBlocks_ HOSTWARP_GUARDED_BY(mutex_) = 0;  // cooperative grids only
  std::vector<bool> ended_ HOSTWARP_GUARDED_BY(mutex_);   // cooperative grids only
  std::atomic<uint64_t> phase_{0};
  std::atomic<bool> barrierBroken_{false};
  std::atomic<uintptr_t> codeLow_{0};
  std::atomic<uintptr_t> codeHigh_{0};
  std::atomic<unsigned> interrupts_{0};
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_GRID_H
