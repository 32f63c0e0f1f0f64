// Every thread of a one-dimensional launch sees its own indices; block sizes need not be multiples of a warp.
#include "../check.h"

struct Seen {
  unsigned thread, block, blockSize, gridSize, lane;
};

__global__ void record(Seen *seen) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  seen[i] = {threadIdx.x, blockIdx.x, blockDim.x, gridDim.x, threadIdx.x % warpSize};
  if (threadIdx.y != 0 || threadIdx.z != 0 || blockIdx.y != 0 || blockIdx.z != 0) seen[i].thread = ~0u;
  if (blockDim.y != 1 || blockDim.z != 1 || gridDim.y != 1 || gridDim.z != 1) seen[i].block = ~0u;
}

static void run(unsigned blocks, unsigned threads) {
  check::DeviceArray<Seen> device(size_t(blocks) * threads);
  record<<<blocks, threads>>>(device.get());
  LAUNCH_OK();
  const std::vector<Seen> seen = device.download();
  for (unsigned i = 0; i < seen.size(); ++i) {
    CHECK_EQ(seen[i].thread, i % threads);
    CHECK_EQ(seen[i].block, i / threads);
    CHECK_EQ(seen[i].blockSize, threads);
    CHECK_EQ(seen[i].gridSize, blocks);
    CHECK_EQ(seen[i].lane, i % threads % 32);
  }
}

int main() {
  for (unsigned threads : {1u, 2u, 31u, 32u, 33u, 45u, 64u, 100u, 255u, 1000u, 1024u}) run(3, threads);
  for (unsigned blocks : {1u, 2u, 7u, 133u}) run(blocks, 37);
  return check::finish();
}
