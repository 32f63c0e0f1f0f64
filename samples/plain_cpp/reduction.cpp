// The warp-shuffle reduction of 05_reduction as ordinary C++: warps, shuffles, barriers and atomics work the same.
#include <cuda_runtime.h>

#include <vector>

#include "../common.h"

__device__ int warpSum(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xFFFFFFFF, value, offset);
  return value;
}

__global__ void sum(const int *values, int n, int *total) {
  __shared__ int warpSums[32];
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += values[i];

  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  mine = warpSum(mine);
  if (lane == 0) warpSums[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    const int warps = blockDim.x / warpSize;
    mine = warpSum(lane < warps ? warpSums[lane] : 0);
    if (lane == 0) atomicAdd(total, mine);
  }
}

int main() {
  const int n = 123'456;
  std::vector<int> values(n);
  int expected = 0;
  for (int i = 0; i < n; ++i) expected += values[i] = i % 100 - 40;

  int *device, *deviceTotal, total = 0;
  CUDA_CHECK(cudaMalloc(&device, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&deviceTotal, sizeof(int)));
  CUDA_CHECK(cudaMemcpy(device, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(deviceTotal, 0, sizeof(int)));
  CUDA_CHECK(hostwarp::launch(20, 256, 0, nullptr, sum, device, n, deviceTotal));
  CUDA_CHECK(cudaMemcpy(&total, deviceTotal, sizeof total, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device));
  CUDA_CHECK(cudaFree(deviceTotal));
  printf("sum of %d values: %d\n", n, total);
  return report(total == expected);
}
