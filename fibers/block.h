// A resident block: its threads, barriers and warps, and which thread runs next.
#ifndef HOSTWARP_FIBERS_BLOCK_H
#define HOSTWARP_FIBERS_BLOCK_H

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fibers/aligned_buffer.h"
#include "fibers/cluster.h"
#include "fibers/director.h"
#include "fibers/fiber.h"
#include "fibers/grid.h"
#include "fibers/schedule_policy.h"
#include "fibers/warp.h"

namespace hostwarp::fibers {

class Worker;

// PositionRange is some positions in a grid's launch order.
struct PositionRange {
  uint64_t next = 0, end = 0;
  bool empty() const { return next == end; }
};

// Barrier is one of the block's named barriers.
struct Barrier {
  uint32_t arrived = 0;
  uint32_t count = 0;    // 0: all live threads
  uint32_t holding = 0;  // how many of the arrived threads had a true predicate
  FiberQueue waiters;
};

// Tile is a piece of a block of 2, 4, 8, 16 or 32 warps. The tiles of all sizes have one numbering: the 16 of two warps
// first, the one of 32 warps last.
struct Tile {
  static constexpr uint32_t kCount = 16 + 8 + 4 + 2 + 1;

  uint32_t firstWarp, warps;

  // of() is the tile of that many threads, a power of two from 64 to 1024, that the warp lies in.
  static Tile of(uint32_t threads, uint32_t warp) { return {warp & ~(threads / 32 - 1), threads / 32}; }
  static Tile numbered(uint32_t number) {
    const uint32_t warps = 32u >> (31 - std::countl_zero(31 - number));
    return {(number - (32 - 64 / warps)) * warps, warps};
  }
  uint32_t number() const { return 32 - 64 / warps + firstWarp / warps; }
};

// BlockStop is why a block gave control back to its worker.
enum class BlockStop : uint8_t {
  Finished,   // every thread has exited
  Spinning,   // all that is left to run are threads that spin, and each has had its turn, or several with meetings
              // between
  AtGrid,     // every live thread waits at the grid barrier
  AtCluster,  // the threads that are left wait, some of them at the cluster barrier
  Deadlock,   // every live thread waits inside of the block
  Stopped,    // the grid was stopped
  Faulted,    // the running thread ended the grid; the worker knows why
  Refused,    // the block entry leaves the block to its threads: restartByThreads() and run() again
  Preempted,  // others of this worker shall have a turn
  AtChoice,   // the director chooses who goes on, here or in another block
  NeedFiber,  // another thread could begin, but no fiber is idle: addFiber() and run() again
  NoStack,    // no memory for another fiber
};

// Block lives on one worker from its first thread to its last, and is recycled afterwards. Only that worker's OS thread
// may touch it, so there are no locks inside.
class Block {
 public:
  static constexpr uint32_t kBarriers = 16;
  static constexpr uint32_t kNobody = ~uint32_t{0};
  // How often each thread of a block may yield in a turn, whatever it does between, before others have theirs.
  static constexpr size_t kRoundsOfSpins = 2;

  explicit Block(Worker &worker);
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;

  // begin() makes this object the given block, with no thread started yet. `shared` is its shared memory.
  // `cluster` is the one it joins, null for a grid without clusters.
  void begin(std::shared_ptr<Grid> grid, uint64_t linear, FiberPool &fibers, const SchedulePolicy &policy, char *shared,
             Cluster *cluster);
  // run() executes threads until the block finishes or cannot go on. Called on the worker's own context.
  BlockStop run();
  // ranWhole() tells that the block entry runs all threads in loops, so that a fault is no particular thread's.
  bool ranWhole() const { return blockEntry_ != nullptr; }
  // keepsVariableAt() tells whether the address is in the block entry's frame, where the threads' variables are.
  bool keepsVariableAt(const void *address) const { return ranWhole() && frame_.contains(address); }
  // restartByThreads() begins the block again, one thread at a time. pre: it stopped with BlockStop::Faulted or
  // Refused.
  void restartByThreads();
  [[nodiscard]] bool addFiber() { return fibers_->make(); }
  // rest() is the positions that this block has drawn from the grid for a series and not begun yet; giveRest() adds
  // positions that another block has left, takeRest() takes them away.
  PositionRange rest() const { return rest_; }
  void giveRest(PositionRange rest) { rest_ = rest; }
  PositionRange takeRest() { return std::exchange(rest_, {}); }
  // discard() forgets all threads, without unwinding, and returns their fibers.
  void discard();
  // end() drops what the block holds; pre: finished or discarded.
  void end();

