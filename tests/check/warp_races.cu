// Races between the threads of a warp, which do not run in step.
#include "pairs.h"

// finds: race: __syncwarp()
__global__ void racy_lanes(int *out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;            // HERE
  out[threadIdx.x] = tile[31 - threadIdx.x];  // HERE
}
__global__ void fixed_lanes(int *out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

// A reduction as it was written for warps in step.
// finds: race: volatile
__global__ void racy_in_step(int *out) {
  __shared__ volatile int sums[64];
  sums[threadIdx.x] = threadIdx.x;
  sums[threadIdx.x + 32] = 1;
  __syncwarp();
  sums[threadIdx.x] += sums[threadIdx.x + 32];  // HERE
  sums[threadIdx.x] += sums[threadIdx.x + 16];  // HERE
  if (threadIdx.x == 0) *out = sums[0];
}
__global__ void fixed_in_step(int *out) {
  __shared__ volatile int sums[64];
  sums[threadIdx.x] = threadIdx.x;
  sums[threadIdx.x + 32] = 1;
  __syncwarp();
  int sum = sums[threadIdx.x] + sums[threadIdx.x + 32];
  __syncwarp();
  sums[threadIdx.x] = sum;
  __syncwarp();
  sum += sums[threadIdx.x + 16];
  __syncwarp();
  sums[threadIdx.x] = sum;
  if (threadIdx.x == 0) *out = sums[0];
}

// The mask names the lower half; lane 20 is of the upper.
// finds: race: __syncwarp()
__global__ void racy_mask(int *out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;  // HERE
  if (threadIdx.x < 16) {
    __syncwarp(0xffff);
    out[threadIdx.x] = tile[threadIdx.x + 16];  // HERE
  }
  __syncwarp();
}
__global__ void fixed_mask(int *out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 16) {
    __syncwarp(0xffff);
    out[threadIdx.x] = tile[15 - threadIdx.x];
  }
  __syncwarp();
}

// A shuffle hands over values and orders no memory.
// finds: race: __syncwarp()
__global__ void racy_shuffle(int *out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;  // HERE
  const int from = __shfl_xor_sync(~0u, static_cast<int>(threadIdx.x), 1);
  out[threadIdx.x] = tile[from];  // HERE
}
__global__ void fixed_shuffle(int *out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  const int from = __shfl_xor_sync(~0u, static_cast<int>(threadIdx.x), 1);
  __syncwarp();
  out[threadIdx.x] = tile[from];
}

// finds: race: __syncwarp()
__global__ void racy_global(int *out) {
  out[threadIdx.x] = threadIdx.x;           // HERE
  out[threadIdx.x + 64] = out[31 - threadIdx.x];  // HERE
}
__global__ void fixed_global(int *out) {
  out[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x + 64] = out[31 - threadIdx.x];
}

// All lanes write, each another value.
// finds: race: __syncwarp()
__global__ void racy_one_place(int *out) { *out = threadIdx.x; }  // HERE
__global__ void fixed_one_place(int *out) { *out = 1; }

// Lane 20 writes, and leaves before the others meet.
// finds: race: has left the kernel
__global__ void racy_left(int *out) {
  __shared__ int value;
  if (threadIdx.x == 20) {
    value = 1;  // HERE
    return;
  }
  __syncwarp(~(1u << 20));
  if (threadIdx.x == 21) *out = value;  // HERE
}
__global__ void fixed_left(int *out) {
  __shared__ int value;
  if (threadIdx.x == 20) value = 1;
  __syncwarp();
  if (threadIdx.x == 21) *out = value;
}

// Those who have left the warp are waited for no more.
// finds: race: __syncthreads()
__global__ void racy_early_exit(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;  // HERE
  if (threadIdx.x >= 16 && threadIdx.x < 32) return;
  __syncwarp();
  out[threadIdx.x] = tile[(threadIdx.x + 32) % 64];  // HERE
}
__global__ void fixed_early_exit(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x >= 16 && threadIdx.x < 32) return;
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x & ~15];
}

int main() {
  PAIR(lanes, 1, 32);
  PAIR(in_step, 1, 32);
  PAIR(mask, 1, 32);
  PAIR(shuffle, 1, 32);
  PAIR(global, 1, 32);
  PAIR(one_place, 1, 32);
  PAIR(left, 1, 32);
  PAIR(early_exit, 1, 64);
  return finish();
}
