// cuda::counting_semaphore, binary_semaphore and latch between the threads of a block and between blocks.
// needs: cuda/semaphore cuda/latch
#include "../check.h"

#include <cuda/latch>
#include <cuda/semaphore>

constexpr int threads = 64;

// Not more than three threads are inside at any time; everyone gets in.
__global__ void limitedEntry(int *most, int *entries) {
  __shared__ cuda::counting_semaphore<cuda::thread_scope_block, 3> semaphore;
  __shared__ int inside;
  if (threadIdx.x == 0) {
    new (&semaphore) cuda::counting_semaphore<cuda::thread_scope_block, 3>(3);
    inside = 0;
  }
  __syncthreads();
  semaphore.acquire();
  atomicMax(most, atomicAdd(&inside, 1) + 1);
  __nanosleep(100);
  atomicAdd(entries, 1);
  atomicSub(&inside, 1);
  semaphore.release();
}

// A mutex in global memory makes a plain counter safe.
__device__ cuda::binary_semaphore<cuda::thread_scope_device> mutex{1};
__device__ int plainCounter = 0;

__global__ void countUnderMutex() {
  for (int i = 0; i < 5; ++i) {
    mutex.acquire();
    plainCounter = plainCounter + 1;
    mutex.release();
  }
}

__global__ void tryAcquire(int *result) {
  cuda::counting_semaphore<cuda::thread_scope_thread, 2> semaphore(1);
  result[0] = semaphore.try_acquire();
  result[1] = semaphore.try_acquire();
  semaphore.release(2);
  result[2] = semaphore.try_acquire() + semaphore.try_acquire() + semaphore.try_acquire();
}

__global__ void latchOpensOnce(int *early, int *result) {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  __shared__ alignas(Latch) char storage[sizeof(Latch)];
  Latch &latch = *reinterpret_cast<Latch *>(storage);
  __shared__ int ready;
  if (threadIdx.x == 0) {
    new (&latch) Latch(threads / 2);
    ready = 0;
  }
  __syncthreads();
  if (threadIdx.x < threads / 2) {
    atomicAdd(&ready, 1);
    latch.count_down();
  } else {
    latch.wait();
    if (atomicAdd(&ready, 0) != threads / 2) atomicAdd(early, 1);
    result[threadIdx.x] = latch.try_wait();
  }
}

int main() {
  check::DeviceArray<int> most(1, 0), entries(1, 0), result(threads, 0), early(1, 0);
  limitedEntry<<<1, threads>>>(most.get(), entries.get());
  LAUNCH_OK();
  CHECK(most.download()[0] >= 1 && most.download()[0] <= 3);
  CHECK_EQ(entries.download()[0], threads);

  countUnderMutex<<<20, 1>>>();
  LAUNCH_OK();
  int counted = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&counted, plainCounter, sizeof counted));
  CHECK_EQ(counted, 100);

  tryAcquire<<<1, 1>>>(result.get());
  LAUNCH_OK();
  CHECK_EQ(result.download()[0], 1);
  CHECK_EQ(result.download()[1], 0);
  CHECK_EQ(result.download()[2], 2);

  latchOpensOnce<<<1, threads>>>(early.get(), result.get());
  LAUNCH_OK();
  CHECK_EQ(early.download()[0], 0);
  for (int i = threads / 2; i < threads; ++i) CHECK_EQ(result.download()[i], 1);
  return check::finish();
}