  Grid &grid() const { return *grid_; }
  const std::shared_ptr<Grid> &gridPointer() const { return grid_; }
  uint64_t linear() const { return linear_; }
  Cluster &cluster() const { return *cluster_; }
  const hw_thread &prototype() const { return prototype_; }
  uint32_t liveThreads() const { return live_; }
  Worker &worker() const { return worker_; }
  char *sharedMemory() const { return shared_; }
  // progressed() tells whether anything but spinning happened in the last run(), hasSpun() whether threads have yielded
  // and none has begun or ended since: then it may all be waiting together.
  bool progressed() const { return progressed_; }
  bool hasSpun() const { return hasSpun_; }
  // noteProgress(): something other than spinning has happened.
  void noteProgress() {
    spinsInRow_ = 0;
    progressed_ = true;
  }

  // --- What the device ABI calls, on a running fiber of this block ---
  void barrierWait(Fiber *self, uint32_t id, uint32_t count, uint8_t operation, bool predicate, const void *site);
  void barrierArrive(Fiber *self, uint32_t id, uint32_t count);
  // meet() blocks until the lanes of `mask` have come to the same collective; results are in the fiber.
  void meet(Fiber *self, uint32_t mask, Collective collective, const void *site);
  // meetTile() blocks until the live ones of the tile's `threads` threads have come; then the last runs `work`.
  void meetTile(Fiber *self, uint32_t threads, const void *site);
  void gridArrive(Fiber *self);
  void gridWait(Fiber *self, const void *site);
  void clusterArrive(Fiber *self);
  void clusterWait(Fiber *self, const void *site);
  // syncGrid() and syncCluster() arrive there for all of the block's threads, and wait. pre: ranWhole().
  void syncGrid(Fiber *self, const void *site);
  void syncCluster(Fiber *self, const void *site);
  // arrivals() is how many threads have arrived at a barrier without waiting, while the block runs whole.
  uint32_t &arrivals(uint32_t barrier) { return barriers_[barrier].arrived; }
  void yield(Fiber *self, const void *site);
  // trigger() tells the grid, once, that this block has triggered dependents or ended, and so have those before it in
  // its series.
  void trigger();
  [[noreturn]] void exitThread(Fiber *self);
  // leave() abandons the running thread and tells the worker why. pre: on a fiber of this block.
  [[noreturn]] void leave(BlockStop why);
  void *sharedObject(const hw_shared_object *object);
  // noteLookAtOrder(): a thread has asked for what depends on the schedule.
  void noteLookAtOrder() const {
    if (observed_ != nullptr) syncObserver->looksAtOrder(observed_);
    if (director_ != nullptr) director_->looksAtOrder();
  }
  // countedTime() goes on by 1000 with each look that a thread of the block takes, by more the more looks there were:
  // each of many threads may wait for some time to pass. It starts later in later grids.
  uint64_t countedTime() {
    countedTime_ += 1000 * (1 + looksAtTime_++ / 256);
    return (grid_->request().gridId << 32) + countedTime_;
  }
  // comesTo() has the director choose who goes on before the thread makes the operation. pre: isDirected().
  void comesTo(Fiber *self, const SyncOperation &operation);
  bool isDirected() const { return director_ != nullptr; }

  // --- What fibers and the worker call ---
  void runThreads(Fiber *self);
  void retire(Fiber *self);
  // releaseFromGrid() makes the threads at the grid barrier ready if it has opened; true if so.
  bool releaseFromGrid();
  // passGrid() goes on as if the grid barrier had opened. pre: the block stopped with BlockStop::AtGrid.
  void passGrid();
  // A block with threads at the cluster barrier and nothing to run is parked; once the barrier has opened,
  // leaveCluster() is true, once.
  void parkAtCluster() { atCluster_ = true; }
  bool atCluster() const { return atCluster_; }
  bool leaveCluster() { return std::exchange(clusterOpened_, false); }
  void openClusterBarrier();

