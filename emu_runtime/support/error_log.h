// The log of errors that a program can read [CUDA 4.8]: what went wrong, in sentences.
#ifndef HOSTWARP_EMU_RUNTIME_SUPPORT_ERROR_LOG_H
#define HOSTWARP_EMU_RUNTIME_SUPPORT_ERROR_LOG_H

#include <string>
#include <string_view>
#include <vector>

#include "include/driver_types.h"

namespace hostwarp::error_log {

// append() adds a line about a failed call, calls the program's callbacks with the message alone, and writes the
// line where CUDA_LOG_FILE says: "stdout", "stderr" or the path of a file. Thread-safe; only the last hundred lines are
// kept.
void append(std::string_view message);

// Lines are those from a place on that are still kept, each with its newline.
struct Lines {
  std::vector<std::string> lines;
  bool areAll = true;  // false: earlier ones were dropped
};

// current() is the place behind the last line; linesSince() moves `begin` there. pre: begin <= current().
unsigned current();
Lines linesSince(unsigned &begin);

// addCallback() returns a number for removeCallback(), which is false for what is no number of a callback.
size_t addCallback(cudaLogsCallback_t callback, void *userData);
bool removeCallback(size_t number);

}  // namespace hostwarp::error_log

#endif  // HOSTWARP_EMU_RUNTIME_SUPPORT_ERROR_LOG_H
