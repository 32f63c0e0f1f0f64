// printf from a kernel, and an assertion that fails: the kernel stops, and the host learns it as an error code.
#include <cassert>

#include "../common.h"

__global__ void hello() {
  if (threadIdx.x == 0) printf("hello from block %d of %d, which has %d threads\n", blockIdx.x, gridDim.x, blockDim.x);
}

__global__ void mustBePositive(const int *values) { assert(values[threadIdx.x] > 0); }

int main() {
  hello<<<1, 32>>>();
  hello<<<1, 64>>>();
  CUDA_CHECK(cudaDeviceSynchronize());  // output appears at the latest here

  int host[4] = {3, 1, 4, -1}, *device;
  CUDA_CHECK(cudaMalloc(&device, sizeof host));
  CUDA_CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
  mustBePositive<<<1, 3>>>(device);
  CUDA_CHECK(cudaDeviceSynchronize());
  printf("three values are positive\n");
  fflush(stdout);

  mustBePositive<<<1, 4>>>(device);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("the fourth is not: %s\n", cudaGetErrorName(error));
  return report(error == cudaErrorAssert);
}
