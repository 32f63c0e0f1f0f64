// The implementations behind the entry points, and what they may ask of the edge.
#ifndef HOSTWARP_EMU_RUNTIME_API_API_H
#define HOSTWARP_EMU_RUNTIME_API_API_H

#include "emu_runtime/support/status.h"
#include "include/cuda_runtime_api.h"

namespace hostwarp::api {

// One declaration per row of the table; those whose status is DONE are defined somewhere in emu_runtime/. Each has the
// effect, blocking and thread rules that CUDA documents for its name.
#define HOSTWARP_API(status, chapter, lastError, variant, name, parameters, arguments) Status name parameters;
#define HOSTWARP_API_VALUE(status, chapter, type, name, parameters, arguments) type name parameters;
#include "emu_runtime/api/api.def"
#undef HOSTWARP_API_VALUE
#undef HOSTWARP_API

// defaultStreamIsPerThread() says whether the running entry point is a _ptds/_ptsz variant, so that stream 0 stands for
// cudaStreamPerThread. False outside of entry points.
bool defaultStreamIsPerThread();

// The calling thread's last error. takeLastError() resets it to cudaSuccess.
cudaError_t peekLastError();
cudaError_t takeLastError();

}  // namespace hostwarp::api

#endif  // HOSTWARP_EMU_RUNTIME_API_API_H
