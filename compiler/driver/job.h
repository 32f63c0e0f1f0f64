// The steps of one call of hwcc, before they are printed or run.
#ifndef HOSTWARP_COMPILER_DRIVER_JOB_H
#define HOSTWARP_COMPILER_DRIVER_JOB_H

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/driver/result.h"

namespace hostwarp::driver {

// Job is one step: a program to run, or (with `action`) something the driver does itself.
struct Job {
  Job(std::string phaseName, std::string sourceFile, std::vector<std::string> words = {})
      : phase(std::move(phaseName)), source(std::move(sourceFile)), command(std::move(words)) {}

  std::string phase;                 // for --time and messages: "host pass", "device pass", "link" ...
  std::string source;                // the input file as the user wrote it; empty when linking
  std::vector<std::string> command;  // the program's full path and its arguments; for an action, what it is like
  std::function<Status()> action;
  // What may be added to the command to make it quicker, known when the job starts. Failing with it, the program runs
  // again without: what it says then is what counts.
  std::function<std::vector<std::string>()> shortcut;
  std::vector<std::size_t> after;  // indices of the jobs that must have succeeded
  std::string product;             // the file that this job makes; removed when the job fails
  std::string (*explain)(const std::string &output) = nullptr;  // makes of what the program says what the user reads
  std::string findings;        // where the program notes what it has to know when it runs again, as it then does
  int group = -1;              // jobs of one group compile the same source: a diagnostic is shown once
  int failureStatus = 1;       // the driver's exit status when this job fails
  bool isUserProgram = false;  // --run: its exit status is the driver's
};

// Plan is what a call of hwcc does: jobs in an order that satisfies `after`.
struct Plan {
  std::vector<Job> jobs;
  std::vector<std::string> results;  // files the user asked for; --clean-targets removes them

  // add() appends a job and returns its index.
  std::size_t add(Job job) {
    jobs.push_back(std::move(job));
    return jobs.size() - 1;
  }
};

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_JOB_H
