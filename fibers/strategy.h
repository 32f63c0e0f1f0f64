// Strategies: who goes on, wherever threads synchronise.
#ifndef HOSTWARP_FIBERS_STRATEGY_H
#define HOSTWARP_FIBERS_STRATEGY_H

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace hostwarp::fibers {

// ThreadName is a thread of the process's kernels, the same in each run.
struct ThreadName {
  static constexpr uint64_t kPerBlock = 1024;

  uint64_t launch = 0;
  uint64_t thread = 0;  // kPerBlock times the block's linear index, and the thread's in it

  auto operator<=>(const ThreadName &) const = default;
};

// Stop is where a thread gave way, so that somebody must be chosen.
struct Stop {
  ThreadName who;
  uint64_t number = 0;  // of its stops
  uint64_t step = 0;    // of the launch: operations that have been done
};

// Choice is what may follow. Those that only go on to their next operation come before all that stand in front of one:
// what they do on the way, without races, is the same at any time.
struct Choice {
  static constexpr size_t kNone = ~size_t{0};

  Stop stop;
  std::span<const ThreadName> candidates;  // ascending, at least one
  size_t current = kNone;                  // which of them is stop.who
  bool beforeOperations = true;            // each stands in front of an operation

  // inOrder() is what is chosen where nothing else is said.
  size_t inOrder() const { return current != kNone ? current : 0; }
};

// Strategy chooses. It is asked in the same order in each run, by one OS thread.
class Strategy {
 public:
  virtual ~Strategy() = default;

  virtual size_t choose(const Choice &choice) = 0;
  // staysWith() tells that stop.who would be chosen if those that may follow are the ones of the last choice, and it.
  virtual bool staysWith(const Stop &stop) const = 0;
  // hasDiverged(): the run did not come to the choices that the strategy was made for.
  virtual bool hasDiverged() const { return false; }
};

// makeStrategy() reads EngineOptions::schedule; null, and what is wrong, for one that is none:
//   order, reverse       the first, or last, of those that can go on, until it waits
//   random:SEED          each of them with the same probability at each step
//   urw:SEED:TRACE       by how many operations each has left, counted by the trace of another run
//   pct:SEED:DEPTH:STEPS priorities, and DEPTH - 1 changes of them within the first STEPS steps of each launch
//   picks:FILE           as the file says, then in order
//   p:LIST               in order, but for preemptions: launch-thread-stop-thread in base 36 (and the other thread's
//                        launch, if it is another), joined by dots
std::unique_ptr<Strategy> makeStrategy(const std::string &text, std::string &complaint);

// preemptionText() is one of p:LIST.
std::string preemptionText(const Stop &stop, const ThreadName &to);

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_STRATEGY_H
