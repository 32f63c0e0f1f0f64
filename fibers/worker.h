// A worker: one OS thread's share of the engine. It owns the blocks it started and switches between them.
#ifndef HOSTWARP_FIBERS_WORKER_H
#define HOSTWARP_FIBERS_WORKER_H

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fibers/aligned_buffer.h"
#include "fibers/block.h"
#include "fibers/fault_handler.h"
#include "fibers/guest_state.h"
#include "fibers/pending_fault.h"
#include "fibers/shared_memory.h"

namespace hostwarp::fibers {

class Dispatcher;

class Worker {
 public:
  explicit Worker(Dispatcher &dispatcher);
  ~Worker();
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  // run() executes blocks until there is nothing to do. Called on the OS thread that is this worker for the time being.
  void run();
  // Guest makes the calling OS thread, which is one of the program's and waits for `last`, this worker while it exists.
  class Guest {
   public:
    Guest(Worker &worker, const Place &last);
    ~Guest();
    Guest(const Guest &) = delete;
    Guest &operator=(const Guest &) = delete;
    // run() executes the block at this position of the grid, for which the caller has taken a token, and what it can
    // have of the grid's others.
    void run(std::shared_ptr<Grid> grid, uint64_t position);

   private:
    Worker &worker_;
    const Place last_;
    const GuestState state_;
  };

  Context &context() { return context_; }
  Context &scratch() { return scratch_; }
  // director() chooses who goes on; null: blocks and this worker do.
  Director *director() const;
  PendingFault &pending() { return pending_; }
  // tilePointers() is room for what the threads of a tile hand over.
  void **tilePointers() { return tilePointers_; }
  const LandingStack &landing() const { return landing_; }
  // hasOtherWork() tells a running block that pausing it would let others run.
  bool hasOtherWork() const;
  // runsWholeBlocks() tells that blocks are run by their block entries where there are such.
  bool runsWholeBlocks() const;
  // mayContinue() tells that the next block of the running grid is what comes next: no other block of this worker waits
  // for a turn or to begin, and no grid has been submitted since.
  bool mayContinue() const;
  // takesNext() tells, of the first grid that the end of another one's last block brings, that this worker begins it
  // as soon as the calls about that end return: no other has to be woken for its first block. For the worker's thread.
  [[nodiscard]] bool takesNext(const Grid &grid);
  // giveNext() hands it a grid that nobody else is told of. pre: takesNext() was true for it.
  void giveNext(std::shared_ptr<Grid> grid) { next_ = std::move(grid); }
  // company() is how many workers are at work, this one included.
  unsigned company() const;
  void announceGridRelease();
  // lookAtWaitingBlocks() makes the worker look through the blocks at grid and cluster barriers before it goes on.
  void lookAtWaitingBlocks() { seenReleases_ = ~uint64_t{0}; }
  // runningGrid() is the grid whose block runs now, null in between. Any thread may ask.
  const Grid *runningGrid() const { return runningGrid_.load(std::memory_order_relaxed); }
  size_t fibersOut() const;
  // divisionsFault() is EngineOptions', for signal handlers.
  bool divisionsFault() const;
  // nameOfAddress() is EngineOptions', empty where there is none.
  std::string nameOfAddress(uint64_t address, int64_t deviceDelta) const;
  // leftAtEpoch() is the dispatcher's work epoch at which this worker found nothing to do.
  uint64_t leftAtEpoch() const { return seenNoWork_; }

  // thread() is valid while the dispatcher's lock is held and onThread() is true.
  bool onThread() const { return onThread_; }
  pthread_t thread() const { return thread_; }
  void setThread(bool on) {
    onThread_ = on;
    thread_ = pthread_self();
  }

 private:
  friend struct DebuggerView;

