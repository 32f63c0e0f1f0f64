// Kernels that kernels launch: findings name the launch in the kernel and the thread that made it, then from where the
// host has launched that kernel.
// options: -g -rdc=true
#include "pairs.h"

__global__ void exchange(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[(threadIdx.x + 32) % 64];
}
__global__ void exchangeBehind(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x + 32) % 64];
}

// finds: race within a block
// says: kernel exchange(int*)
// says: in exchange
// says: in racy_child\n            if (threadIdx.x == 3) exchange<<<1, 64>>>(out);
// says: by kernel racy_child(int*), block (0,0,0), thread (3,0,0)\n  called
// says: PAIR(child, 1, 32);
__global__ void racy_child(int *out) {
  if (threadIdx.x == 3) exchange<<<1, 64>>>(out);
}
__global__ void fixed_child(int *out) {
  if (threadIdx.x == 3) exchangeBehind<<<1, 64>>>(out);
}

__global__ void last(int *out, int n) { out[n + threadIdx.x] = n; }
__global__ void lastWithin(int *out, int n) { out[n + threadIdx.x] = n; }
__device__ void launchLast(int *out, int n) { last<<<1, 1>>>(out, n); }
__global__ void between(int *out) { launchLast(out, 1 << 18); }
__global__ void betweenWithin(int *out) { lastWithin<<<1, 1>>>(out, 5); }

// A launch within a launch, by a function that is part of a kernel.
// finds: out of bounds
// says: kernel last(int*, int)
// says: in launchLast\n            __device__ void launchLast(int *out, int n) { last<<<1, 1>>>(out, n); }\n  called
// says: by kernel between(int*), block (0,0,0), thread (0,0,0)\n  called
// says: in racy_grandchild\n            between<<<1, 1>>>(out);
// says: by kernel racy_grandchild(int*), block (1,0,0), thread (0,0,0)
__global__ void racy_grandchild(int *out) {
  if (blockIdx.x != 1) return;
  between<<<1, 1>>>(out);
}
__global__ void fixed_grandchild(int *out) {
  if (blockIdx.x != 1) return;
  betweenWithin<<<1, 1>>>(out);
}

int main() {
  PAIR(child, 1, 32);
  fixed_grandchild<<<2, 1>>>(memory());
  cudaDeviceSynchronize();
  racy_grandchild<<<2, 1>>>(memory());  // ends the kernel
  return finish();
}
