// Every function of the driver API's table as an exported symbol. libcuda.so.1 hands its calls on to these: so both
// APIs work in one library, on the same contexts, streams and memory.
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include "emu_runtime/api/forward_call.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/driver/driver.h"
#include "emu_runtime/stream/turns.h"
#include "emu_runtime/support/log.h"

namespace hostwarp::driver_api {
namespace {

// What must be there before a function is called.
enum class Needs { ANYTIME, INIT, OBJECT, BOUND, STREAM, CONTEXT };

Status precondition(Needs needs) {
  if (needs == Needs::ANYTIME) return {};
  if (!initialised()) return cudaErrorInitializationError;
  if (needs >= Needs::BOUND && !device::boundContext()) return cudaErrorDeviceUninitialized;
  return needs == Needs::INIT || needs == Needs::BOUND ? Status() : device::boundStatus();
}

// streamAmong() is the stream that a function is given; null where it is given none, or the default one.
template <typename... Arguments>
CUstream streamAmong(const Arguments &...arguments) {
  CUstream stream = nullptr;
  [[maybe_unused]] const auto take = [&stream](const auto &argument) {
    if constexpr (std::is_same_v<std::decay_t<decltype(argument)>, CUstream>) stream = argument;
  };
  (take(arguments), ...);
  return stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD ? nullptr : stream;
}

Status runChecked(Needs needs, const api::Implementation &run) {
  HOSTWARP_TRY(precondition(needs));
  return run();
}

// runBorrowing() makes the stream's context current for the call, where none is.
Status runBorrowing(CUstream stream, Needs needs, const api::Implementation &run) {
  if (gpu_backend::isRefused()) return gpu_backend::refusal();
  if (needs != Needs::STREAM || !stream || device::boundContext()) return runChecked(needs, run);
  const auto found = device::streamTable().find(stream);
  const CUcontext context = found ? device::handleOf(found->context) : nullptr;
  if (!context) return cudaErrorContextIsDestroyed;
  const device::ContextScope borrowed(context);
  return runChecked(needs, run);
}

CUresult enter(const api::EntryInfo &info, Needs needs, CUstream stream, const api::Implementation &run,
               const api::Arguments &arguments) noexcept {
  const api::DefaultStreamScope scope(info.defaultStream);
  const device::ExplicitContexts contexts;
  const order::CallScope callScope(info.name);
  const stream::Turns::Call turn;
  const profile::Call call;
  digests::Call digested(info.name, info.defaultStream == api::DefaultStream::PerThread, arguments);
  Status status;
  try {
    status = runBorrowing(stream, needs, run);
  } catch (...) {
    status = api::statusOfException();
  }
  const CUresult result = resultOf(api::finish(info, status));
  const char *name = resultName(result);
  api::logFailure(info, result, name ? name : "?");
  api::observe(call, "CUDA driver API", info, result == CUDA_SUCCESS, name ? name : "?", arguments);
  if (digests::wanted()) [[unlikely]]
    digested.end(result, name ? name : "?");
  return result;
}

const char *shownName(int result) {
  const char *const name = resultName(static_cast<CUresult>(result));
  return name ? name : "?";
}

constexpr api::CalledApi driverApi{"CUDA driver API", shownName, CUDA_ERROR_NO_BINARY_FOR_GPU};

}  // namespace
}  // namespace hostwarp::driver_api

#define HOSTWARP_STATUS_DONE HOSTWARP_RUN_DONE, ""
#define HOSTWARP_STATUS_DEBT HOSTWARP_RUN_DEBT, ""
#define HOSTWARP_STATUS_REFUSED(reason) HOSTWARP_RUN_REFUSED, reason
#define HOSTWARP_RUN_DONE(reason, name, arguments) hostwarp::driver_api::name arguments
#define HOSTWARP_RUN_DEBT(reason, name, arguments) hostwarp::Status(hostwarp::unsupported(#name))
#define HOSTWARP_RUN_REFUSED(reason, name, arguments) hostwarp::Status(hostwarp::unsupported(#name, reason))
#define HOSTWARP_RUN_(run, reason, name, arguments) run(reason, name, arguments)
#define HOSTWARP_RUN(...) HOSTWARP_RUN_(__VA_ARGS__)

