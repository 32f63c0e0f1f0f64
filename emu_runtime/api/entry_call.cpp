#include "emu_runtime/api/entry_call.h"

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "emu_runtime/stream/turns.h"
#include "emu_runtime/support/error_log.h"
#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"

namespace hostwarp::api {
namespace {

thread_local cudaError_t lastError = cudaSuccess;
thread_local DefaultStream defaultStream = DefaultStream::Legacy;

// tell() writes the message where people look for it. Where the host's memory has run out, the code has to do.
void tell(const EntryInfo &info, const Status &status) noexcept try {
  const std::string line = std::string(info.name) + ": " + status.message();
  if (!optionSwitch(Option::QUIET)) logOnce(line, line);
  error_log::append(status.message());
} catch (const std::bad_alloc &) {
}

}  // namespace

cudaError_t peekLastError() { return lastError; }
cudaError_t takeLastError() { return std::exchange(lastError, cudaSuccess); }
bool defaultStreamIsPerThread() { return defaultStream == DefaultStream::PerThread; }

DefaultStreamScope::DefaultStreamScope(DefaultStream stream) : outer_(std::exchange(defaultStream, stream)) {}
DefaultStreamScope::~DefaultStreamScope() { defaultStream = outer_; }

cudaError_t finish(const EntryInfo &info, const Status &status) noexcept {
  if (status.ok()) return cudaSuccess;
  if (!status.message().empty()) tell(info, status);
  // "Not ready" is an answer to a question, not a failure.
  if (info.lastError == LastError::RECORDS && status.code() != cudaErrorNotReady) lastError = status.code();
  return status.code();
}

void logFailure(const EntryInfo &info, int code, const char *name) noexcept try {
  if (code == cudaSuccess || code == cudaErrorNotReady || info.lastError == LastError::TELLS) return;
  error_log::append("Returning " + std::to_string(code) + " (" + name + ") from " + info.name);
} catch (const std::bad_alloc &) {
}

Status statusOfException() {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return {cudaErrorMemoryAllocation, "no host memory"};  // short enough to need none itself
  } catch (const std::exception &exception) {
    return {cudaErrorUnknown, std::string("internal error: ") + exception.what()};
  } catch (...) {
    return {cudaErrorUnknown, "internal error"};
  }
}

void observe(const profile::Call &call, const char *category, const EntryInfo &info, bool succeeded,
             std::string_view result, const Arguments &arguments) noexcept try {
  if (!traceEnabled() && !call.active()) return;
  const std::string line = arguments.describe(info, succeeded, result);
  if (traceEnabled()) writeTrace(line);
  if (call.active()) call.end(category, info.name, line);
} catch (const std::bad_alloc &) {
}

cudaError_t enter(const EntryInfo &info, const Implementation &run, const Arguments &arguments) noexcept {
  DefaultStreamScope scope(info.defaultStream);
  const order::CallScope callScope(info.name);
  const stream::Turns::Call turn;
  const profile::Call call;
  digests::Call digested(info.name, info.defaultStream == DefaultStream::PerThread, arguments);
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
  if (digests::wanted()) [[unlikely]]
    digested.end(error, errorName(error));
  return error;
}

}  // namespace hostwarp::api
