// Chapter "profiler". As with NVIDIA's library these do nothing when no profiler watches, and none can.
#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"

namespace hostwarp::api {

Status cudaProfilerStart() { return device::permitted(); }
Status cudaProfilerStop() { return device::permitted(); }

}  // namespace hostwarp::api
