// Two- and three-dimensional grids and blocks: each (block, thread) runs exactly once, x fastest.
#include "../check.h"

__device__ unsigned linear(uint3 index, dim3 extent) { return index.x + extent.x * (index.y + extent.y * index.z); }

__global__ void count(unsigned *runs, dim3 grid, dim3 block, int *wrong) {
  if (gridDim.x != grid.x || gridDim.y != grid.y || gridDim.z != grid.z) *wrong = 1;
  if (blockDim.x != block.x || blockDim.y != block.y || blockDim.z != block.z) *wrong = 2;
  const unsigned threads = block.x * block.y * block.z;
  atomicAdd(&runs[linear(blockIdx, gridDim) * threads + linear(threadIdx, blockDim)], 1u);
}

static void run(dim3 grid, dim3 block) {
  const size_t total = size_t(grid.x) * grid.y * grid.z * block.x * block.y * block.z;
  check::DeviceArray<unsigned> runs(total, 0u);
  check::DeviceArray<int> wrong(1, 0);
  count<<<grid, block>>>(runs.get(), grid, block, wrong.get());
  LAUNCH_OK();
  for (unsigned n : runs.download()) CHECK_EQ(n, 1u);
  CHECK_EQ(wrong.download()[0], 0);
}

int main() {
  run({3, 5}, {7, 3});
  run({1, 1, 9}, {5, 4, 3});
  run({2, 3, 4}, {32, 1, 2});
  run({5, 1, 2}, {1, 33, 1});
  run({1, 2}, {1024});
  run({2, 1}, {1, 1024});
  run({2, 1, 1}, {1, 1, 64});
  run({1, 1, 2}, {16, 1, 64});
  run({2, 2}, {32, 32});
  run({1, 1, 1}, {10, 10, 10});
  return check::finish();
}
