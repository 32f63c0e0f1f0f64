// Blocks wait for one another by votes: the threads of each meet between any two looks at the flag, so that something
// always seems to go on.
#include <cuda_runtime.h>

#include "../check.h"

constexpr int blocks = 12, rounds = 3;

// mustWait(): the flag of the block before, in a ring, is not yet up for this round; the first block begins a round.
__device__ bool mustWait(const volatile int *flags, int round) {
  const int block = blockIdx.x;
  return block == 0 ? flags[blocks - 1] < round - 1 : flags[block - 1] < round;
}

__device__ void announce(volatile int *flags, int round) {
  __threadfence();
  flags[blockIdx.x] = round;
}

__global__ void byWarps(volatile int *flags) {
  for (int round = 1; round <= rounds; ++round) {
    while (__any_sync(~0u, mustWait(flags, round))) __nanosleep(100);
    if (threadIdx.x == 0) announce(flags, round);
    __syncwarp();
  }
}

__global__ void byBlocks(volatile int *flags) {
  for (int round = 1; round <= rounds; ++round) {
    while (__syncthreads_or(mustWait(flags, round))) __nanosleep(100);
    if (threadIdx.x == 0) announce(flags, round);
    __syncthreads();
  }
}

// Only some of the warps vote; the others wait for them at a barrier.
__global__ void byOneWarp(volatile int *flags) {
  for (int round = 1; round <= rounds; ++round) {
    if (threadIdx.x < 32)
      while (__all_sync(~0u, mustWait(flags, round))) __nanosleep(100);
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) announce(flags, round);
    __syncthreads();
  }
}

// The same without a hint that the threads wait.
__global__ void withoutSleep(volatile int *flags) {
  for (int round = 1; round <= rounds; ++round) {
    while (__any_sync(~0u, mustWait(flags, round))) {
    }
    if (threadIdx.x == 0) announce(flags, round);
    __syncwarp();
  }
}

void checkRing(void (*kernel)(volatile int *), int threads) {
  check::DeviceArray<int> flags(blocks, 0);
  kernel<<<blocks, threads>>>(flags.get());
  LAUNCH_OK();
  for (const int flag : flags.download()) CHECK_EQ(flag, rounds);
}

int main() {
  checkRing(byWarps, 32);
  checkRing(byBlocks, 96);
  checkRing(byOneWarp, 128);
  checkRing(withoutSleep, 32);
  return check::finish();
}
