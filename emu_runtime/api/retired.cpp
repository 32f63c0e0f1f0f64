// Chapter "retired": launches the way of CUDA 7 and before, one call per argument.
#include <algorithm>
#include <vector>

#include "emu_runtime/api/api.h"
#include "emu_runtime/execution/grid_launch.h"
#include "emu_runtime/execution/launch.h"

namespace hostwarp::api {

namespace {

// OldCall is a launch in the making: its arguments lie at the offsets that the caller gives.
struct OldCall {
  execution::LaunchConfiguration configuration;
  std::vector<char> arguments;
};

// A stack, because the arguments of a launch may launch as well.
thread_local std::vector<OldCall> calls;

}  // namespace

Status cudaConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem, cudaStream_t stream) {
  OldCall call;
  call.configuration.grid = gridDim;
  call.configuration.block = blockDim;
  call.configuration.dynamicShared = sharedMem;
  call.configuration.stream = stream;
  calls.push_back(std::move(call));
  return {};
}

Status cudaSetupArgument(const void *arg, size_t size, size_t offset) {
  constexpr size_t mostBytes = 4096;
  if (calls.empty()) return cudaErrorMissingConfiguration;
  if (!arg || offset > mostBytes || size > mostBytes - offset) return cudaErrorInvalidValue;
  std::vector<char> &arguments = calls.back().arguments;
  if (arguments.size() < offset + size) arguments.resize(offset + size);
  std::copy_n(static_cast<const char *>(arg), size, arguments.begin() + static_cast<ptrdiff_t>(offset));
  return {};
}

Status cudaLaunch(const void *func) {
  if (calls.empty()) return cudaErrorMissingConfiguration;
  OldCall call = std::move(calls.back());
  calls.pop_back();
  auto kernel = execution::kernelOf(func);
  if (!kernel.ok()) return kernel.status();
  const execution::PackedParameters parameters(*(*kernel)->code(), call.arguments.data());
  if (parameters.bytes > call.arguments.size())
    return Status(cudaErrorInvalidValue, "cudaSetupArgument has set fewer arguments than the kernel has");
  return execution::launch(func, call.configuration, parameters.addresses.data());
}

// GPUs without double precision, for which these converted, are history.
Status cudaSetDoubleForDevice(double *d) { return d ? cudaSuccess : cudaErrorInvalidValue; }
Status cudaSetDoubleForHost(double *d) { return d ? cudaSuccess : cudaErrorInvalidValue; }

}  // namespace hostwarp::api
