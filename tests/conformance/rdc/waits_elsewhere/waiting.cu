#include "shared.h"

__device__ int halfOf(int x);

__device__ int fromNeighbour(int x) {
  __shared__ int s[256];
  __syncthreads();
  s[threadIdx.x] = x;
  __syncthreads();
  return s[(threadIdx.x + 1) % 256];
}

__device__ int fromHalf(int x) { return halfOf(x); }