  // --- What the director calls ---
  // forEachAble() visits the threads that can go on, with their fibers, null before they begin; true when others wait
  // for memory to change.
  template <typename Visit>
  bool forEachAble(Visit visit) {
    const auto visitFiber = [&](Fiber *fiber) {
      const uint32_t thread = fiber->thread.linearThread;
      visit(fiber, thread, agents_[thread]);
    };
    ready_.forEach(visitFiber);
    spinners_.forEach([&](Fiber *fiber) {
      if (director_->mayGoOn(agents_[fiber->thread.linearThread])) visitFiber(fiber);
    });
    for (uint32_t i = nextThread_; i < threads_; ++i) visit(nullptr, shuffled_[i], agents_[shuffled_[i]]);
    return !spinners_.empty();
  }
  // setNext() says which of them run() goes on with.
  void setNext(Fiber *fiber, uint32_t thread);
  // releaseSpinners() has those that wait for memory look again, or those only of which it is not known for which;
  // true when there are some.
  bool releaseSpinners(bool onlyBlind);
  bool resolveSoft() { return softMeetings_ != 0 && resolveSoftMeetings(); }
  BlockStop whyStuck() const;

  // forEachWaiting() visits every thread that has started and not exited.
  template <typename Visit>
  void forEachWaiting(Visit visit) const {
    for (uint32_t w = 0; w < warpCount_; ++w)
      for (uint32_t lanes = warps_[w].live & warps_[w].started; lanes != 0; lanes &= lanes - 1)
        visit(*warps_[w].lanes[__builtin_ctz(lanes)]);
  }
  const Warp &warp(uint32_t index) const { return warps_[index]; }

 private:
  friend struct DebuggerView;

  bool unstarted() const { return nextThread_ < threads_; }
  void resetThreads();
  void beginObservation();
  void endObservation();
  void runWhole(Fiber *self);
  // becomeNext() ends this block and makes it the grid's next one, if the worker would go on with that anyway: a short
  // block costs less than its way through the worker. pre: it has run whole.
  bool becomeNext();
  // drawSeries() draws the positions of the next blocks: as many as take some microseconds, so that workers do not
  // meet at the grid's counter for each short block, and that neighbours in memory stay with one worker.
  bool drawSeries();
  void beginThread(Fiber *self);
  void placeThread(hw_thread &thread);
  void endThread(Fiber *self);
  void reviewBarriers();
  void reviewWarp(Warp &warp);
  void reviewTiles();
  uint32_t liveThreads(Tile tile) const;
  void completeTile(Tile tile, Fiber *last);
  void releaseBarrier(Barrier &barrier, uint32_t id, Fiber *last);
  void observeBarrier(const Barrier &barrier, uint32_t id, const Fiber *last);
  void observeMeeting(const Warp &warp, const Rendezvous &meeting);
  void completeMeeting(Warp &warp, Rendezvous &meeting, Fiber *last);
  bool resolveSoftMeetings();
  void arriveAtGrid();
  // noteThread(): one has begun or ended.
  void noteThread() {
    yieldsInTurn_ = 0;
    hasSpun_ = false;
    noteProgress();
  }
  // isCircling() tells that threads have met and spun, and met and spun again: a vote on what all wait for is no
  // progress.
  bool isCircling() const { return yieldsInTurn_ > kRoundsOfSpins * live_; }
  bool maySpin() const { return spinsInRow_ <= spinners_.size() && !isCircling(); }
  // suspend() switches away from a fiber that has been queued somewhere, and returns when it runs again.
  void suspend(Fiber *self) {
    Fiber *next = nullptr;
    if (random_ || --patience_ <= 0) [[unlikely]]
      next = choosePatiently();
    else if ((next = ready_.pop()) == nullptr)
      next = choose();
    switchTo(self, next);
  }
  void finishRelease(Fiber *last);
  // choose() gives the fiber to run when no ready one is at hand in the order's fast path; null: back to the worker,
  // stop_ says why.
  Fiber *choose();
  // pickRandom() is chooseRandom() once it is drawn whether the block pauses.
  Fiber *chooseRandom();
  Fiber *pickRandom();
  // choosePatiently() is choose() when the order's fast path does not apply; chooseNext() tries that one first.
  Fiber *choosePatiently();
  Fiber *chooseNext();
  Fiber *chooseAfterPatience();
  // chooseAfterPause() chooses as would have been chosen had the block not stopped for others, or for a fiber.
  Fiber *chooseAfterPause();
  Fiber *stopWith(BlockStop why) {
    stop_ = why;
    return nullptr;
  }
  Fiber *chooseDirected();
  ThreadName nameOf(const Fiber *fiber) const {
    return {grid_->launch(), linear_ * ThreadName::kPerBlock + fiber->thread.linearThread};
  }
  void yieldDirected(Fiber *self, const void *site);
  // tellOfMeeting() tells the director that these have met, and `last`, unless it is null.
  void tellOfMeeting(const FiberQueue &waiters, const Fiber *last) const;
  void tellOfMeeting(const Warp &warp, uint32_t lanes) const;
  void switchTo(Fiber *self, Fiber *next) {
    if (next == self) return;
    hw_current = next != nullptr ? &next->thread : nullptr;
    // Nothing of *this may be touched after the switch: a retired fiber comes back for another block.
    switchContext(self->context, next != nullptr ? next->context : workerContext_);
  }
  void checkStopped() {
    if (grid_->stopped()) [[unlikely]]
      leave(BlockStop::Stopped);
  }

