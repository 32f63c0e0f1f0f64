// Adds two vectors: one thread per element.
#include <vector>

#include "../common.h"

__global__ void vectorAdd(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];  // the last block has threads to spare
}

int main() {
  const int n = 1'000'000;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 2.0f * i;
  }

  float *deviceA, *deviceB, *deviceC;
  CUDA_CHECK(cudaMalloc(&deviceA, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&deviceB, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&deviceC, n * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(deviceA, a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(deviceB, b.data(), n * sizeof(float), cudaMemcpyHostToDevice));

  const int threads = 256, blocks = divideUp(n, threads);
  printf("%d elements in %d blocks of %d threads\n", n, blocks, threads);
  vectorAdd<<<blocks, threads>>>(deviceA, deviceB, deviceC, n);
  CUDA_CHECK(cudaGetLastError());

  // This copy waits for the kernel.
  CUDA_CHECK(cudaMemcpy(c.data(), deviceC, n * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceA));
  CUDA_CHECK(cudaFree(deviceB));
  CUDA_CHECK(cudaFree(deviceC));

  bool ok = true;
  for (int i = 0; i < n; ++i) ok &= c[i] == a[i] + b[i];
  return report(ok);
}
