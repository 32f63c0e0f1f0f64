// The two halves of `kernel<<<grid, block, shared, stream>>>(arguments)`: the caller pushes the configuration, the
// kernel's stub pops it and calls cudaLaunchKernel().
#include <driver_types.h>
#include <vector_types.h>

#include <vector>

#include "emu_runtime/abi/exports.h"

namespace {

struct CallConfiguration {
  dim3 grid;
  dim3 block;
  size_t sharedBytes;
  cudaStream_t stream;
};

// A stack, because the arguments of a launch may launch as well.
thread_local std::vector<CallConfiguration> configurations;

}  // namespace

HOSTWARP_ABI unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes, cudaStream_t stream) {
  configurations.push_back({grid, block, sharedBytes, stream});
  return 0;
}

HOSTWARP_ABI cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes, void *stream) {
  if (configurations.empty()) return cudaErrorMissingConfiguration;
  const CallConfiguration &top = configurations.back();
  *grid = top.grid;
  *block = top.block;
  *sharedBytes = top.sharedBytes;
  *static_cast<cudaStream_t *>(stream) = top.stream;
  configurations.pop_back();
  return cudaSuccess;
}
