// Copies by cp.async, and what stands for it, that nobody has waited for.
// options: -arch=sm_90
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline_primitives.h>

#include "pairs.h"

namespace cg = cooperative_groups;

__device__ unsigned sharedAddress(const void *place) { return static_cast<unsigned>(__cvta_generic_to_shared(place)); }

#define copyAsync(to, from) \
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(sharedAddress(to)), "l"(from) : "memory")
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int Count>
__device__ void waitFor() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Count) : "memory");
}

// Read by the thread itself.
// finds: asynchronous copy not waited for: cp.async.wait_group
__global__ void racy_own(int *out) {
  __shared__ int tile[64];
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);  // HERE
  commit();
  out[1024 + threadIdx.x] = tile[threadIdx.x];  // HERE
  waitFor<0>();
}
__global__ void fixed_own(int *out) {
  __shared__ int tile[64];
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);
  commit();
  waitFor<0>();
  out[1024 + threadIdx.x] = tile[threadIdx.x];
}

// The group was never committed: the wait is for none.
// finds: asynchronous copy not waited for: cp.async.wait_group
__global__ void racy_uncommitted(int *out) {
  __shared__ int tile[64];
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);  // HERE
  waitFor<0>();
  out[1024 + threadIdx.x] = tile[threadIdx.x];  // HERE
}
__global__ void fixed_uncommitted(int *out) {
  __shared__ int tile[64];
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[1024 + threadIdx.x] = tile[threadIdx.x];
}

// Two stages: the wait lets one group too many be in flight.
// finds: asynchronous copy not waited for: too many groups
__global__ void racy_stages(int *out) {
  __shared__ int tile[2][64];
  copyAsync(&tile[0][threadIdx.x], out + threadIdx.x);  // HERE
  commit();
  for (int i = 1; i < 4; ++i) {
    copyAsync(&tile[i % 2][threadIdx.x], out + 64 * i + threadIdx.x);  // HERE
    commit();
    waitFor<2>();
    out[1024 + threadIdx.x] = tile[(i - 1) % 2][threadIdx.x];  // HERE
  }
}
__global__ void fixed_stages(int *out) {
  __shared__ int tile[2][64];
  copyAsync(&tile[0][threadIdx.x], out + threadIdx.x);
  commit();
  for (int i = 1; i < 4; ++i) {
    copyAsync(&tile[i % 2][threadIdx.x], out + 64 * i + threadIdx.x);
    commit();
    waitFor<1>();
    out[1024 + threadIdx.x] = tile[(i - 1) % 2][threadIdx.x];
  }
}

// A barrier is no wait.
// finds: asynchronous copy not waited for: nobody has waited
__global__ void racy_barrier(int *out) {
  __shared__ int tile[64];
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);  // HERE
  commit();
  __syncthreads();
  out[1024 + threadIdx.x] = tile[63 - threadIdx.x];  // HERE
}
__global__ void fixed_barrier(int *out) {
  __shared__ int tile[64];
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);
  commit();
  waitFor<0>();
  __syncthreads();
  out[1024 + threadIdx.x] = tile[63 - threadIdx.x];
}

// A wait is no barrier.
// finds: asynchronous copy not waited for: cp.async of thread
__global__ void racy_others(int *out) {
  __shared__ int tile[64];
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);  // HERE
  commit();
  waitFor<0>();
  out[1024 + threadIdx.x] = tile[63 - threadIdx.x];  // HERE
}
__global__ void fixed_others(int *out) {
  __shared__ int tile[64];
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);
  commit();
  waitFor<0>();
  __syncthreads();
  out[1024 + threadIdx.x] = tile[63 - threadIdx.x];
}

// The source is overwritten.
// finds: asynchronous copy not waited for: is still to read
__global__ void racy_source(int *out) {
  __shared__ int tile[64];
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);  // HERE
  commit();
  out[threadIdx.x] = 1;  // HERE
  waitFor<0>();
}
__global__ void fixed_source(int *out) {
  __shared__ int tile[64];
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);
  commit();
  waitFor<0>();
  out[threadIdx.x] = 1;
}

// So is the destination, by another such copy.
// finds: asynchronous copy not waited for: by cp.async
__global__ void racy_twice(int *out) {
  __shared__ int tile[64];
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);  // HERE
  copyAsync(&tile[threadIdx.x], out + 64 + threadIdx.x);  // HERE
  asm volatile("cp.async.wait_all;" ::: "memory");
}
__global__ void fixed_twice(int *out) {
  __shared__ int tile[64];
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);
  asm volatile("cp.async.wait_all;" ::: "memory");
  copyAsync(&tile[threadIdx.x], out + 64 + threadIdx.x);
  asm volatile("cp.async.wait_all;" ::: "memory");
}

// The next round's copy comes while others still read.
// finds: race within a block: writes 4 bytes by cp.async
__global__ void racy_refill(int *out) {
  __shared__ int tile[64];
  for (int i = 0; i < 2; ++i) {
    copyAsync(&tile[threadIdx.x], out + 64 * i + threadIdx.x);  // HERE
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[1024 + threadIdx.x] = tile[63 - threadIdx.x];  // HERE
  }
}
__global__ void fixed_refill(int *out) {
  __shared__ int tile[64];
  for (int i = 0; i < 2; ++i) {
    copyAsync(&tile[threadIdx.x], out + 64 * i + threadIdx.x);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[1024 + threadIdx.x] = tile[63 - threadIdx.x];
    __syncthreads();
  }
}

