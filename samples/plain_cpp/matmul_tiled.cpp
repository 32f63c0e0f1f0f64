// The tiled matrix product of 03_matmul_tiled as ordinary C++, with tiles whose size is a template parameter.
#include <cuda_runtime.h>

#include <vector>

#include "../common.h"

template <int Size>
__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float tileA[Size][Size], tileB[Size][Size];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * Size + y, column = blockIdx.x * Size + x;
  float sum = 0;
  for (int start = 0; start < n; start += Size) {
    tileA[y][x] = row < n && start + x < n ? a[row * n + start + x] : 0;
    tileB[y][x] = start + y < n && column < n ? b[(start + y) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < Size; ++k) sum += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

template <int Size>
static bool multiplies(const std::vector<float> &a, const std::vector<float> &b, int n) {
  const size_t bytes = a.size() * sizeof(float);
  std::vector<float> c(a.size(), -1);
  float *deviceA, *deviceB, *deviceC;
  CUDA_CHECK(cudaMalloc(&deviceA, bytes));
  CUDA_CHECK(cudaMalloc(&deviceB, bytes));
  CUDA_CHECK(cudaMalloc(&deviceC, bytes));
  CUDA_CHECK(cudaMemcpy(deviceA, a.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(deviceB, b.data(), bytes, cudaMemcpyHostToDevice));
  const unsigned blocks = divideUp(n, Size);
  CUDA_CHECK(
      hostwarp::launch(dim3(blocks, blocks), dim3(Size, Size), 0, nullptr, matmul<Size>, deviceA, deviceB, deviceC, n));
  CUDA_CHECK(cudaMemcpy(c.data(), deviceC, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceA));
  CUDA_CHECK(cudaFree(deviceB));
  CUDA_CHECK(cudaFree(deviceC));

  bool ok = true;
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float expected = 0;
      for (int k = 0; k < n; ++k) expected += a[row * n + k] * b[k * n + column];
      ok &= close(c[row * n + column], expected);
    }
  return ok;
}

int main() {
  const int n = 75;
  std::vector<float> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i % 7) - 3;
    b[i] = static_cast<float>(i % 5) - 2;
  }
  return report(multiplies<16>(a, b, n) && multiplies<8>(a, b, n));
}
