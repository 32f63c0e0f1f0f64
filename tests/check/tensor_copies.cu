// Copies by tensor maps that nobody has waited for.
// options: -arch=sm_90a -lcuda
#include <cuda.h>

#include "pairs.h"

typedef unsigned long long u64;

#define ADDRESS(place) static_cast<unsigned>(__cvta_generic_to_shared(place))

__device__ void await(u64 *barrier) {
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(ADDRESS(barrier))
                 : "memory");
}
#define PREPARE(barrier, bytes)                                                                                     \
  if (threadIdx.x == 0) {                                                                                           \
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(ADDRESS(barrier)) : "memory");                      \
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(ADDRESS(barrier)), "r"(bytes)       \
                 : "memory");                                                                                       \
  }                                                                                                                 \
  __syncthreads()
#define LOAD(to, map, x, y, barrier)                                                                                \
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], " \
               "[%4];" ::"r"(ADDRESS(to)), "l"(map), "r"(x), "r"(y), "r"(ADDRESS(barrier)) : "memory")
#define STORE(map, x, y, from)                                                                              \
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),    \
               "r"(x), "r"(y), "r"(ADDRESS(from)) : "memory");                                              \
  asm volatile("cp.async.bulk.commit_group;" ::: "memory")

// finds: asynchronous copy not waited for: mbarrier.try_wait
__global__ void racy_load(const __grid_constant__ CUtensorMap map, int *out) {
  __shared__ alignas(128) int tile[64];
  __shared__ u64 barrier;
  PREPARE(&barrier, 256);
  if (threadIdx.x == 0) LOAD(tile, &map, 0, 0, &barrier);  // HERE
  __syncthreads();
  out[1024 + threadIdx.x] = tile[threadIdx.x];  // HERE
}
__global__ void fixed_load(const __grid_constant__ CUtensorMap map, int *out) {
  __shared__ alignas(128) int tile[64];
  __shared__ u64 barrier;
  PREPARE(&barrier, 256);
  if (threadIdx.x == 0) LOAD(tile, &map, 0, 0, &barrier);
  await(&barrier);
  out[1024 + threadIdx.x] = tile[threadIdx.x];
}

// The box begins in the middle of the tensor: the element beside it may be written, one in it may not.
// finds: asynchronous copy not waited for: is still to read
__global__ void racy_source(const __grid_constant__ CUtensorMap map, int *out) {
  __shared__ alignas(128) int tile[64];
  __shared__ u64 barrier;
  PREPARE(&barrier, 256);
  if (threadIdx.x == 0) {
    LOAD(tile, &map, 8, 0, &barrier);  // HERE
    out[7] = 1;
    out[8] = 1;  // HERE
  }
  await(&barrier);
}
__global__ void fixed_source(const __grid_constant__ CUtensorMap map, int *out) {
  __shared__ alignas(128) int tile[64];
  __shared__ u64 barrier;
  PREPARE(&barrier, 256);
  if (threadIdx.x == 0) {
    LOAD(tile, &map, 8, 0, &barrier);
    out[7] = 1;
  }
  await(&barrier);
  if (threadIdx.x == 0) out[8] = 1;
}

// finds: asynchronous copy not waited for: cp.async.bulk.wait_group.read
__global__ void racy_store(const __grid_constant__ CUtensorMap map, int *out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) STORE(&map, 0, 0, tile);  // HERE
  __syncthreads();
  tile[threadIdx.x] = 0;  // HERE
}
__global__ void fixed_store(const __grid_constant__ CUtensorMap map, int *out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    STORE(&map, 0, 0, tile);
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
  __syncthreads();
  tile[threadIdx.x] = 0;
}

// finds: missing proxy fence: fence.proxy.async
__global__ void racy_fence(const __grid_constant__ CUtensorMap map, int *out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;  // HERE
  asm volatile("fence.proxy.async.global;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    STORE(&map, 0, 0, tile);  // HERE
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
__global__ void fixed_fence(const __grid_constant__ CUtensorMap map, int *out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    STORE(&map, 0, 0, tile);
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

// mapOf() is of 16 rows of 32 numbers, in boxes of 8 by 8.
CUtensorMap mapOf(int *memory) {
  CUtensorMap map;
  const cuuint64_t sizes[] = {32, 16}, strides[] = {128};
  const cuuint32_t box[] = {8, 8}, steps[] = {1, 1};
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, memory, sizes, strides, box, steps,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}

#define TENSOR_PAIR(name)                          \
  racy_##name<<<1, 64>>>(mapOf(memory()), memory()); \
  cudaDeviceSynchronize();                         \
  fixed_##name<<<1, 64>>>(mapOf(memory()), memory()); \
  cudaDeviceSynchronize()

int main() {
  memory();
  TENSOR_PAIR(load);
  TENSOR_PAIR(source);
  TENSOR_PAIR(store);
  TENSOR_PAIR(fence);
  return finish();
}
