// Runs a plan.
#ifndef HOSTWARP_COMPILER_DRIVER_EXECUTOR_H
#define HOSTWARP_COMPILER_DRIVER_EXECUTOR_H

#include <signal.h>

#include <array>
#include <string>
#include <vector>

#include "compiler/driver/job.h"

namespace hostwarp::driver {

struct ExecutionOptions {
  bool verbose = false;  // print each command before it starts
  int parallel = 2;      // processes at a time
  std::string timeFile;  // --time: a table of phases, appended; "-" is standard output
};

// SignalGuard: while one lives, SIGINT, SIGTERM and SIGHUP only end plans, so that what was made for them can be
// removed.
class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard &) = delete;
  SignalGuard &operator=(const SignalGuard &) = delete;

 private:
  std::array<struct sigaction, 3> previous_;
};

// runPlan() runs all jobs, several at a time, and returns the driver's exit status. When one fails no further ones
// start; those that run are waited for, since their messages are wanted too; a diagnostic that both passes over a
// source make is shown once. The files that failed jobs made are removed. The signals of SignalGuard end the children
// and then the plan, or keep it from starting. pre: a SignalGuard lives; call it once at a time.
int runPlan(const Plan &plan, const ExecutionOptions &options);

// printPlan() writes all commands to standard error as --dryrun shows them.
void printPlan(const Plan &plan);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_EXECUTOR_H
