// cudaGetLastError takes the last error away, cudaPeekAtLastError leaves it; a success does not clear it.
#include "../check.h"

#include <cstring>

__global__ void nothing() {}

int main() {
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  void *pointer = nullptr;
  CHECK_EQ(cudaMalloc(&pointer, ~size_t(0)), cudaErrorMemoryAllocation);
  CHECK_EQ(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
  CUDA_OK(cudaMalloc(&pointer, 16));
  CUDA_OK(cudaFree(pointer));
  CHECK_EQ(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
  CHECK_EQ(cudaSetDevice(12345), cudaErrorInvalidDevice);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidDevice);  // the newest one
  CHECK_EQ(cudaGetLastError(), cudaSuccess);

  // A refused launch leaves its error for the host, and the device stays usable.
  nothing<<<1, 5000>>>();
  CHECK_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  nothing<<<1, 1>>>();
  LAUNCH_OK();

  CHECK(strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess") == 0);
  CHECK(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
  CHECK(strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation") == 0);
  CHECK(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
  CHECK(strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
  CHECK(strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
  CHECK(strcmp(cudaGetErrorString(static_cast<cudaError_t>(99999)), "unrecognized error code") == 0);
  return check::finish();
}
