// Races in shared memory, each beside the same kernel without it.
#include "pairs.h"

// finds: race: __syncthreads()
__global__ void racy_neighbour(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;              // HERE
  out[threadIdx.x] = tile[63 - threadIdx.x];    // HERE
}
__global__ void fixed_neighbour(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// finds: race: __syncthreads()
__global__ void racy_tree(int *out) {
  __shared__ int sums[256];
  sums[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2)
    if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];  // HERE
  if (threadIdx.x == 0) *out = sums[0];
}
__global__ void fixed_tree(int *out) {
  __shared__ int sums[256];
  sums[threadIdx.x] = threadIdx.x;
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
  }
  if (threadIdx.x == 0) *out = sums[0];
}

// A tile is filled again before all have read it.
// finds: race: __syncthreads()
__global__ void racy_reuse(int *out) {
  __shared__ int tile[64];
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    tile[threadIdx.x] = round;          // HERE
    __syncthreads();
    sum += tile[(threadIdx.x + 32) % 64];  // HERE
  }
  out[threadIdx.x] = sum;
}
__global__ void fixed_reuse(int *out) {
  __shared__ int tile[64];
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    tile[threadIdx.x] = round;
    __syncthreads();
    sum += tile[(threadIdx.x + 32) % 64];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// finds: race: __syncthreads()
__global__ void racy_writers(int *out) {
  __shared__ int last;
  if (threadIdx.x % 32 == 0) last = threadIdx.x;  // HERE
  __syncthreads();
  out[threadIdx.x] = last;
}
__global__ void fixed_writers(int *out) {
  __shared__ int last;
  if (threadIdx.x == 32) last = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = last;
}

// finds: race: __syncthreads()
__global__ void racy_dynamic(int *out) {
  extern __shared__ int buffer[];
  if (threadIdx.x == 0) buffer[5] = 1;  // HERE
  out[threadIdx.x] = buffer[5];         // HERE
}
__global__ void fixed_dynamic(int *out) {
  extern __shared__ int buffer[];
  if (threadIdx.x == 0) buffer[5] = 1;
  __syncthreads();
  out[threadIdx.x] = buffer[5];
}

// The four bytes are one thread's each, but for one.
// finds: race: __syncwarp()
__global__ void racy_bytes(int *out) {
  __shared__ char bytes[128];
  bytes[threadIdx.x] = 1;                                    // HERE
  if (threadIdx.x == 64) out[0] = bytes[threadIdx.x + 1];    // HERE
}
__global__ void fixed_bytes(int *out) {
  __shared__ char bytes[128];
  bytes[threadIdx.x] = 1;
  if (threadIdx.x == 64) out[0] = bytes[threadIdx.x];
}

// One reads as a word what others write as bytes.
// finds: race: __syncthreads()
__global__ void racy_sizes(int *out) {
  __shared__ union {
    unsigned char bytes[128];
    int words[32];
  } both;
  both.bytes[threadIdx.x] = 1;                           // HERE
  if (threadIdx.x == 96) out[0] = both.words[3];         // HERE
}
__global__ void fixed_sizes(int *out) {
  __shared__ union {
    unsigned char bytes[128];
    int words[32];
  } both;
  both.bytes[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 96) out[0] = both.words[3];
}

// finds: race: one of the two is atomic
__global__ void racy_histogram(int *out) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;  // HERE
  atomicAdd(&bins[threadIdx.x % 8], 1);        // HERE
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}
__global__ void fixed_histogram(int *out) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % 8], 1);
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}

// finds: race: one of the two is atomic
__global__ void racy_counter(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x & 1) atomicAdd(&count, 1);   // HERE
  if (threadIdx.x == 127) *out = count;        // HERE
}
__global__ void fixed_counter(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x & 1) atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 127) *out = count;
}

// Only the half that has work comes to the barrier of that half.
// finds: race: __syncthreads()
__global__ void racy_halves(int *out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = threadIdx.x;  // HERE
  if (threadIdx.x < 64) {
    asm volatile("bar.sync 1, 64;");
    out[threadIdx.x] = tile[threadIdx.x + 64];  // HERE
  }
  __syncthreads();
}
__global__ void fixed_halves(int *out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 64) {
    asm volatile("bar.sync 1, 64;");
    out[threadIdx.x] = tile[63 - threadIdx.x];
  }
  __syncthreads();
}

// Producers arrive and go on, consumers wait.
// finds: race: __syncthreads()
__global__ void racy_arrival(int *out) {
  __shared__ int tile[32];
  if (threadIdx.x < 32) {
    asm volatile("bar.arrive 2, 64;");
    tile[threadIdx.x] = threadIdx.x;  // HERE
  } else {
    asm volatile("bar.sync 2, 64;");
    out[threadIdx.x] = tile[threadIdx.x - 32];  // HERE
  }
  __syncthreads();
}
__global__ void fixed_arrival(int *out) {
  __shared__ int tile[32];
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = threadIdx.x;
    asm volatile("bar.arrive 2, 64;");
  } else {
    asm volatile("bar.sync 2, 64;");
    out[threadIdx.x] = tile[threadIdx.x - 32];
  }
  __syncthreads();
}

// A function that is not inlined, with the memory by address.
__device__ __noinline__ void put(int *place, int value) { *place = value; }
__device__ __noinline__ int get(const int *place) { return *place; }
// finds: race: __syncthreads()
__global__ void racy_calls(int *out) {
  __shared__ int tile[64];
  put(&tile[threadIdx.x], 1);
  out[threadIdx.x] = get(&tile[63 - threadIdx.x]);
}
__global__ void fixed_calls(int *out) {
  __shared__ int tile[64];
  put(&tile[threadIdx.x], 1);
  __syncthreads();
  out[threadIdx.x] = get(&tile[63 - threadIdx.x]);
}

int main() {
  PAIR(neighbour, 1, 64);
  PAIR(tree, 1, 256);
  PAIR(reuse, 1, 64);
  PAIR(writers, 1, 128);
  PAIR(dynamic, 1, 64);
  PAIR(bytes, 1, 128);
  PAIR(sizes, 1, 128);
  PAIR(histogram, 1, 128);
  PAIR(counter, 1, 128);
  PAIR(halves, 1, 128);
  PAIR(arrival, 1, 64);
  PAIR(calls, 1, 64);
  return finish();
}
