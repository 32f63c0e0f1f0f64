// Chapter "error": the calling thread's last error.
#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"

namespace hostwarp::api {

namespace {

// A sticky error stays until cudaDeviceReset(): reading it does not clear it.
bool sticky(cudaError_t error) {
  auto context = device::activeContext();
  return context && context->state()->error() == error;
}

}  // namespace

Status cudaPeekAtLastError() { return peekLastError(); }

Status cudaGetLastError() {
  const cudaError_t error = takeLastError();
  if (error != cudaSuccess && sticky(error)) setLastError(error);
  return error;
}

}  // namespace hostwarp::api
