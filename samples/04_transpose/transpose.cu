// Transposes a matrix through a tile in shared memory, so that reads and writes both run along rows. The tile has one
// column more than it needs: threads of a warp then meet different memory banks.
#include <vector>

#include "../common.h"

constexpr int tileSize = 32, rowsPerStep = 8;

__global__ void transpose(float *out, const float *in, int width, int height) {
  __shared__ float tile[tileSize][tileSize + 1];
  int x = blockIdx.x * tileSize + threadIdx.x, y = blockIdx.y * tileSize + threadIdx.y;
  for (int step = 0; step < tileSize; step += rowsPerStep)
    if (x < width && y + step < height) tile[threadIdx.y + step][threadIdx.x] = in[(y + step) * width + x];
  __syncthreads();
  x = blockIdx.y * tileSize + threadIdx.x;
  y = blockIdx.x * tileSize + threadIdx.y;
  for (int step = 0; step < tileSize; step += rowsPerStep)
    if (x < height && y + step < width) out[(y + step) * height + x] = tile[threadIdx.x][threadIdx.y + step];
}

int main() {
  const int width = 1000, height = 700;
  std::vector<float> in(width * height), out(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);

  float *deviceIn, *deviceOut;
  CUDA_CHECK(cudaMalloc(&deviceIn, in.size() * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&deviceOut, in.size() * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(deviceIn, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
  const dim3 block(tileSize, rowsPerStep), grid(divideUp(width, tileSize), divideUp(height, tileSize));
  transpose<<<grid, block>>>(deviceOut, deviceIn, width, height);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(out.data(), deviceOut, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceIn));
  CUDA_CHECK(cudaFree(deviceOut));

  bool ok = true;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) ok &= out[x * height + y] == in[y * width + x];
  printf("%dx%d became %dx%d\n", width, height, height, width);
  return report(ok);
}
