// What an entry point does when kernels do not run on emulated devices.
#ifndef HOSTWARP_EMU_RUNTIME_API_FORWARD_CALL_H
#define HOSTWARP_EMU_RUNTIME_API_FORWARD_CALL_H

#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "emu_runtime/api/entry_call.h"
#include "emu_runtime/api/gpu_images.h"
#include "emu_runtime/support/log.h"
#include "gpu_backend/backend.h"
#include "gpu_backend/tables.h"

namespace hostwarp::api {

// handOn() makes the call of NVIDIA's library. HOSTWARP_TRACE and the timeline see it as any other.
template <typename Result, typename... Parameters, typename Name, typename... Arguments>
Result handOn(const EntryInfo &info, const char *category, Result (*real)(Parameters...), Name nameOf,
              const std::tuple<Arguments...> &arguments) noexcept {
  if (!real) return static_cast<Result>(unsupported(info.name, "the GPU's library has no such function"));
  const profile::Call call;
  digests::Call digested(info.name, info.defaultStream == DefaultStream::PerThread, api::Arguments(arguments));
  const Result result = std::apply(real, arguments);
  if (traceEnabled() || call.active()) [[unlikely]]
    observe(call, category, info, static_cast<int>(result) == 0, nameOf(result), arguments);
  if (digests::wanted()) [[unlikely]]
    digested.end(static_cast<int>(result), nameOf(result));
  return result;
}

// handOnImages() is handOn() for functions that load device code; `failed` is the result where there is no code for the
// GPU.
template <typename Result, typename... Parameters, typename Name, typename... Arguments>
Result handOnImages(const EntryInfo &info, const char *category, Result (*real)(Parameters...), Name nameOf,
                    std::tuple<Arguments...> arguments, Result failed) noexcept {
  GpuImages images;
  Status status;
  try {
    std::apply([&](auto &...each) { (images.replace(each), ...); }, arguments);
    status = images.status();
  } catch (...) {
    status = statusOfException();
  }
  if (status.ok()) return handOn(info, category, real, nameOf, arguments);
  logLine(std::string(info.name) + ": " + status.message());
  return failed;
}

// elsewhere() is the result of a call that the GPU's library makes; nothing when it is ours to make, or to refuse.
// `real` is read once it is clear where calls go.
template <bool loads, typename... Parameters, typename... Arguments>
std::optional<cudaError_t> elsewhere(const EntryInfo &info, cudaError_t (*const &real)(Parameters...),
                                     const std::tuple<Arguments...> &arguments) noexcept {
  if (gpu_backend::decided() != gpu_backend::State::Gpu) return std::nullopt;
  const auto nameOf = [](cudaError_t error) { return errorName(error); };
  if constexpr (loads)
    return handOnImages(info, "CUDA runtime API", real, nameOf, arguments, cudaErrorNoKernelImageForDevice);
  else
    return handOn(info, "CUDA runtime API", real, nameOf, arguments);
}

}  // namespace hostwarp::api

#endif  // HOSTWARP_EMU_RUNTIME_API_FORWARD_CALL_H