  Worker &worker_;
  Context &workerContext_;
  std::shared_ptr<Grid> grid_;
  const SchedulePolicy *policy_ = nullptr;
  FiberPool *fibers_ = nullptr;
  uint64_t linear_ = 0;
  uint64_t looksAtTime_ = 0, countedTime_ = 0;
  hw_thread prototype_{};  // what all threads of the block have in common
  hw_kernel_entry entry_ = nullptr;
  hw_block_entry blockEntry_ = nullptr;  // null: threads run one by one
  AlignedBuffer frame_;                  // the context arrays of a block entry
  void *const *args_ = nullptr;

  uint32_t threads_ = 0;
  uint32_t live_ = 0;
  uint32_t nextThread_ = 0;
  hw_dim3 nextIndex_{};             // threadIdx of nextThread_, in order
  std::vector<uint32_t> shuffled_;  // threads in the order of their start, random and directed schedules only
  Director *director_ = nullptr;    // null: the block chooses by itself
  std::vector<Agent> agents_;       // by linear thread, directed schedules only
  Fiber *nextFiber_ = nullptr;      // setNext()'s
  uint32_t nextFresh_ = kNobody;
  bool random_ = false;
  bool progressed_ = false;
  bool triggered_ = false;
  uint32_t endedInSeries_ = 0;  // blocks that the grid has not been told of
  PositionRange rest_;
  uint32_t series_ = 1;  // how many positions drawSeries() draws
  Grid::Clock::time_point seriesStarted_{};
  BlockStop stop_ = BlockStop::Finished;
  int32_t patience_ = 0;  // switches until spinners and other blocks get a turn regardless
  int32_t firstBudget_ = 0;
  RandomStream stream_;

  FiberQueue ready_;
  FiberQueue spinners_;
  size_t spinsInRow_ = 0;    // yields since anything else happened
  size_t yieldsInTurn_ = 0;  // yields since the block's turn began or a thread began or ended
  bool hasSpun_ = false;
  bool othersTurn_ = false;  // when patience ends next, other blocks come before this one's spinners
  FiberQueue gridWaiters_;
  uint32_t gridArrived_ = 0;
  uint64_t gridPhase_ = 0;
  uint64_t gridRound_ = 0;  // grid barriers that this block has seen open
  bool arrivedAtGrid_ = false;
  FiberQueue clusterWaiters_;
  bool atCluster_ = false;
  bool clusterOpened_ = false;
  Cluster *cluster_ = nullptr;
  Cluster alone_;  // of a grid without clusters

  uint32_t openBarriers_ = 0;  // bit per barrier with arrivals
  uint32_t softMeetings_ = 0;
  Barrier barriers_[kBarriers];
  uint32_t openTiles_ = 0;  // bit per tile with arrivals
  uint32_t tileArrived_[Tile::kCount] = {};
  uint32_t warpCount_ = 0;
  std::unique_ptr<Warp[]> warps_;
  uint32_t warpCapacity_ = 0;

  char *shared_ = nullptr;
  void *observed_ = nullptr;  // what SyncObserver calls the block; null: nobody looks
  std::vector<std::pair<const hw_shared_object *, void *>> sharedObjects_;
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_BLOCK_H
