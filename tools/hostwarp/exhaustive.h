// All schedules of a small program, one of each kind: which one to run next, after what the last one has come to.
#ifndef HOSTWARP_TOOLS_HOSTWARP_EXHAUSTIVE_H
#define HOSTWARP_TOOLS_HOSTWARP_EXHAUSTIVE_H

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/hostwarp/schedule_log.h"

namespace hostwarp::tool {

// ExhaustiveSearch is a depth-first search that keeps no states. Two schedules that differ only in the order of
// operations that do not depend on each other count as one: dynamic partial-order reduction with source sets and sleep
// sets (Abdulla, Aronis, Jonsson and Sagonas, POPL 2014).
class ExhaustiveSearch {
 public:
  // next() is the schedule to run: the threads that go on, one for each operation, before what is in order. None: all
  // are done.
  std::optional<std::vector<Thread>> next();
  // take() is told what next()'s has come to; false when that is not what the same choices came to before.
  bool take(const ScheduleLog &log);

 private:
  using Clock = std::map<Thread, size_t>;  // how many steps of others come before

  // Step is an operation of the last run.
  struct Step {
    Thread who;
    Operation operation;
    std::vector<Thread> enabled;  // who could have made one instead
    size_t ordinal = 0;           // of the thread's steps
    bool isVain = false;          // it has found that there is nothing to do but wait, and is as if it had not been
    Clock before, after;          // what comes before it by the threads' own doing; and by what it depends on, and it

    bool isAfter(const Step &other) const {
      const auto seen = after.find(other.who);
      return seen != after.end() && seen->second >= other.ordinal;
    }
  };
  // Node is a choice of the run that the next one has in common with the last.
  struct Node {
    std::vector<Thread> enabled;
    std::optional<Thread> chosen;
    Operation operation;  // of `chosen`
    std::set<Thread> wanted;
    std::map<Thread, Operation> done;
    std::map<Thread, Operation> asleep;  // what follows from these has been looked at before
  };

  static void noteVain(std::vector<Step> &steps, const ScheduleEvent &event);
  static std::vector<Step> stepsOf(const ScheduleLog &log, std::vector<size_t> &floors);
  void findRaces(const std::vector<Step> &steps, const std::vector<size_t> &floors);
  static std::set<Thread> initialsOf(const std::vector<Step> &steps, size_t node, size_t later);
  void want(size_t node, const std::vector<Step> &steps, size_t later);
  std::map<Thread, Operation> asleepBehind(const Node &node) const;

  std::vector<Node> nodes_;
  bool hasBegun_ = false;
};

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_EXHAUSTIVE_H
