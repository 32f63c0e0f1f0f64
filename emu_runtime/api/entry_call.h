// What every entry point does around its implementation.
#ifndef HOSTWARP_EMU_RUNTIME_API_ENTRY_CALL_H
#define HOSTWARP_EMU_RUNTIME_API_ENTRY_CALL_H

#include <atomic>
#include <new>
#include <tuple>

#include "emu_runtime/api/api.h"
#include "emu_runtime/order/call.h"
#include "emu_runtime/profile/call.h"
#include "emu_runtime/support/error_text.h"
#include "emu_runtime/support/trace.h"
#include "gpu_backend/backend.h"

namespace hostwarp::api {

// A call RECORDS its failure as the last error, KEEPS that as it is, or only TELLS what it is.
enum class LastError { RECORDS, KEEPS, TELLS };
enum class DefaultStream { Legacy, PerThread };

// EntryInfo is what the table says of one exported name.
struct EntryInfo {
  const char *name;
  const char *arguments;  // "(devPtr, size)"
  LastError lastError;
  DefaultStream defaultStream;
};

// DefaultStreamScope tells the implementation, for the duration of a call, what stream 0 means.
class DefaultStreamScope {
 public:
  explicit DefaultStreamScope(DefaultStream stream);
  ~DefaultStreamScope();
  DefaultStreamScope(const DefaultStreamScope &) = delete;
  DefaultStreamScope &operator=(const DefaultStreamScope &) = delete;

 private:
  DefaultStream outer_;
};

// driverIsUp: the runtime has done something for the program, for which it initialises the driver API as well.
inline std::atomic<bool> driverIsUp{false};

// finish() reports the status's message and records the error. Returns the code for the caller.
cudaError_t finish(const EntryInfo &info, const Status &status) noexcept;

// logFailure() writes into the error log what a call returns, unless that is no failure.
void logFailure(const EntryInfo &info, int code, const char *name) noexcept;

// statusOfException() is the Status for the exception being handled. pre: called from a handler.
Status statusOfException();

// observe() tells HOSTWARP_TRACE and the timeline of a finished call, which are silent where the host's memory has run
// out.
template <typename... Arguments>
void observe(const profile::Call &call, const char *category, const EntryInfo &info, bool succeeded,
             std::string_view result, const std::tuple<Arguments...> &arguments) noexcept try {
  if (!traceEnabled() && !call.active()) return;
  const std::string line = describeCall(info.name, info.arguments, succeeded, result, arguments);
  if (traceEnabled()) writeTrace(line);
  if (call.active()) call.end(category, info.name, line);
} catch (const std::bad_alloc &) {
}

// enter() runs an implementation as one API call.
template <typename Run, typename... Arguments>
cudaError_t enter(const EntryInfo &info, Run run, std::tuple<Arguments...> arguments) noexcept {
  DefaultStreamScope scope(info.defaultStream);
  const order::CallScope callScope(info.name);
  const profile::Call call;
  Status status;
  try {
    // The last error is kept here, whatever has failed.
    const bool isRefused = gpu_backend::isRefused() && info.lastError != LastError::TELLS;
    status = isRefused ? Status(gpu_backend::refusal()) : run();
  } catch (...) {
    status = statusOfException();
  }
  cudaError_t error = finish(info, status);
  logFailure(info, error, errorName(error));
  // Written once only: all threads read it.
  if (!driverIsUp.load(std::memory_order_relaxed) && error != cudaErrorNoDevice && info.lastError == LastError::RECORDS)
    driverIsUp.store(true, std::memory_order_relaxed);
  observe(call, "CUDA runtime API", info, error == cudaSuccess, errorName(error), arguments);
  return error;
}

}  // namespace hostwarp::api

#endif  // HOSTWARP_EMU_RUNTIME_API_ENTRY_CALL_H
