// The table that --time asks for.
#ifndef HOSTWARP_COMPILER_DRIVER_TIME_TABLE_H
#define HOSTWARP_COMPILER_DRIVER_TIME_TABLE_H

#include <string>

#include "compiler/driver/job.h"

namespace hostwarp::driver {

// TimeTable collects one row for each phase and appends them to a file when it goes; with an empty name it does
// nothing.
class TimeTable {
 public:
  explicit TimeTable(std::string file) : file_(std::move(file)) {}
  TimeTable(const TimeTable &) = delete;
  TimeTable &operator=(const TimeTable &) = delete;
  ~TimeTable();

  // add() notes that `job` took this many milliseconds.
  void add(const Job &job, double milliseconds);
  // now() is a monotonic clock in milliseconds.
  static double now();

 private:
  std::string file_;
  std::string rows_;
};

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_TIME_TABLE_H
