// Values that nobody has written, told of where they decide something, each beside the same kernel with a write before
// it. What is only handed on is not told of.
// check: --init=use
// options: -g
#include <cuda_fp16.h>

#include <cstdlib>

#include "pairs.h"

// finds: uninitialised value: decides a branch: 'least', declared in line
__global__ void racy_scalar(int *data) {
  int least;
  if (data[threadIdx.x] < 32) least = data[threadIdx.x];
  if (least < 8) data[threadIdx.x] = 0;  // HERE
}
__global__ void fixed_scalar(int *data) {
  int least = 32;
  if (data[threadIdx.x] < 32) least = data[threadIdx.x];
  if (least < 8) data[threadIdx.x] = 0;
}

// finds: uninitialised value: decides a branch: 'sums', declared in line
__global__ void racy_array(int *data, int n) {
  int sums[8];
  for (int i = 0; i < n - 1; ++i) sums[i] = data[i];
  if (sums[threadIdx.x % n] > 3) data[threadIdx.x] = 0;  // HERE
}
__global__ void fixed_array(int *data, int n) {
  int sums[8];
  for (int i = 0; i < n; ++i) sums[i] = data[i];
  if (sums[threadIdx.x % n] > 3) data[threadIdx.x] = 0;
}

__device__ __noinline__ int twice(int value) { return 2 * value; }

// Through a call, and arithmetic.
// finds: uninitialised value: is part of an address: 'at', declared in line
__global__ void racy_address(int *data, int n) {
  int at;
  if (threadIdx.x < n) at = threadIdx.x;
  data[twice(at) & 63] = 1;  // HERE
}
__global__ void fixed_address(int *data, int n) {
  int at = 0;
  if (threadIdx.x < n) at = threadIdx.x;
  atomicExch(data + (twice(at) & 63), 1);
}

// From memory, through shared memory and a barrier, to another thread.
// finds: uninitialised value: decides a branch: of the 4096 bytes of cudaMalloc at
__global__ void racy_far(int *data) {
  __shared__ int tile[64];
  tile[threadIdx.x] = data[512 + threadIdx.x] + 1;
  __syncthreads();
  if (tile[63 - threadIdx.x] > 5) data[threadIdx.x] = 0;  // HERE
}
__global__ void fixed_far(int *data) {
  __shared__ int tile[64];
  data[512 + threadIdx.x] = 4;
  tile[threadIdx.x] = data[512 + threadIdx.x] + 1;
  __syncthreads();
  if (tile[63 - threadIdx.x] > 5) data[threadIdx.x] = 0;
}

// finds: uninitialised value: decides a branch: of shared memory
__global__ void racy_shared(int *data) {
  __shared__ int tile[64];
  if (threadIdx.x < 32) tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (tile[threadIdx.x] == 3) data[threadIdx.x] = 0;  // HERE
}
__global__ void fixed_shared(int *data) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (tile[threadIdx.x] == 3) data[threadIdx.x] = 0;
}

// One bit of a number decides, another was never written.
// finds: uninitialised value: decides a branch: of the 4096 bytes of cudaMalloc at
__global__ void racy_bits(int *data) {
  auto *const bytes = reinterpret_cast<unsigned char *>(data + 256 + threadIdx.x);
  bytes[0] = 1;
  if ((data[256 + threadIdx.x] & 0x100) != 0) data[threadIdx.x] = 0;  // HERE
}
__global__ void fixed_bits(int *data) {
  auto *const bytes = reinterpret_cast<unsigned char *>(data + 256 + threadIdx.x);
  bytes[0] = 1;
  if ((data[256 + threadIdx.x] & 1) != 0) data[threadIdx.x] = 0;
}

struct Padded {
  char tag;
  double value;
};

