// A bitonic sort: steps within 1024 keys in shared memory, longer ones in global memory.
#include "../harness/cuda.h"

__device__ inline void exchange(unsigned &a, unsigned &b, bool down) {
  if ((a > b) != down) {
    unsigned t = a;
    a = b;
    b = t;
  }
}

// 512 threads sort 1024 keys, blocks up and down in turn.
__global__ void bitonicSort(unsigned *keys) {
  __shared__ unsigned s[1024];
  int t = threadIdx.x;
  unsigned *own = keys + blockIdx.x * 1024;
  s[t] = own[t];
  s[t + 512] = own[t + 512];
  for (int size = 2; size <= 1024; size <<= 1) {
    bool down = size == 1024 ? blockIdx.x & 1 : (t & (size / 2)) != 0;
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      int position = 2 * t - (t & (stride - 1));
      exchange(s[position], s[position + stride], down);
    }
  }
  __syncthreads();
  own[t] = s[t];
  own[t + 512] = s[t + 512];
}

__global__ void bitonicStep(unsigned *keys, int size, int stride) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int position = 2 * t - (t & (stride - 1));
  exchange(keys[position], keys[position + stride], (t & (size / 2)) != 0);
}

__global__ void bitonicMerge(unsigned *keys, int size) {
  __shared__ unsigned s[1024];
  int t = threadIdx.x;
  unsigned *own = keys + blockIdx.x * 1024;
  bool down = ((blockIdx.x * 512 + t) & (size / 2)) != 0;
  s[t] = own[t];
  s[t + 512] = own[t + 512];
  for (int stride = 512; stride > 0; stride >>= 1) {
    __syncthreads();
    int position = 2 * t - (t & (stride - 1));
    exchange(s[position], s[position + stride], down);
  }
  __syncthreads();
  own[t] = s[t];
  own[t + 512] = s[t + 512];
}

#include "sorting_cases.h"
