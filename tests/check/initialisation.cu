// Reads of memory that nobody has written, each beside the same kernel with a write before it.
// check: --init=load
#include <cstdlib>

#include "pairs.h"

// finds: uninitialised read: into the 4096 bytes of cudaMalloc at
__global__ void racy_sum(int *data) { data[threadIdx.x] += 1; }  // HERE
__global__ void fixed_sum(int *data) {
  data[threadIdx.x] = 0;
  data[threadIdx.x] += 1;
}

// A loop that writes what it reads later.
// finds: uninitialised read: into the 4096 bytes of cudaMalloc at
__global__ void racy_recurrence(int *data) {
  int *const mine = data + 16 * threadIdx.x;
  for (int k = 0; k < 15; ++k) mine[k + 1] = mine[k] + 1;  // HERE
}
__global__ void fixed_recurrence(int *data) {
  int *const mine = data + 16 * threadIdx.x;
  mine[0] = 1;
  for (int k = 0; k < 15; ++k) mine[k + 1] = mine[k] + 1;
}

// The last elements are left out.
// finds: uninitialised read: into the 4096 bytes of cudaMalloc at
__global__ void racy_tail(int *data) {
  if (threadIdx.x < 60) data[threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[64 + threadIdx.x] = data[63 - threadIdx.x];  // HERE
}
__global__ void fixed_tail(int *data) {
  data[threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[64 + threadIdx.x] = data[63 - threadIdx.x];
}

// Of each word one byte is missing.
// finds: uninitialised read: into the 4096 bytes of cudaMalloc at
__global__ void racy_byte(int *data) {
  char *const bytes = reinterpret_cast<char *>(data) + 4 * threadIdx.x;
  for (int i = 0; i < 3; ++i) bytes[i] = 1;
  char sum = 0;
  for (int i = 0; i < 4; ++i) sum += bytes[i];  // HERE
  bytes[0] = sum;
}
__global__ void fixed_byte(int *data) {
  char *const bytes = reinterpret_cast<char *>(data) + 4 * threadIdx.x;
  for (int i = 0; i < 4; ++i) bytes[i] = 1;
  char sum = 0;
  for (int i = 0; i < 4; ++i) sum += bytes[i];
  bytes[0] = sum;
}

// finds: uninitialised read: updates 4 bytes
__global__ void racy_counter(int *data) { atomicAdd(data, 1); }  // HERE
__global__ void fixed_counter(int *data) {
  if (threadIdx.x == 0) *data = 0;
  __syncthreads();
  atomicAdd(data, 1);
}

// finds: uninitialised read: of shared memory
__global__ void racy_shared(int *data) {
  __shared__ int tile[64];
  if (threadIdx.x < 32) tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[threadIdx.x] = tile[threadIdx.x];  // HERE
}
__global__ void fixed_shared(int *data) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[threadIdx.x] = tile[threadIdx.x];
}

// finds: uninitialised read: of shared memory
__global__ void racy_dynamic(int *data) {
  extern __shared__ int tile[];
  if (threadIdx.x != 7) tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[threadIdx.x] = tile[63 - threadIdx.x];  // HERE
}
__global__ void fixed_dynamic(int *data) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[threadIdx.x] = tile[63 - threadIdx.x];
}

// Lanes exchange values in a warp, and the kernel runs with a fiber for each thread.
// finds: uninitialised read: into the 4096 bytes of cudaMalloc at
__global__ void racy_lanes(int *data) {
  if (threadIdx.x < 32) data[threadIdx.x] = __shfl_xor_sync(~0u, threadIdx.x, 1);
  __syncthreads();
  data[64 + threadIdx.x] = data[threadIdx.x];  // HERE
}
__global__ void fixed_lanes(int *data) {
  data[threadIdx.x] = __shfl_xor_sync(~0u, threadIdx.x, 1);
  __syncthreads();
  data[64 + threadIdx.x] = data[threadIdx.x];
}

struct Padded {
  char tag;
  double value;
};

