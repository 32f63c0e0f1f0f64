// What a schedule has come to, as lines of text for tools (tools/hostwarp/schedule_log.h reads them).
#ifndef HOSTWARP_FIBERS_SCHEDULE_TRACE_H
#define HOSTWARP_FIBERS_SCHEDULE_TRACE_H

#include <cstdint>
#include <string>
#include <vector>

#include "fibers/strategy.h"
#include "fibers/sync_operation.h"

namespace hostwarp::fibers {

// ScheduleTrace is a file. Its lines:
//   L launch kernel              a launch has begun
//   N launch threads operations  it has ended, or the program has: how many threads made operations, and how many
//   C launch thread operations   a thread's
//   D preemption                 a choice that is not the one in order (preemptionText())
//   I reason                     why what follows from the schedule is not all there is: order, window, retry,
//   diverged,
//                                long
// and, where steps are wanted:
//   P launch thread stop         the thread stands in front of an operation, its stop of that number
//   X launch thread address bytes kind commutes   it makes it: r reads, w writes; commutes is the same for two that may
//                                come in any order, 0: none may
//   B launch thread operations   it waits for memory to change: so many operations, its last, have led to nothing
//   G launch thread              it waited for memory to change, and goes on
//   M launch thread thread ...   these have met
//   A launch                     all threads of the launch have met
class ScheduleTrace {
 public:
  // With an empty path it writes nothing.
  ScheduleTrace(const std::string &path, bool tracesSteps);
  ~ScheduleTrace();
  ScheduleTrace(const ScheduleTrace &) = delete;
  ScheduleTrace &operator=(const ScheduleTrace &) = delete;

  void launch(uint64_t launch, const char *kernel);
  void counts(uint64_t launch, uint64_t threads, uint64_t operations);
  void operationsOf(const ThreadName &who, uint64_t operations);
  void preemption(const Stop &stop, const ThreadName &to);
  void limit(const std::string &reason);
  void standsBefore(const ThreadName &who, uint64_t stop);
  void makes(const ThreadName &who, const SyncOperation &operation, bool writes);
  void waits(const ThreadName &who, uint64_t operations);
  void goesOn(const ThreadName &who);
  void meet(uint64_t launch, const std::vector<uint64_t> &threads);
  void gridMeets(uint64_t launch);
  void flush();
  bool tracesSteps() const { return tracesSteps_; }

 private:
  void step(const std::string &line);
  void line(const std::string &line);

  int file_ = -1;
  bool tracesSteps_;
  uint64_t steps_ = 0;
  std::string buffer_, limits_;
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_SCHEDULE_TRACE_H