// An mbarrier that learns of copies, and a wait for it that is missing.
// finds: asynchronous copy not waited for: nobody has waited
__global__ void racy_arrive(int *out) {
  __shared__ int tile[64];
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);  // HERE
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(sharedAddress(&barrier)) : "memory");
  __syncthreads();
  out[1024 + threadIdx.x] = tile[63 - threadIdx.x];  // HERE
}
__global__ void fixed_arrive(int *out) {
  __shared__ int tile[64];
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(sharedAddress(&barrier)) : "memory");
  while (!__mbarrier_test_wait_parity(&barrier, 0)) {
  }
  out[1024 + threadIdx.x] = tile[63 - threadIdx.x];
}

// A copy behind the arrival is not waited for by the barrier.
// finds: asynchronous copy not waited for: nobody has waited
__global__ void racy_behind(int *out) {
  __shared__ int tile[128];
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);
  __pipeline_arrive_on(&barrier);
  copyAsync(&tile[64 + threadIdx.x], out + 64 + threadIdx.x);  // HERE
  __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait_parity(&barrier, 0)) {
  }
  out[1024 + threadIdx.x] = tile[63 - threadIdx.x] + tile[127 - threadIdx.x];  // HERE
}
__global__ void fixed_behind(int *out) {
  __shared__ int tile[128];
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  copyAsync(&tile[threadIdx.x], out + threadIdx.x);
  copyAsync(&tile[64 + threadIdx.x], out + 64 + threadIdx.x);
  __pipeline_arrive_on(&barrier);
  __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait_parity(&barrier, 0)) {
  }
  out[1024 + threadIdx.x] = tile[63 - threadIdx.x] + tile[127 - threadIdx.x];
}

// finds: asynchronous copy not waited for: cp.async.wait_group
__global__ void racy_primitives(int *out) {
  __shared__ int tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], out + threadIdx.x, 4);  // HERE
  __pipeline_commit();
  __pipeline_wait_prior(1);
  out[1024 + threadIdx.x] = tile[threadIdx.x];  // HERE
}
__global__ void fixed_primitives(int *out) {
  __shared__ int tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], out + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[1024 + threadIdx.x] = tile[threadIdx.x];
}

// finds: asynchronous copy not waited for: cooperative_groups::wait()
__global__ void racy_group(int *out) {
  __shared__ int tile[64];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, out, sizeof tile);  // HERE
  block.sync();
  out[1024 + threadIdx.x] = tile[threadIdx.x];  // HERE
  cg::wait(block);
}
__global__ void fixed_group(int *out) {
  __shared__ int tile[64];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, out, sizeof tile);
  cg::wait(block);
  out[1024 + threadIdx.x] = tile[threadIdx.x];
}

// finds: asynchronous copy not waited for: too many groups
__global__ void racy_prior(int *out) {
  __shared__ int tile[2][64];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], out, sizeof tile[0]);
  cg::memcpy_async(block, tile[1], out + 64, sizeof tile[1]);  // HERE
  cg::wait_prior<1>(block);
  out[1024 + threadIdx.x] = tile[0][threadIdx.x] + tile[1][threadIdx.x];  // HERE
  cg::wait(block);
}
__global__ void fixed_prior(int *out) {
  __shared__ int tile[2][64];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], out, sizeof tile[0]);
  cg::memcpy_async(block, tile[1], out + 64, sizeof tile[1]);
  cg::wait_prior<1>(block);
  out[1024 + threadIdx.x] = tile[0][threadIdx.x];
  cg::wait(block);
  out[1024 + threadIdx.x] += tile[1][threadIdx.x];
}

// finds: asynchronous copy not waited for: consumer_wait()
__global__ void racy_pipeline(int *out) {
  __shared__ int tile[64];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], out + threadIdx.x, sizeof(int), pipe);
  pipe.producer_commit();
  out[1024 + threadIdx.x] = tile[threadIdx.x];
  pipe.consumer_wait();
  pipe.consumer_release();
}
__global__ void fixed_pipeline(int *out) {
  __shared__ int tile[64];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], out + threadIdx.x, sizeof(int), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  out[1024 + threadIdx.x] = tile[threadIdx.x];
  pipe.consumer_release();
}

// finds: asynchronous copy not waited for: nobody has waited
__global__ void racy_cuda_barrier(int *out) {
  __shared__ alignas(16) int tile[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(cg::this_thread_block(), tile, out, sizeof tile, barrier);
  __syncthreads();
  out[1024 + threadIdx.x] = tile[threadIdx.x];
  barrier.arrive_and_wait();
}
__global__ void fixed_cuda_barrier(int *out) {
  __shared__ alignas(16) int tile[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(cg::this_thread_block(), tile, out, sizeof tile, barrier);
  barrier.arrive_and_wait();
  out[1024 + threadIdx.x] = tile[threadIdx.x];
}

int main() {
  PAIR(own, 2, 64);
  PAIR(uncommitted, 1, 64);
  PAIR(stages, 1, 64);
  PAIR(barrier, 1, 64);
  PAIR(others, 1, 64);
  PAIR(source, 1, 64);
  PAIR(twice, 1, 64);
  PAIR(refill, 1, 64);
  PAIR(arrive, 1, 64);
  PAIR(behind, 1, 64);
  PAIR(primitives, 1, 64);
  PAIR(group, 1, 64);
  PAIR(prior, 1, 64);
  PAIR(pipeline, 1, 64);
  PAIR(cuda_barrier, 1, 64);
  return finish();
}
