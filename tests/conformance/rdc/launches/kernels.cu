#include "kernels.h"

static __global__ void own(int *out) { atomicAdd(out, 100); }

__global__ void elsewhere(int *out, int value) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, value);
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}

__device__ void launchFromLibrary(int *out) {
  own<<<2, 2>>>(out);
  both<<<1, 4>>>(out + 1, 7);
}
