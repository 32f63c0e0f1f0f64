// Kernels that do little or nothing, and one that waits at barriers most of the time.
#include "../harness/cuda.h"

__global__ void increment(int *count) {
  if (threadIdx.x == 0) ++*count;
}

__global__ void emptyBlocks(int *out, int limit) {
  if (threadIdx.x >= limit) *out = 1;
}

// Each round, a thread takes its neighbour's number.
__global__ void barriers(int *out, int rounds) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    int v = s[(t + 1) & 255];
    __syncthreads();
    s[t] = v + 1;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = s[t];
}

#include "launches_cases.h"
