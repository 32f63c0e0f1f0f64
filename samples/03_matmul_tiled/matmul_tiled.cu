// C = A * B with tiles in shared memory: each element of A and B is read from global memory once per tile.
#include <vector>

#include "../common.h"

constexpr int tileSize = 16;

__global__ void matmul(const float *a, const float *b, float *c, int rows, int inner, int columns) {
  __shared__ float tileA[tileSize][tileSize], tileB[tileSize][tileSize];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tileSize + y, column = blockIdx.x * tileSize + x;
  float sum = 0;
  for (int start = 0; start < inner; start += tileSize) {
    tileA[y][x] = row < rows && start + x < inner ? a[row * inner + start + x] : 0;
    tileB[y][x] = start + y < inner && column < columns ? b[(start + y) * columns + column] : 0;
    __syncthreads();  // both tiles are complete
    for (int k = 0; k < tileSize; ++k) sum += tileA[y][k] * tileB[k][x];
    __syncthreads();  // nobody needs them any more
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

int main() {
  const int rows = 200, inner = 150, columns = 170;  // no multiples of the tile
  std::vector<float> a(rows * inner), b(inner * columns), c(rows * columns);
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3;
  for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5) - 2;

  float *deviceA, *deviceB, *deviceC;
  CUDA_CHECK(cudaMalloc(&deviceA, a.size() * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&deviceB, b.size() * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&deviceC, c.size() * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(deviceA, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(deviceB, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));

  const dim3 block(tileSize, tileSize), grid(divideUp(columns, tileSize), divideUp(rows, tileSize));
  printf("%dx%d times %dx%d on a grid of %ux%u blocks\n", rows, inner, inner, columns, grid.x, grid.y);
  matmul<<<grid, block>>>(deviceA, deviceB, deviceC, rows, inner, columns);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(c.data(), deviceC, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceA));
  CUDA_CHECK(cudaFree(deviceB));
  CUDA_CHECK(cudaFree(deviceC));

  bool ok = true;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      float expected = 0;
      for (int k = 0; k < inner; ++k) expected += a[row * inner + k] * b[k * columns + column];
      ok &= close(c[row * columns + column], expected);
    }
  return report(ok);
}
