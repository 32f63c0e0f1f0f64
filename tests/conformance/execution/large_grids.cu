// Grid extents at and beyond 65535; a grid-stride loop covers any size, also zero elements.
#include "../check.h"

__global__ void countBlocks(unsigned long long *sum, unsigned long long *blocks) {
  const unsigned long long block = blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  atomicAdd(sum, block);
  atomicAdd(blocks, 1ull);
}

static void runGrid(dim3 grid) {
  check::DeviceArray<unsigned long long> sum(1, 0ull), blocks(1, 0ull);
  countBlocks<<<grid, 1>>>(sum.get(), blocks.get());
  LAUNCH_OK();
  const unsigned long long n = (unsigned long long)grid.x * grid.y * grid.z;
  CHECK_EQ(blocks.download()[0], n);
  CHECK_EQ(sum.download()[0], n * (n - 1) / 2);
}

__global__ void increment(int *values, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) values[i] += i + 1;
}

static void runStride(int n, int blocks, int threads) {
  check::DeviceArray<int> values(n + 1, 5);
  increment<<<blocks, threads>>>(values.get(), n);
  LAUNCH_OK();
  const std::vector<int> result = values.download();
  for (int i = 0; i < n; ++i) CHECK_EQ(result[i], 6 + i);
  CHECK_EQ(result[n], 5);
}

int main() {
  runGrid({70001, 1, 1});
  runGrid({1, 65535, 1});
  runGrid({1, 1, 65535});
  runGrid({3, 211, 17});
  for (int n : {0, 1, 31, 1000, 4097}) {
    runStride(n, 1, 1);
    runStride(n, 2, 96);
    runStride(n, 5, 129);
  }
  return check::finish();
}
