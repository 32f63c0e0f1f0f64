// Every exported function of the API table.
#include "emu_runtime/api/forward_call.h"
#include "emu_runtime/support/log.h"

namespace hostwarp::api {

static constexpr CalledApi runtimeApi{"CUDA runtime API",
                                      [](int error) { return errorName(static_cast<cudaError_t>(error)); },
                                      cudaErrorNoKernelImageForDevice};

}  // namespace hostwarp::api

#define HOSTWARP_EXPORT __attribute__((visibility("default")))

// What runs behind an entry, by the row's status. HOSTWARP_STATUS_* turn a status into the name of one of the
// HOSTWARP_RUN_* and the reason it needs.
#define HOSTWARP_STATUS_DONE HOSTWARP_RUN_DONE, ""
#define HOSTWARP_STATUS_DEBT HOSTWARP_RUN_DEBT, ""
#define HOSTWARP_STATUS_REFUSED(reason) HOSTWARP_RUN_REFUSED, reason
#define HOSTWARP_RUN_DONE(reason, name, arguments) hostwarp::api::name arguments
#define HOSTWARP_RUN_DEBT(reason, name, arguments) hostwarp::Status(hostwarp::unsupported(#name))
#define HOSTWARP_RUN_REFUSED(reason, name, arguments) hostwarp::Status(hostwarp::unsupported(#name, reason))
#define HOSTWARP_RUN_(run, reason, name, arguments) run(reason, name, arguments)
#define HOSTWARP_RUN(...) HOSTWARP_RUN_(__VA_ARGS__)

#define HOSTWARP_ENTRY(symbol, stream, status, errors, name, parameters, arguments)                                \
  extern "C" HOSTWARP_EXPORT cudaError_t symbol parameters {                                                       \
    static constexpr hostwarp::api::EntryInfo info{#symbol, #arguments, hostwarp::api::LastError::errors,          \
                                                   hostwarp::api::DefaultStream::stream};                          \
    if (!hostwarp::gpu_backend::isCpu()) [[unlikely]]                                                              \
      if (hostwarp::gpu_backend::decided() == hostwarp::gpu_backend::State::Gpu)                                   \
        return hostwarp::api::handOn<hostwarp::api::imageUse(#symbol)>(                                            \
            hostwarp::api::runtimeApi, info, hostwarp::gpu_backend::realRuntime.symbol != nullptr,                 \
            [&] { return hostwarp::gpu_backend::realRuntime.symbol arguments; }, hostwarp::api::placed arguments); \
    return hostwarp::api::enter(                                                                                   \
        info, [&]() -> hostwarp::Status { return HOSTWARP_RUN(HOSTWARP_STATUS_##status, name, arguments); },       \
        hostwarp::api::placed arguments);                                                                          \
  }

#define HOSTWARP_VARIANT_PLAIN(...)
#define HOSTWARP_VARIANT_PTDS(status, errors, name, parameters, arguments) \
  HOSTWARP_ENTRY(name##_ptds, PerThread, status, errors, name, parameters, arguments)
#define HOSTWARP_VARIANT_PTSZ(status, errors, name, parameters, arguments) \
  HOSTWARP_ENTRY(name##_ptsz, PerThread, status, errors, name, parameters, arguments)

#define HOSTWARP_API(status, chapter, errors, variant, name, parameters, arguments) \
  HOSTWARP_ENTRY(name, Legacy, status, errors, name, parameters, arguments)         \
  HOSTWARP_VARIANT_##variant(status, errors, name, parameters, arguments)

// Functions whose result is not an error cannot fail.
#define HOSTWARP_API_VALUE(status, chapter, type, name, parameters, arguments)                  \
  extern "C" HOSTWARP_EXPORT type name parameters {                                             \
    if (hostwarp::gpu_backend::isGpu() && hostwarp::gpu_backend::realRuntime.name) [[unlikely]] \
      return hostwarp::gpu_backend::realRuntime.name arguments;                                 \
    return hostwarp::api::name arguments;                                                       \
  }

#include "emu_runtime/api/api.def"
