// Reads of global memory are put off as long as nobody writes to their page, and rows of threads are followed as one.
#include "pairs.h"

// What lanes that lie apart have read, one thread of another block writes.
// finds: race: blocks run in any order
__global__ void racy_gather(int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  out[4096 + i] = out[i * 37 % n];  // HERE
  if (i == n - 1) out[0] = 1;       // HERE
}
__global__ void fixed_gather(int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  out[4096 + i] = out[i * 37 % n];
  if (i == n - 1) out[n] = 1;
}

// Rows that begin inside of 32 bytes, and go over from one warp to the next: the last read of a block is of the place
// that the next block's first thread writes.
// finds: race: blocks run in any order
__global__ void racy_shifted(int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[4096 + i] = out[i + 3];        // HERE
  if (threadIdx.x == 0) out[i] = 1;  // HERE
}
__global__ void fixed_shifted(int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[4096 + i] = out[i + 3];
  if (threadIdx.x == 0) out[8192 + i] = 1;
}

// A thread writes to its neighbour's field.
// finds: race: __sync
__global__ void racy_fields(int *out) {
  int2 *const pairs = reinterpret_cast<int2 *>(out) + blockIdx.x * blockDim.x;
  const unsigned next = (threadIdx.x + 1) % blockDim.x;
  const int x = pairs[threadIdx.x].x;  // HERE
  pairs[threadIdx.x].y = x;
  pairs[next].x = x + 1;  // HERE
}
__global__ void fixed_fields(int *out) {
  int2 *const pairs = reinterpret_cast<int2 *>(out) + blockIdx.x * blockDim.x;
  const unsigned next = (threadIdx.x + 1) % blockDim.x;
  const int x = pairs[threadIdx.x].x;
  pairs[threadIdx.x].y = x;
  __syncthreads();
  pairs[next].x = x + 1;
}

// Parts of a row are written, without a barrier between, by other threads than those that had read all of it.
// finds: race: __sync
__global__ void racy_parts(int *out) {
  int *const mine = out + blockIdx.x * blockDim.x;
  const int value = mine[threadIdx.x];                                  // HERE
  if (threadIdx.x < 5) mine[blockDim.x - 1 - threadIdx.x] = value + 1;  // HERE
}
__global__ void fixed_parts(int *out) {
  int *const mine = out + blockIdx.x * blockDim.x;
  const int value = mine[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 5) mine[blockDim.x - 1 - threadIdx.x] = value + 1;
}

int main() {
  PAIR(gather, 3, 256);
  PAIR(gather, 5, 48);
  PAIR(shifted, 3, 256);
  PAIR(shifted, 4, 33);
  PAIR(shifted, 3, 100);
  PAIR(fields, 2, 256);
  PAIR(fields, 2, 50);
  PAIR(parts, 2, 256);
  PAIR(parts, 2, 100);
  return finish();
}