#define HOSTWARP_ENTRY(symbol, stream, status, needs, name, parameters, arguments)                                \
  extern "C" __attribute__((visibility("default"))) CUresult __hostwarp_##symbol parameters {                     \
    static constexpr hostwarp::api::EntryInfo info{#symbol, #arguments, hostwarp::api::LastError::KEEPS,          \
                                                   hostwarp::api::DefaultStream::stream};                         \
    if (!hostwarp::gpu_backend::isCpu()) [[unlikely]]                                                             \
      if (hostwarp::gpu_backend::decided() == hostwarp::gpu_backend::State::Gpu)                                  \
        return hostwarp::api::handOn<hostwarp::api::imageUse(#symbol)>(                                           \
            hostwarp::driver_api::driverApi, info, hostwarp::gpu_backend::realDriver.symbol != nullptr,           \
            [&] { return hostwarp::gpu_backend::realDriver.symbol arguments; }, hostwarp::api::placed arguments); \
    return hostwarp::driver_api::enter(                                                                           \
        info, hostwarp::driver_api::Needs::needs, hostwarp::driver_api::streamAmong arguments,                    \
        [&]() -> hostwarp::Status { return HOSTWARP_RUN(HOSTWARP_STATUS_##status, name, arguments); },            \
        hostwarp::api::placed arguments);                                                                         \
  }
#define HOSTWARP_VARIANT_PLAIN(...)
#define HOSTWARP_VARIANT_PTDS(status, needs, name, parameters, arguments) \
  HOSTWARP_ENTRY(name##_ptds, PerThread, status, needs, name, parameters, arguments)
#define HOSTWARP_VARIANT_PTSZ(status, needs, name, parameters, arguments) \
  HOSTWARP_ENTRY(name##_ptsz, PerThread, status, needs, name, parameters, arguments)
#define HOSTWARP_DRIVER(status, needs, variant, name, parameters, arguments) \
  HOSTWARP_ENTRY(name, Legacy, status, needs, name, parameters, arguments)   \
  HOSTWARP_VARIANT_##variant(status, needs, name, parameters, arguments)
#include "emu_runtime/driver/driver_api.def"
#undef HOSTWARP_DRIVER

// What the names of old_names.def do whose addresses are too short.
extern "C" __attribute__((visibility("default"))) CUresult __hostwarp_narrow(const char *name) {
  return hostwarp::driver_api::resultOf(
      hostwarp::unsupported(name,
                            "in the form that dlsym() finds under this name addresses and sizes have 32 bits; "
                            "use the name with _v2, or cuGetProcAddress()"));
}

namespace hostwarp::driver_api {
namespace {

// Entries is one function of the table: under its own name, and for the per-thread default stream.
struct Entries {
  void *plain;
  void *perThread;
};

#define HOSTWARP_PER_THREAD_PLAIN(name) __hostwarp_##name
#define HOSTWARP_PER_THREAD_PTDS(name) __hostwarp_##name##_ptds
#define HOSTWARP_PER_THREAD_PTSZ(name) __hostwarp_##name##_ptsz
#define HOSTWARP_DRIVER(status, needs, variant, name, parameters, arguments) \
  {#name, {(void *)__hostwarp_##name, (void *)HOSTWARP_PER_THREAD_##variant(name)}},

const std::unordered_map<std::string_view, Entries> &entries() {
  static const auto *map = new std::unordered_map<std::string_view, Entries>{
#include "emu_runtime/driver/driver_api.def"
  };
  return *map;
}
#undef HOSTWARP_DRIVER

}  // namespace

void *entryPoint(const char *name, bool perThread) {
  auto found = entries().find(name);
  if (found == entries().end()) return nullptr;
  return perThread ? found->second.perThread : found->second.plain;
}

}  // namespace hostwarp::driver_api