  bool step();
  bool hasNoBlocks() const;
  Block *nextResident();
  Block *nextSpinning();
  bool mayStartAnother() const;
  bool othersHavePaused();
  bool claimsNothing() const;
  bool goesBySeed() const;
  Block *startBlock();
  [[nodiscard]] bool claimBegun(std::shared_ptr<Grid> &grid, uint64_t &position);
  Block *startNext();
  Block *startOn(std::shared_ptr<Grid> grid, uint64_t position);
  Block *takeBlock();
  Cluster *takeCluster();
  void runBlock(Block *block);
  static BlockStop runToStop(Block &block);
  void findFaultingThread(Block &block);
  std::string faultByThreads(Block &block);
  void settle(Block *block, BlockStop stop);
  void keepRest(Block &block);
  Block *startRest();
  bool hasRest(const std::shared_ptr<Grid> &grid) const;
  Block *continueRest(const std::shared_ptr<Grid> &grid);
  void finish(Block *block);
  void drop(Block *block);
  [[nodiscard]] bool recycle(Block *block);
  void wakeOutside();
  void backOff();
  bool tellOfVainLooks();
  void countGoing(size_t count);
  void countVainRound();
  void failBlock(Block *block, BlockStop stop);
  void reportStopped(Block *block);
  [[nodiscard]] FiberPool &fibersFor(size_t stackBytes);

  // --- With a director ---
  bool stepDirected();
  void dropStopped();
  void noteEnd(const Grid &grid);
  uint64_t residentThreads() const;
  void admit(const std::shared_ptr<Grid> &grid, uint64_t position);
  bool admitGrid();
  bool admitNext();
  void runDirected(Block *block);
  void getUnstuck();
  void failAll();
  void waitInVain();

  Dispatcher &dispatcher_;
  Context context_;
  Context scratch_;
  LandingStack landing_;
  SignalMemory signalMemory_;  // of guests
  void *tilePointers_[1024] = {};
  PendingFault pending_;
  std::atomic<const Grid *> runningGrid_{nullptr};
  bool onThread_ = false;
  const Place *guestOf_ = nullptr;  // where the thread waits if it is not one of the engine's
  bool isFreeNext_ = false;         // a grid is being completed, and this worker has nothing else to do
  pthread_t thread_{};

  std::vector<std::unique_ptr<FiberPool>> fiberPools_;
  SharedMemoryPool sharedMemory_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Block *> freeBlocks_;
  std::vector<std::unique_ptr<Cluster>> clusters_;
  std::vector<Cluster *> freeClusters_;

  std::deque<Block *> runnable_;
  std::deque<Block *> spinning_;
  std::vector<Block *> outside_;  // at grid and cluster barriers
  // What stopped or ended series of blocks have drawn and not begun. A block of the same grid, with its token, is on
  // this worker as long as there is such a rest.
  struct Rest {
    std::shared_ptr<Grid> grid;
    PositionRange positions;
  };
  std::vector<Rest> rests_;
  bool paused_ = false;    // a block has just been preempted
  size_t pauses_ = 0;      // of blocks that have not spun, since a block began
  size_t goings_ = 0;      // turns that got on since a block began or ended
  bool hasGotOn_ = false;  // something has, since tellOfVainLooks()
  unsigned roundsOfLook_ = 0;
  size_t fruitless_ = 0;  // turns of spinning blocks since anything got on
  unsigned backOffLevel_ = 0;
  uint64_t seenReleases_ = 0;           // Dispatcher::releases() when outside_ was last looked through
  uint64_t seenNoWork_ = ~uint64_t{0};  // Dispatcher::workEpoch() when there was no block to start

  uint64_t lastEpoch_ = 0;  // Dispatcher::submissions() at the last claim
  // With a seed: grids that have begun, in that order, and how often others have been left for later.
  std::vector<std::shared_ptr<Grid>> begun_;
  unsigned refusals_ = 0;
  std::vector<Block *> residents_;  // with a director: all blocks that have begun, in that order
  uint64_t vainRounds_ = 0;         // since anybody got on
  uint64_t seenProgress_ = 0;       // of the director
  Grid::Clock::time_point vainSince_{};
  std::shared_ptr<Grid> continuing_;  // grid of the block that has just finished, with its token
  std::shared_ptr<Grid> next_;        // see giveNext()
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_WORKER_H
