// What an entry point does when kernels do not run on emulated devices.
#ifndef HOSTWARP_EMU_RUNTIME_API_FORWARD_CALL_H
#define HOSTWARP_EMU_RUNTIME_API_FORWARD_CALL_H

#include <string>
#include <string_view>
#include <tuple>

#include "emu_runtime/api/entry_call.h"
#include "emu_runtime/api/gpu_images.h"
#include "emu_runtime/support/log.h"
#include "gpu_backend/backend.h"
#include "gpu_backend/tables.h"

namespace hostwarp::api {

// CalledApi is what differs between the two APIs: the name of one, the names of its results, and the result where
// there is no code for the GPU.
template <typename Result>
struct CalledApi {
  const char *name;
  const char *(*nameOf)(Result);
  Result noCode;
};

// isObserved() tells whether anything wants to know of calls: HOSTWARP_TRACE, the timeline or `hostwarp compare`.
inline bool isObserved() { return profile::collecting() || digests::wanted() || traceEnabled(); }

// handOnObserved() makes the call of NVIDIA's library and tells of it, as of any other call.
template <typename Result, typename... Parameters, typename... Arguments>
Result handOnObserved(const CalledApi<Result> &called, const EntryInfo &info, Result (*real)(Parameters...),
                      const std::tuple<Arguments...> &arguments) noexcept {
  const profile::Call call;
  digests::Call digested(info.name, info.defaultStream == DefaultStream::PerThread, api::Arguments(arguments));
  const Result result = std::apply(real, arguments);
  if (traceEnabled() || call.active())
    observe(call, called.name, info, static_cast<int>(result) == 0, called.nameOf(result), arguments);
  if (digests::wanted()) digested.end(static_cast<int>(result), called.nameOf(result));
  return result;
}

// handOn() makes the call of NVIDIA's library; without observers it costs some loads and branches.
template <typename Result, typename... Parameters, typename... Arguments>
Result handOn(const CalledApi<Result> &called, const EntryInfo &info, Result (*real)(Parameters...),
              const std::tuple<Arguments...> &arguments) noexcept {
  if (!real) [[unlikely]]
    return static_cast<Result>(unsupported(info.name, "the GPU's library has no such function"));
  if (isObserved()) [[unlikely]]
    return handOnObserved(called, info, real, arguments);
  return std::apply(real, arguments);
}

// handOnImages() is handOn() for functions that load device code.
template <typename Result, typename... Parameters, typename... Arguments>
Result handOnImages(const CalledApi<Result> &called, const EntryInfo &info, Result (*real)(Parameters...),
                    std::tuple<Arguments...> arguments) noexcept {
  GpuImages images;
  Status status;
  try {
    std::apply([&](auto &...each) { (images.replace(each), ...); }, arguments);
    status = images.status();
  } catch (...) {
    status = statusOfException();
  }
  if (status.ok()) return handOn(called, info, real, arguments);
  logLine(std::string(info.name) + ": " + status.message());
  return called.noCode;
}

// isMadeElsewhere() tells whether the GPU's library has made the call, with this result; if not, it is ours to make, or
// to refuse. `real` is read once it is clear where calls go. (The result is no optional: written in two parts and read
// as one, that would cost as much as all the rest.)
template <bool loads, typename Result, typename... Parameters, typename... Arguments>
bool isMadeElsewhere(const CalledApi<Result> &called, const EntryInfo &info, Result (*const &real)(Parameters...),
                     const std::tuple<Arguments...> &arguments, Result &result) noexcept {
  if (gpu_backend::decided() != gpu_backend::State::Gpu) return false;
  if constexpr (loads)
    result = handOnImages(called, info, real, arguments);
  else
    result = handOn(called, info, real, arguments);
  return true;
}

}  // namespace hostwarp::api

#endif  // HOSTWARP_EMU_RUNTIME_API_FORWARD_CALL_H
