// Chapter "profiler". These do nothing when nothing watches.
#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/profile/timeline.h"

namespace hostwarp::api {

Status cudaProfilerStart() {
  HOSTWARP_TRY(device::permitted());
  profile::startRange();
  return {};
}

Status cudaProfilerStop() {
  HOSTWARP_TRY(device::permitted());
  profile::stopRange();
  return {};
}

}  // namespace hostwarp::api
