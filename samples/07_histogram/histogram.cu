// Counts byte values. Each block counts in shared memory, where atomics meet fewer competitors, and adds to the result
// once.
#include <vector>

#include "../common.h"

__global__ void histogram(const unsigned char *data, int n, unsigned *bins) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

int main() {
  const int n = 1'000'000;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> expected(256, 0), bins(256);
  unsigned random = 1;
  for (unsigned char &value : data) {
    random = random * 1664525u + 1013904223u;
    value = static_cast<unsigned char>((random >> 28) * (random >> 24 & 15));
    ++expected[value];
  }

  unsigned char *deviceData;
  unsigned *deviceBins;
  CUDA_CHECK(cudaMalloc(&deviceData, n));
  CUDA_CHECK(cudaMalloc(&deviceBins, 256 * sizeof(unsigned)));
  CUDA_CHECK(cudaMemcpy(deviceData, data.data(), n, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(deviceBins, 0, 256 * sizeof(unsigned)));
  histogram<<<40, 128>>>(deviceData, n, deviceBins);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(bins.data(), deviceBins, 256 * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceData));
  CUDA_CHECK(cudaFree(deviceBins));

  for (int value : {0, 12, 36, 60}) {
    printf("%3d |", value);
    for (unsigned i = 0; i < bins[value] / 4000; ++i) printf("#");
    printf("\n");
  }
  return report(bins == expected);
}
