// Inclusive prefix sums in three kernels: scan each block, scan the blocks' totals, add them back.
#include <vector>

#include "../common.h"

constexpr int blockSize = 256;

__global__ void scanBlocks(int *values, int *totals, int n) {
  __shared__ int sums[blockSize];
  const int i = blockIdx.x * blockSize + threadIdx.x;
  sums[threadIdx.x] = i < n ? values[i] : 0;
  for (int distance = 1; distance < blockSize; distance *= 2) {
    __syncthreads();
    const int before = static_cast<int>(threadIdx.x) >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
  }
  if (i < n) values[i] = sums[threadIdx.x];
  if (threadIdx.x == blockSize - 1 && totals != nullptr) totals[blockIdx.x] = sums[threadIdx.x];
}

__global__ void addTotals(int *values, const int *totals, int n) {
  const int i = blockIdx.x * blockSize + threadIdx.x;
  if (blockIdx.x > 0 && i < n) values[i] += totals[blockIdx.x - 1];
}

int main() {
  const int n = 60'000, blocks = divideUp(n, blockSize);  // at most blockSize blocks
  std::vector<int> values(n), result(n);
  for (int i = 0; i < n; ++i) values[i] = i % 10;

  int *device, *totals;
  CUDA_CHECK(cudaMalloc(&device, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&totals, blocks * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(device, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  scanBlocks<<<blocks, blockSize>>>(device, totals, n);
  scanBlocks<<<1, blockSize>>>(totals, nullptr, blocks);
  addTotals<<<blocks, blockSize>>>(device, totals, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(result.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device));
  CUDA_CHECK(cudaFree(totals));

  bool ok = true;
  for (int i = 0, sum = 0; i < n; ++i) ok &= result[i] == (sum += values[i]);
  printf("prefix sums of %d values, the last is %d\n", n, result[n - 1]);
  return report(ok);
}
