// Vector addition as ordinary C++: the kernel is a function, the launch a call. Any C++ compiler and debugger will do.
#include <cuda_runtime.h>

#include "../common.h"

__global__ void vectorAdd(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 100'000;
  float *a, *b, *c;
  CUDA_CHECK(cudaMallocManaged(&a, n * sizeof(float)));
  CUDA_CHECK(cudaMallocManaged(&b, n * sizeof(float)));
  CUDA_CHECK(cudaMallocManaged(&c, n * sizeof(float)));
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 2.0f * i;
  }

  // vectorAdd<<<divideUp(n, 256), 256>>>(a, b, c, n)
  CUDA_CHECK(hostwarp::launch(divideUp(n, 256), 256, 0, nullptr, vectorAdd, a, b, c, n));
  CUDA_CHECK(cudaDeviceSynchronize());

  bool ok = true;
  for (int i = 0; i < n; ++i) ok &= c[i] == a[i] + b[i];
  CUDA_CHECK(cudaFree(a));
  CUDA_CHECK(cudaFree(b));
  CUDA_CHECK(cudaFree(c));
  return report(ok);
}