// What a copy of a structure takes along need not all have been written; what is used has to be.
// finds: uninitialised read: reads 8 bytes
__global__ void racy_structure(int *data) {
  auto *const all = reinterpret_cast<Padded *>(data);
  all[threadIdx.x].tag = 1;
  all[64 + threadIdx.x] = all[threadIdx.x];
  all[64 + threadIdx.x].value *= 2;  // HERE
}
__global__ void fixed_structure(int *data) {
  auto *const all = reinterpret_cast<Padded *>(data);
  all[threadIdx.x].tag = 1;
  all[threadIdx.x].value = 1;
  all[64 + threadIdx.x] = all[threadIdx.x];
  all[64 + threadIdx.x].value *= 2;
}

// finds: uninitialised read: malloc() in a kernel
__global__ void racy_heap(int *data) {
  auto *const mine = static_cast<int *>(malloc(8));
  mine[0] = 1;
  data[threadIdx.x] = mine[0] + mine[1];  // HERE
  free(mine);
}
__global__ void fixed_heap(int *data) {
  auto *const mine = static_cast<int *>(malloc(8));
  mine[0] = mine[1] = 1;
  data[threadIdx.x] = mine[0] + mine[1];
  free(mine);
}

// A copy within the device takes along what has not been written.
// finds: uninitialised read: into the 4096 bytes of cudaMalloc at
__global__ void racy_copied(int *data) { data[threadIdx.x] = data[512 + threadIdx.x]; }  // HERE
__global__ void fixed_copied(int *data) { data[threadIdx.x] = data[512 + threadIdx.x]; }

// finds: uninitialised read: reads 4 bytes
__global__ void racy_pool(int *data) { data[threadIdx.x] += 1; }  // HERE
__global__ void fixed_pool(int *data) { data[threadIdx.x] += 1; }

// The host writes managed and pinned memory, and who knows what.
// finds: uninitialised read: of cudaMalloc at
__global__ void racy_managed(int *data) { data[threadIdx.x] += 1; }  // HERE
__global__ void fixed_managed(int *data) { data[threadIdx.x] += 1; }

int *fresh() {
  int *made = nullptr;
  cudaMalloc(&made, 4096);
  return made;
}

#define FRESH(name)                      \
  racy_##name<<<1, 64, 256>>>(fresh());  \
  cudaDeviceSynchronize();               \
  fixed_##name<<<1, 64, 256>>>(fresh()); \
  cudaDeviceSynchronize()

int main() {
  FRESH(sum);
  FRESH(recurrence);
  FRESH(tail);
  FRESH(byte);
  FRESH(counter);
  FRESH(shared);
  FRESH(dynamic);
  FRESH(lanes);
  FRESH(structure);
  FRESH(heap);

  int *data = fresh(), *from = fresh();
  cudaMemcpy(data + 512, from, 256, cudaMemcpyDeviceToDevice);
  racy_copied<<<1, 64>>>(data);
  cudaDeviceSynchronize();
  data = fresh();
  cudaMemset(from, 0, 256);
  cudaMemcpy2D(data + 512, 64, from, 64, 64, 4, cudaMemcpyDeviceToDevice);
  fixed_copied<<<1, 64>>>(data);
  cudaDeviceSynchronize();

  cudaMallocAsync(&data, 256, nullptr);
  racy_pool<<<1, 64>>>(data);
  cudaStreamSynchronize(nullptr);
  cudaFreeAsync(data, nullptr);
  cudaMallocAsync(&data, 256, nullptr);
  cudaMemsetAsync(data, 0, 256, nullptr);
  fixed_pool<<<1, 64>>>(data);
  cudaStreamSynchronize(nullptr);
  cudaFreeAsync(data, nullptr);

  racy_managed<<<1, 64>>>(fresh());
  cudaDeviceSynchronize();
  cudaMallocManaged(&data, 256);
  fixed_managed<<<1, 64>>>(data);
  cudaDeviceSynchronize();
  cudaMallocHost(&data, 256);
  fixed_managed<<<1, 64>>>(data);
  return finish();
}
