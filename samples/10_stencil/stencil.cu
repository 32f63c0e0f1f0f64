// Heat spreads over a plate: each step averages the four neighbours. Tiles in shared memory have a border of one cell.
#include <vector>

#include "../common.h"

constexpr int tileSize = 16;

__global__ void spread(const float *in, float *out, int width, int height) {
  __shared__ float tile[tileSize + 2][tileSize + 2];
  const int x = blockIdx.x * tileSize + threadIdx.x, y = blockIdx.y * tileSize + threadIdx.y;
  // The threads together load the tile and its border; outside the plate it is as cold as the edge.
  const int thread = threadIdx.y * tileSize + threadIdx.x;
  for (int k = thread; k < (tileSize + 2) * (tileSize + 2); k += tileSize * tileSize) {
    const int fromX = static_cast<int>(blockIdx.x * tileSize) + k % (tileSize + 2) - 1;
    const int fromY = static_cast<int>(blockIdx.y * tileSize) + k / (tileSize + 2) - 1;
    const bool inside = fromX >= 0 && fromX < width && fromY >= 0 && fromY < height;
    tile[k / (tileSize + 2)][k % (tileSize + 2)] = inside ? in[fromY * width + fromX] : 0;
  }
  __syncthreads();
  if (x >= width || y >= height) return;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  out[y * width + x] = 0.25f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}

static void spreadOnHost(const std::vector<float> &in, std::vector<float> &out, int width, int height) {
  const auto at = [&](int x, int y) { return x < 0 || x >= width || y < 0 || y >= height ? 0.0f : in[y * width + x]; };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      out[y * width + x] = 0.25f * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1));
}

int main() {
  const int width = 130, height = 70, steps = 50;
  std::vector<float> plate(width * height, 0.0f), result(plate.size()), next(plate.size());
  plate[height / 2 * width + width / 2] = 1000;

  float *current, *other;
  CUDA_CHECK(cudaMalloc(&current, plate.size() * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&other, plate.size() * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(current, plate.data(), plate.size() * sizeof(float), cudaMemcpyHostToDevice));
  const dim3 block(tileSize, tileSize), grid(divideUp(width, tileSize), divideUp(height, tileSize));
  for (int s = 0; s < steps; ++s) {
    spread<<<grid, block>>>(current, other, width, height);
    std::swap(current, other);
  }
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(result.data(), current, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(current));
  CUDA_CHECK(cudaFree(other));

  for (int s = 0; s < steps; ++s) {
    spreadOnHost(plate, next, width, height);
    plate.swap(next);
  }
  bool ok = true;
  for (size_t i = 0; i < plate.size(); ++i) ok &= close(result[i], plate[i]);
  printf("after %d steps the middle has %.2f degrees\n", steps, result[height / 2 * width + width / 2]);
  return report(ok);
}
