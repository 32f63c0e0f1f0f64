// The occupancy calculators give values that the device's limits explain, and that a launch accepts.
#include "../check.h"

__global__ void light(int *out) { out[threadIdx.x] = 1; }
__global__ void heavyShared(int *out) {
  __shared__ int values[10000];
  values[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = values[0];
}
__global__ void __launch_bounds__(128) bounded(int *out) { out[threadIdx.x] = 1; }

int main() {
  cudaDeviceProp p;
  CUDA_OK(cudaGetDeviceProperties(&p, 0));
  int previous = 1 << 30;
  for (int threads : {32, 64, 128, 256, 512, 1024}) {
    int blocks = 0;
    CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, light, threads, 0));
    CHECK(blocks >= 1 && blocks <= p.maxBlocksPerMultiProcessor);
    CHECK(blocks * threads <= p.maxThreadsPerMultiProcessor);
    CHECK(blocks <= previous);
    // So light a kernel is limited by threads or blocks only.
    const int byThreads = p.maxThreadsPerMultiProcessor / threads;
    CHECK_EQ(blocks, byThreads < p.maxBlocksPerMultiProcessor ? byThreads : p.maxBlocksPerMultiProcessor);
    previous = blocks;
  }
  int blocks = 0;
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, heavyShared, 32, 0));
  CHECK(blocks >= 1 && size_t(blocks) * 40000 <= p.sharedMemPerMultiprocessor);
  CHECK(blocks >= int(p.sharedMemPerMultiprocessor / 45000));
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0));
  CHECK_EQ(blocks, p.maxThreadsPerMultiProcessor / 256);  // launch bounds do not count here

  int grid = 0, block = 0;
  CUDA_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, light, 0, 0));
  CHECK(block >= 32 && block <= 1024 && block % 32 == 0);
  CHECK(grid >= p.multiProcessorCount && grid % p.multiProcessorCount == 0);
  CUDA_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, light, 0, 96));
  CHECK(block <= 96);
  CUDA_OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, light, [](int b) { return size_t(b) * 16; }));
  CHECK(block >= 32 && block <= 1024);
  check::DeviceArray<int> out(1024, 0);
  light<<<2, block>>>(out.get());
  LAUNCH_OK();

  size_t dynamic = 0;
  CUDA_OK(cudaOccupancyAvailableDynamicSMemPerBlock(&dynamic, light, 2, 128));
  CHECK(dynamic > 0 && dynamic <= p.sharedMemPerMultiprocessor / 2);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, light, 32, 0) == cudaErrorInvalidValue);
  // A null pointer, as a number.
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, NULL, 32, 0) != cudaSuccess);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, 0, 32, 0) != cudaSuccess);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nullptr, 32, 0) != cudaSuccess);
  cudaGetLastError();
  return check::finish();
}
