// What an entry point does when kernels do not run on emulated devices.
#ifndef HOSTWARP_EMU_RUNTIME_API_FORWARD_CALL_H
#define HOSTWARP_EMU_RUNTIME_API_FORWARD_CALL_H

#include <string>
#include <type_traits>
#include <utility>

#include "emu_runtime/api/entry_call.h"
#include "emu_runtime/api/gpu_images.h"
#include "emu_runtime/support/log.h"
#include "gpu_backend/backend.h"
#include "gpu_backend/tables.h"

namespace hostwarp::api {

// CalledApi is what differs between the two APIs: the name of one, the names of its results, and the result where
// there is no code for the GPU.
struct CalledApi {
  const char *name;
  const char *(*nameOf)(int result);
  int noCode;
};

// isObserved() tells whether anything wants to know of calls: HOSTWARP_TRACE, the timeline or `hostwarp compare`.
inline bool isObserved() { return profile::collecting() || digests::wanted() || traceEnabled(); }

// RealCall is a call of NVIDIA's library with its type taken away. It refers to what it is made of.
class RealCall {
 public:
  template <typename Make>
    requires(!std::is_same_v<Make, RealCall>)
  RealCall(const Make &make) : make_(&make), call_(call<Make>) {}

  int operator()() const { return call_(make_); }

 private:
  template <typename Make>
  static int call(const void *make) {
    return static_cast<int>((*static_cast<const Make *>(make))());
  }

  const void *make_;
  int (*call_)(const void *);
};

// handOnObserved() makes the call and tells of it, as of any other.
int handOnObserved(const CalledApi &called, const EntryInfo &info, const RealCall &make,
                   const Arguments &arguments) noexcept;

// refuseMissing() is the result where NVIDIA's library has no such function.
int refuseMissing(const EntryInfo &info) noexcept;

// replaceImages() puts code for this machine's GPUs in the place of ours; false, and said why: there is none.
template <typename Images, typename... Values, size_t... indices>
bool replaceImages(Images &images, const EntryInfo &info, const Placed<Values...> &values,
                   std::index_sequence<indices...>) noexcept {
  Status status;
  try {
    (images.replace(*static_cast<Values *>(values.places[indices])), ...);
    status = images.status();
  } catch (...) {
    status = statusOfException();
  }
  if (!status.ok()) logLine(std::string(info.name) + ": " + status.message());
  return status.ok();
}

// handOn() makes the call of NVIDIA's library, if that has the function; without observers it costs some loads and
// branches. `use`: of device code.
template <ImageUse use, typename Make, typename... Values>
auto handOn(const CalledApi &called, const EntryInfo &info, bool isThere, const Make &make,
            const Placed<Values...> &values) noexcept {
  using Result = decltype(make());
  // What is put in the place of images has to be there during the call.
  [[maybe_unused]] ReplacedImages<use> images;
  if constexpr (use != ImageUse::None) {
    if (!replaceImages(images, info, values, std::index_sequence_for<Values...>()))
      return static_cast<Result>(called.noCode);
  }
  if (!isThere) [[unlikely]]
    return static_cast<Result>(refuseMissing(info));
  if (isObserved()) [[unlikely]]
    return static_cast<Result>(handOnObserved(called, info, make, values));
  return make();
}

}  // namespace hostwarp::api

#endif  // HOSTWARP_EMU_RUNTIME_API_FORWARD_CALL_H
