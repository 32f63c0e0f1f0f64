// Co-resident blocks may wait for each other: a block that spins on another block's flag makes progress, whichever of
// the two is scheduled first.
#include "../check.h"

__global__ void chainForward(volatile int *flags, int *order) {
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0)
      while (flags[blockIdx.x - 1] == 0) {
      }
    __threadfence();
    order[blockIdx.x] = blockIdx.x == 0 ? 1 : order[blockIdx.x - 1] + 1;
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}

__global__ void chainBackward(int *flags, int *order) {
  const int block = blockIdx.x, last = gridDim.x - 1;
  if (threadIdx.x == 0 && block < last)
    while (atomicAdd(&flags[block + 1], 0) == 0) {
    }
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) {
    __threadfence();
    atomicExch(&order[block], block == last ? 1 : atomicAdd(&order[block + 1], 0) + 1);
    __threadfence();
    atomicExch(&flags[block], 1);
  }
}

// Two blocks play ping-pong many times.
__global__ void pingPong(volatile int *ball, int rounds, int *hits) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < rounds; ++i) {
    while (*ball % 2 != (int)blockIdx.x) {
    }
    ++hits[blockIdx.x];
    __threadfence();
    *ball = *ball + 1;
  }
}

int main() {
  const int blocks = 24;
  check::DeviceArray<int> flags(blocks, 0), order(blocks, 0);
  chainForward<<<blocks, 32>>>(flags.get(), order.get());
  LAUNCH_OK();
  std::vector<int> result = order.download();
  for (int i = 0; i < blocks; ++i) CHECK_EQ(result[i], i + 1);

  CUDA_OK(cudaMemset(flags.get(), 0, flags.bytes()));
  CUDA_OK(cudaMemset(order.get(), 0, order.bytes()));
  chainBackward<<<blocks, 33>>>(flags.get(), order.get());
  LAUNCH_OK();
  result = order.download();
  for (int i = 0; i < blocks; ++i) CHECK_EQ(result[i], blocks - i);

  check::DeviceArray<int> ball(1, 0), hits(2, 0);
  pingPong<<<2, 1>>>(ball.get(), 100, hits.get());
  LAUNCH_OK();
  CHECK_EQ(ball.download()[0], 200);
  CHECK_EQ(hits.download()[0], 100);
  CHECK_EQ(hits.download()[1], 100);
  return check::finish();
}
