// Turns: who goes on where the order of everything is to be the program's alone.
#ifndef HOSTWARP_EMU_RUNTIME_STREAM_TURNS_H
#define HOSTWARP_EMU_RUNTIME_STREAM_TURNS_H

#include <chrono>
#include <cstdint>
#include <map>
#include <utility>

#include "fibers/mutex.h"

namespace hostwarp::stream {

// Turns lets one go on at a time, so that no clock decides who is first: kernels, which the engine's one worker runs;
// when none of them gets on by itself, tasks, one after the other; and when these are through, too, the host, whose
// calls begin and return then only. Kernels and tasks that wait for others, and look in vain whether these have come,
// hold up nobody, but look again after each change before others go on. Thread-safe.
class Turns {
 public:
  // apply() tells whether this process keeps them: where it is checked, or its schedule is asked for.
  static bool apply() {
    static const bool isAsked = areAsked();
    return isAsked;
  }
  // process() is never destroyed. A forked child, which has none of the threads, begins anew. pre: apply().
  static Turns &process();

  // Call is a call of the host. It begins and ends by blocking until all that was submitted has ended or waits; not on
  // threads of tasks, in kernels, or within another one.
  class Call {
   public:
    Call() : isFirst_(apply() && enter()) {}
    ~Call() {
      if (isFirst_) leave();
    }
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;

   private:
    static bool enter();
    static void leave();
    const bool isFirst_;
  };

  // Batch is operations that a thread starts together: nobody else begins before it has started them all. It must not
  // block for long.
  class Batch {
   public:
    Batch() {
      if (apply()) process().countBatches(+1);
    }
    ~Batch() {
      if (apply()) process().countBatches(-1);
    }
    Batch(const Batch &) = delete;
    Batch &operator=(const Batch &) = delete;
  };

  // A grid is the engine's from before it is submitted until all that its end brings has been started. `mayWait`: for
  // others, as far as the compiler knows.
  static void gridBegins(bool mayWait) {
    if (apply()) process().countGrids(+1, mayWait);
  }
  static void gridEnds(bool mayWait) {
    if (apply()) process().countGrids(-1, mayWait);
  }

  // OfTask is a task's turn, which comes after those of tasks that were made before. begin() has the calling thread
  // wait for it; without end() the task has never begun.
  class OfTask {
   public:
    OfTask() : number_(apply() ? process().announceTask() : 0) {}
    OfTask(OfTask &&other) noexcept : number_(std::exchange(other.number_, 0)) {}
    OfTask &operator=(OfTask &&) = delete;
    ~OfTask() { end(); }

    void begin() {
      if (number_ != 0) process().beginTask(number_);
    }
    void end() {
      if (number_ != 0) process().endTask(std::exchange(number_, 0));
    }

   private:
    uint64_t number_;
  };

  // A task that waits looks in vain, again and again; one that does not say when what it waits for has come rests until
  // it ends. Nothing on other threads.
  static void taskLooksInVain();
  static void taskRests();

  // engineBegins() blocks while others are to go on before the engine takes up another block.
  void engineBegins();
  // engineLooksInVain() says that all which the engine runs has looked once since it said so last, in vain. It blocks
  // while that holds; after a while it returns false, because the host may write memory without a call. engineRests():
  // nobody shall wait for what it runs now.
  bool engineLooksInVain();
  void engineRests();

 private:
  using Time = std::chrono::steady_clock::time_point;

  // Look is what somebody who waits has seen: `vain` is the last change that all of a look came after.
  struct Look {
    uint64_t vain = 0, next = 0;
  };
  struct Task {
    bool hasBegun = false;
    bool rests = false;
    Look look = {};
    Time since = {};
  };

  static bool areAsked();
  void countBatches(int more);
  uint64_t announceTask();
  void beginTask(uint64_t task);
  void endTask(uint64_t task);
  void countGrids(int more, bool mayWait);
  void hostWaits(bool hasWritten);
  void waitForChange(MutexLock &lock) HOSTWARP_REQUIRES(mutex_);
  void change() HOSTWARP_REQUIRES(mutex_);
  void lookInVain(Look &look) HOSTWARP_REQUIRES(mutex_);
  void losePatience() HOSTWARP_REQUIRES(mutex_);
  bool isVain(const Look &look) const HOSTWARP_REQUIRES(mutex_) { return look.vain >= changes_; }
  bool engineIsCalm() const HOSTWARP_REQUIRES(mutex_) { return grids_ == 0 || engineRests_ || isVain(engineLook_); }
  bool tasksAreCalm() const HOSTWARP_REQUIRES(mutex_);
  bool workIsCalm() const HOSTWARP_REQUIRES(mutex_) { return batches_ == 0 && engineIsCalm() && tasksAreCalm(); }
  uint64_t nextTask() const HOSTWARP_REQUIRES(mutex_);

  Mutex mutex_;
  Condition changed_;
  uint64_t changes_ HOSTWARP_GUARDED_BY(mutex_) = 1;  // after which those who wait have to look again
  int batches_ HOSTWARP_GUARDED_BY(mutex_) = 0;
  int grids_ HOSTWARP_GUARDED_BY(mutex_) = 0;
  int waitingGrids_ HOSTWARP_GUARDED_BY(mutex_) = 0;      // those that may wait
  bool engineRests_ HOSTWARP_GUARDED_BY(mutex_) = false;  // its grids are not waited for any more
  Look engineLook_ HOSTWARP_GUARDED_BY(mutex_);
  uint64_t enginePaused_ HOSTWARP_GUARDED_BY(mutex_) = 0;  // the change after which it has waited for long already
  Time engineSince_ HOSTWARP_GUARDED_BY(mutex_);           // when a grid began or ended last
  std::map<uint64_t, Task> tasks_ HOSTWARP_GUARDED_BY(mutex_);
  uint64_t lastTask_ HOSTWARP_GUARDED_BY(mutex_) = 0;
};

}  // namespace hostwarp::stream

#endif  // HOSTWARP_EMU_RUNTIME_STREAM_TURNS_H
