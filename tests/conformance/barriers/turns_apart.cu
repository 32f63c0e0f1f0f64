// Threads of a warp that wait at the same place in different turns of a loop: each one goes on with its own turn, also
// where the loop's counter takes the same values in all threads [CUDA 3.2.4.2, 10.6].
#include <cuda_awbarrier_primitives.h>

#include <cuda/ptx>

#include "../check.h"

constexpr int turns = 6;

// the split of a barrier into arrival and wait, without anything in the loop that waits
__global__ void arriveAndWait(int *out) {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  for (int i = 0; i < turns; ++i) {
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    atomicAdd(&out[i], 1);
    while (!__mbarrier_try_wait(&barrier, token, 1000)) {
    }
    atomicAdd(&out[turns + i], out[i] == int(blockDim.x));
  }
}

// the same by cuda::ptx; nothing follows the wait
__global__ void arriveAndWaitByPtx(int *out) {
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  for (int i = 0; i < turns; ++i) {
    const uint64_t token = cuda::ptx::mbarrier_arrive(&barrier);
    atomicAdd(out, 1);
    while (!cuda::ptx::mbarrier_try_wait(&barrier, token)) {
    }
  }
}

// half a warp is always one turn ahead of the other when it waits
__global__ void halvesInTurn(int *out) {
  const int half = threadIdx.x % 32 / 16;
  const unsigned mask = half ? 0xffff0000u : 0xffffu;
  int seen = 0;
  for (int i = 0; i < turns; ++i) {
    if ((half + i) & 1) continue;
    __syncwarp(mask);
    out[threadIdx.x * (turns / 2) + seen++] = i;
  }
}

// Each thread waits, turn by turn, for the flag that the one before it sets.
__global__ void handOver(volatile int *flags, int *out) {
  const int thread = threadIdx.x, threads = blockDim.x;
  for (int i = 0; i < turns; ++i) {
    while (flags[thread] <= i) {
    }
    __threadfence();
    out[i * threads + thread] = flags[thread] * 100 + i;
    flags[thread + 1] = i + 1;
  }
}

int main() {
  constexpr int threads = 70;
  int *out, *flags;
  CUDA_OK(cudaMallocManaged(&out, turns * threads * sizeof(int)));
  CUDA_OK(cudaMallocManaged(&flags, (threads + 1) * sizeof(int)));

  CUDA_OK(cudaMemset(out, 0, 2 * turns * sizeof(int)));
  arriveAndWait<<<1, threads>>>(out);
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 2 * turns; ++i) CHECK_EQ(out[i], threads);

  CUDA_OK(cudaMemset(out, 0, sizeof(int)));
  arriveAndWaitByPtx<<<1, threads>>>(out);
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(out[0], turns * threads);

  halvesInTurn<<<1, 64>>>(out);
  CUDA_OK(cudaDeviceSynchronize());
  for (int thread = 0; thread < 64; ++thread)
    for (int i = 0; i < turns / 2; ++i) CHECK_EQ(out[thread * (turns / 2) + i], 2 * i + thread % 32 / 16);

  CUDA_OK(cudaMemset(flags, 0, (threads + 1) * sizeof(int)));
  CUDA_OK(cudaDeviceSynchronize());
  flags[0] = turns;
  handOver<<<1, threads>>>(flags, out);
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < turns; ++i)
    for (int thread = 1; thread < threads; ++thread) {
      const int got = out[i * threads + thread];
      CHECK_EQ(got % 100, i);
      CHECK(got / 100 > i && got / 100 <= turns);
    }
  return check::finish();
}
