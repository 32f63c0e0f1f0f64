// Threads that follow the phases of a barrier by themselves: each loop's turn waits for the turn of all others, and
// what a thread keeps from turn to turn is its own.
#include <cuda_awbarrier_primitives.h>

#include "../check.h"

__global__ void byParity(int phases, int *turns, int *wrong) {
  __shared__ __mbarrier_t barrier;
  __shared__ int arrived;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x), arrived = 0;
  __syncthreads();
  bool parity = false;
  for (int phase = 0; phase < phases; ++phase) {
    atomicAdd(&arrived, 1);
    (void)__mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait_parity(&barrier, parity, 1000)) {
    }
    parity ^= 1;
    if (atomicAdd(&arrived, 0) < (phase + 1) * static_cast<int>(blockDim.x)) atomicAdd(wrong, 1);
    atomicAdd(turns, 1);
  }
}

__global__ void byCount(int phases, int *turns, int *wrong) {
  __shared__ int arrived;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  for (int phase = 1; phase <= phases; ++phase) {
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < phase * static_cast<int>(blockDim.x)) {
    }
    if (*const_cast<volatile int *>(&arrived) < phase * static_cast<int>(blockDim.x)) atomicAdd(wrong, 1);
    atomicAdd(turns, 1);
  }
}

// The sleep comes once in each turn, but not to all threads in the same.
__global__ void withSleep(int phases, int *turns, int *wrong) {
  __shared__ int arrived;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  for (int phase = 1; phase <= phases; ++phase) {
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < phase * static_cast<int>(blockDim.x)) {
    }
    __nanosleep(20);
    if (atomicAdd(&arrived, 0) < phase * static_cast<int>(blockDim.x)) atomicAdd(wrong, 1);
    atomicAdd(turns, 1);
  }
}

int main() {
  constexpr int phases = 9, blocks = 3;
  for (int threads : {1, 2, 31, 32, 77, 96}) {
    for (auto kernel : {byParity, byCount, withSleep}) {
      check::DeviceArray<int> turns(1, 0), wrong(1, 0);
      kernel<<<blocks, threads>>>(phases, turns.get(), wrong.get());
      LAUNCH_OK();
      CHECK_EQ(turns.download()[0], phases * blocks * threads);
      CHECK_EQ(wrong.download()[0], 0);
    }
  }
  return check::finish();
}
