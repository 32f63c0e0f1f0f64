// The director: has a strategy choose who goes on, of all threads that are resident, and keeps a record of that.
#ifndef HOSTWARP_FIBERS_DIRECTOR_H
#define HOSTWARP_FIBERS_DIRECTOR_H

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fibers/engine.h"
#include "fibers/schedule_trace.h"
#include "fibers/strategy.h"
#include "fibers/sync_operation.h"

namespace hostwarp::fibers {

class Block;
struct Fiber;

// Turn is what a thread has looked at in one turn of a loop that may wait for others.
struct Turn {
  struct Look {
    uintptr_t address = 0;
    uint64_t bytes = 0, value = 0, operand = 0;
    bool operator==(const Look &) const = default;
  };
  static constexpr uint32_t kLooks = 4;

  Look looks[kLooks];
  uint32_t count = 0;
  bool isOpaque = false;   // more than that, or memory that is not known
  bool hasEffect = false;  // it has changed memory

  // add() notes that memory was looked at.
  void add(const SyncOperation &operation);
  // isSame(): the two have found the same.
  bool isSame(const Turn &other) const;
  // hasChanged(): memory is no more what the turn has found.
  bool hasChanged() const;
};

// Agent is what is known of a thread for the sake of the schedule.
struct Agent {
  uint64_t stops = 0;
  uint64_t operations = 0;
  bool isBefore = false;    // it stands in front of `operation`
  bool isMaking = false;    // it has made `operation`; what came of it is not known yet
  bool isTired = false;     // it has gone on for long while others could have
  bool isReleased = false;  // it waits for memory to change, and may look again all the same
  uint64_t seenProgress = 0;
  uint64_t oldValue = 0;  // in memory, before `operation`
  SyncOperation operation;
  Turn now, last;
};

// Director serves one worker. Its state changes as threads of kernels come to operations and stop.
class Director {
 public:
  Director(std::unique_ptr<Strategy> strategy, const std::string &trace, bool tracesSteps);

  // comesTo(): the thread is about to make the operation. True when it shall make it at once, false when it has to
  // stop.
  bool comesTo(const ThreadName &who, Agent &agent, const SyncOperation &operation);
  // makes(): nobody comes between it and its operation any more.
  void makes(const ThreadName &who, Agent &agent);
  // endsTurn(): a loop's turn is over. True when the thread can do nothing but wait for others.
  bool endsTurn(const ThreadName &who, Agent &agent);
  // stops(): the thread waits, has ended or stands in front of an operation: another choice is due.
  void stops(const ThreadName &who, Agent &agent);
  // ends(): counts what the thread has done.
  void ends(const ThreadName &who, const Agent &agent);
  // mayGoOn() tells whether a thread that waits for memory to change should look again.
  bool mayGoOn(const Agent &agent) const;
  // meet(): what these threads have done before comes before what they do from here on.
  void meet(uint64_t launch, const std::vector<uint64_t> &threads);
  void gridMeets(uint64_t launch);
  void looksAtOrder() { trace_.limit("order"); }

  // choose() chooses among what the blocks can go on with and tells the block; null when none can.
  Block *choose(std::span<Block *const> blocks);
  // releaseAll(): threads that wait for memory to change look once more.
  void releaseAll(std::span<Block *const> blocks);
  // releaseBlind() is for those of which it is not known what they wait for.
  void releaseBlind(std::span<Block *const> blocks);
  // progress() counts what may let others go on.
  uint64_t progress() const { return progress_; }
  // gaveUp(): some that have waited for memory to change went on though it has not.
  void gaveUp() { trace_.limit("retry"); }
  void leavesOut() { trace_.limit("window"); }
  // launchEnds() writes down how many threads had how many operations.
  void launchBegins(uint64_t launch, const char *kernel) { trace_.launch(launch, kernel); }
  void launchEnds(uint64_t launch);

 private:
  struct Able {
    ThreadName name;
    Block *block;
    Fiber *fiber;
    uint32_t thread;
    Agent *agent;
  };
  struct Count {
    uint64_t agents = 0, steps = 0;
  };

  void gather(std::span<Block *const> blocks);
  void finishOperation(Agent &agent);
  void leaveOutTired();
  Choice describeChoice() const;

  std::unique_ptr<Strategy> strategy_;
  ScheduleTrace trace_;
  std::map<uint64_t, Count> counts_;  // by launch
  std::vector<Able> able_;
  std::vector<ThreadName> names_;
  Stop last_;                        // number 0: none since a launch has ended
  uint64_t inRow_ = 0;               // operations of last_.who since anybody was chosen
  bool wasBeforeOperation_ = false;  // the thread that was chosen last stood in front of an operation
  bool isQuiet_ = false;             // since the last choice nobody else can have become able to go on
  uint64_t progress_ = 0;
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_DIRECTOR_H
