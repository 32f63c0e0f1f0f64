// One run of a program with one schedule, under the checks.
#ifndef HOSTWARP_TOOLS_HOSTWARP_SCHEDULE_RUN_H
#define HOSTWARP_TOOLS_HOSTWARP_SCHEDULE_RUN_H

#include <cstdint>
#include <string>
#include <vector>

#include "tools/hostwarp/schedule_log.h"

namespace hostwarp::tool {

// ProgramToRun is the same for all schedules.
struct ProgramToRun {
  std::vector<std::string> checkOptions, command;
  double seconds = 60;  // after which a run is ended
};

// Outcome is what a run has come to.
struct Outcome {
  std::string schedule;  // as --replay takes it
  int status = 0;        // the program's
  bool isIncomplete = false, isHanging = false;
  std::vector<std::string> findings;  // kind and places
  std::vector<std::string> unsettled, incomplete;
  uint64_t launches = 0, settled = 0;
  uint64_t output = 0;  // a hash of it
  uint64_t threads = 0, operations = 0;
  std::vector<std::string> limits;

  // events() are what is wrong with it by itself.
  std::vector<std::string> events() const;
};

// Folder is a temporary one, with all that is in it.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  const std::string &path() const { return path_; }

 private:
  std::string path_;
};

// runSchedule() runs the program; `text` is what HOSTWARP_SCHEDULE takes, `name` the beginning of names for files, of
// which only the trace is left. Thread-safe.
Outcome runSchedule(const ProgramToRun &program, const std::string &text, const std::string &name, ScheduleLog &log);

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_SCHEDULE_RUN_H
