// What a directed schedule has come to: the file of HOSTWARP_SCHEDULE_TRACE (fibers/schedule_trace.h).
#ifndef HOSTWARP_TOOLS_HOSTWARP_SCHEDULE_LOG_H
#define HOSTWARP_TOOLS_HOSTWARP_SCHEDULE_LOG_H

#include <compare>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace hostwarp::tool {

// Thread is a thread of some launch.
struct Thread {
  uint64_t launch = 0, number = 0;
  auto operator<=>(const Thread &) const = default;
};

// Operation is an access by which threads synchronise.
struct Operation {
  uint64_t address = 0, bytes = 0;
  bool writes = false;
  uint32_t commutes = 0;  // two of the same kind, not 0, may change places

  // isDependent(): what comes of the two depends on which is first.
  bool isDependent(const Operation &other) const;
};

// ScheduleEvent is a line of the trace, by its letter.
struct ScheduleEvent {
  char kind = 0;
  Thread who;
  Operation operation;            // X
  std::vector<uint64_t> threads;  // M
  uint64_t number = 0;            // P and B
};

struct ScheduleLog {
  std::vector<ScheduleEvent> events;     // P, X, B, G, M, A, L and N
  std::vector<std::string> preemptions;  // choices other than those in order
  std::set<std::string> limits;          // why this is not all there is
  uint64_t threads = 0, operations = 0;  // the most of a launch: threads with operations, and operations
};

// readScheduleLog() reads it; lines that are damaged are left out.
ScheduleLog readScheduleLog(const std::string &path);

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_SCHEDULE_LOG_H
