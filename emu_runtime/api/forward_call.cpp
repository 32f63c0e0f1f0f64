#include "emu_runtime/api/forward_call.h"

namespace hostwarp::api {

int handOnObserved(const CalledApi &called, const EntryInfo &info, const RealCall &make,
                   const Arguments &arguments) noexcept {
  const profile::Call call;
  digests::Call digested(info.name, info.defaultStream == DefaultStream::PerThread, arguments);
  const int result = make();
  const char *const name = called.nameOf(result);
  observe(call, called.name, info, result == 0, name, arguments);
  if (digests::wanted()) digested.end(result, name);
  return result;
}

int refuseMissing(const EntryInfo &info) noexcept {
  return unsupported(info.name, "the GPU's library has no such function");
}

}  // namespace hostwarp::api
