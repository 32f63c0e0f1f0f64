// <cuda_occupancy.h>: the calculator agrees with the runtime about a kernel, and counts what a program changes.
#include "../check.h"

#include <cuda_occupancy.h>

__global__ void __launch_bounds__(256) work(float *data) {
  __shared__ float tile[256];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[255 - threadIdx.x];
}

struct BytesFor {
  __host__ __device__ size_t operator()(int size) const { return size_t(size) * 64; }
};

int main() {
  cudaDeviceProp device;
  cudaFuncAttributes function;
  CUDA_OK(cudaGetDeviceProperties(&device, 0));
  CUDA_OK(cudaFuncGetAttributes(&function, work));
  const cudaOccDeviceProp properties = device;
  cudaOccFuncAttributes attributes = function;
  const cudaOccDeviceState state;
  cudaOccResult result;
  for (int size : {32, 96, 128, 256}) {
    int blocks = 0;
    CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, size, 1024));
    CHECK_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state, size, 1024),
             CUDA_OCC_SUCCESS);
    CHECK_EQ(result.activeBlocksPerMultiprocessor, blocks);
  }
  // 200 registers and 256 threads: no more than one block's worth of the register file.
  attributes.numRegs = 200;
  CHECK_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state, 256, 0),
           CUDA_OCC_SUCCESS);
  CHECK_EQ(result.activeBlocksPerMultiprocessor, 1);
  CHECK_EQ(result.blockLimitRegs, 1);
  CHECK_EQ(result.limitingFactors, unsigned(OCC_LIMIT_REGISTERS));

  int grid = 0, block = 0;
  attributes.numRegs = 16;
  CHECK_EQ(cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &properties, &attributes, &state), CUDA_OCC_SUCCESS);
  CHECK_EQ(block, 256);
  CHECK_EQ(grid, device.maxThreadsPerMultiProcessor / 256 * device.multiProcessorCount);
  CHECK_EQ(
      cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(&grid, &block, &properties, &attributes, &state, BytesFor()),
      CUDA_OCC_SUCCESS);
  CHECK(block > 0 && block <= 256);
  CHECK_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state, 0, 0),
           CUDA_OCC_ERROR_INVALID_INPUT);
  return check::finish();
}