// Structures are copied with what lies between their members.
// finds: uninitialised value: decides a branch: 'mine', declared in line
__global__ void racy_structure(int *data, int n) {
  Padded mine;
  mine.tag = 1;
  if (n > 100) mine.value = 1;
  Padded copy = mine;
  if (copy.value > 0.5) data[threadIdx.x] = 0;  // HERE
}
__global__ void fixed_structure(int *data, int n) {
  Padded mine;
  mine.tag = 1;
  if (n > 0) mine.value = 1;
  Padded copy = mine;
  if (copy.value > 0.5) data[threadIdx.x] = 0;
}

struct Wide {
  int numbers[24];
};
__device__ __noinline__ int pick(Wide wide, int i) { return wide.numbers[i]; }

// Arguments by value, of kernels as well, are copied with what was written of them.
// finds: uninitialised value: decides a branch: 'mine', declared in line
__global__ void racy_by_value(int *data, Wide given) {
  Wide mine;
  for (int i = 0; i < 20; ++i) mine.numbers[i] = given.numbers[i];
  if (pick(mine, 16 + threadIdx.x % 8) > 3) data[threadIdx.x] = 0;  // HERE
}
__global__ void fixed_by_value(int *data, Wide given) {
  Wide mine;
  for (int i = 0; i < 24; ++i) mine.numbers[i] = given.numbers[i];
  if (pick(mine, 16 + threadIdx.x % 8) > 3) data[threadIdx.x] = 0;
}

// Through operations that become code late.
// finds: uninitialised value: decides a branch
__global__ void racy_half(int *data) {
  const __half *numbers = reinterpret_cast<const __half *>(data + 512);
  if (numbers[threadIdx.x] * numbers[threadIdx.x] + __float2half(1) > __float2half(3)) data[threadIdx.x] = 0;  // HERE
}
__global__ void fixed_half(int *data) {
  const __half *numbers = reinterpret_cast<const __half *>(data + 512);
  if (threadIdx.x % 2 == 0) data[512 + threadIdx.x / 2] = 0x3c003c00;
  __syncwarp();
  if (numbers[threadIdx.x] * numbers[threadIdx.x] + __float2half(1) > __float2half(3)) data[threadIdx.x] = 0;
}

// Of what is never looked at nobody is told: a sum that is thrown away, the lanes that a mask hides.
// finds: uninitialised read: updates 4 bytes at
__global__ void racy_unused(int *data) {
  atomicAdd(data + 600 + threadIdx.x, 1);  // HERE
}
__global__ void fixed_unused(int *data) {
  const int sum = data[700] + data[701];
  data[702 + threadIdx.x] = threadIdx.x < 64 ? data[threadIdx.x] : sum;
  if (data[702 + threadIdx.x] > 1000) data[threadIdx.x] = 0;
}

// A value that was never written leaves for the host by itself.
__global__ void leaves(int *data) { data[64 + threadIdx.x] = data[512 + threadIdx.x]; }

int *fresh() {
  int *made = nullptr;
  cudaMalloc(&made, 4096);
  cudaMemset(made, 0, 256);
  return made;
}

#define BOTH(name, ...)                                        \
  racy_##name<<<1, 64>>>(fresh() __VA_OPT__(, ) __VA_ARGS__);  \
  cudaDeviceSynchronize();                                     \
  fixed_##name<<<1, 64>>>(fresh() __VA_OPT__(, ) __VA_ARGS__); \
  cudaDeviceSynchronize()

int main() {
  int first[64];
  for (int i = 0; i < 64; ++i) first[i] = i;
  int *data = fresh();
  cudaMemcpy(data, first, sizeof first, cudaMemcpyHostToDevice);
  racy_scalar<<<1, 64>>>(data);
  cudaMemcpy(data, first, sizeof first, cudaMemcpyHostToDevice);
  fixed_scalar<<<1, 64>>>(data);
  BOTH(array, 8);
  BOTH(address, 32);
  BOTH(far);
  BOTH(shared);
  BOTH(bits);
  BOTH(structure, 5);
  BOTH(by_value, Wide());
  BOTH(half);
  BOTH(unused);
  return finish();
}
