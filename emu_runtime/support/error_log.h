// The log of errors that a program can read [CUDA 6.x error log management]: what went wrong, in sentences.
#ifndef HOSTWARP_EMU_RUNTIME_SUPPORT_ERROR_LOG_H
#define HOSTWARP_EMU_RUNTIME_SUPPORT_ERROR_LOG_H

#include <string>
#include <string_view>

#include "include/driver_types.h"

namespace hostwarp::error_log {

// append() adds a line and calls the program's callbacks. Thread-safe; only the last hundred lines are kept.
void append(std::string_view message);

// current() is the place behind the last line; linesSince() is those from `begin` on that are still kept, and moves
// `begin` behind them.
unsigned current();
std::string linesSince(unsigned &begin);

// addCallback() returns a number for removeCallback(), which is false for what is no number of a callback.
size_t addCallback(cudaLogsCallback_t callback, void *userData);
bool removeCallback(size_t number);

}  // namespace hostwarp::error_log

#endif  // HOSTWARP_EMU_RUNTIME_SUPPORT_ERROR_LOG_H
