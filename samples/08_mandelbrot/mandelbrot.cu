// Draws the Mandelbrot set into mandelbrot.ppm: one thread per pixel, two-dimensional blocks, a palette in constant
// memory.
#include <vector>

#include "../common.h"

constexpr int width = 480, height = 320, limit = 200, colors = 16;

__constant__ uchar3 palette[colors];

__host__ __device__ int iterations(float re, float im) {
  float x = 0, y = 0;
  int n = 0;
  while (n < limit && x * x + y * y < 4) {
    const float next = x * x - y * y + re;
    y = 2 * x * y + im;
    x = next;
    ++n;
  }
  return n;
}

__global__ void draw(uchar3 *image) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int n = iterations(-2.2f + 3.2f * x / width, -1.1f + 2.2f * y / height);
  image[y * width + x] = n == limit ? make_uchar3(0, 0, 0) : palette[n % colors];
}

int main() {
  uchar3 table[colors];
  for (int i = 0; i < colors; ++i) table[i] = make_uchar3(16 * i, 255 - 12 * i, 80 + 10 * i);
  CUDA_CHECK(cudaMemcpyToSymbol(palette, table, sizeof table));

  uchar3 *device;
  std::vector<uchar3> image(width * height);
  CUDA_CHECK(cudaMalloc(&device, image.size() * sizeof(uchar3)));
  const dim3 block(16, 16), grid(divideUp(width, block.x), divideUp(height, block.y));
  draw<<<grid, block>>>(device);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(image.data(), device, image.size() * sizeof(uchar3), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device));

  if (!writePicture("mandelbrot.ppm", image.data(), width, height)) return report(false);

  // The set is symmetric about the real axis and holds the origin.
  int inside = 0;
  for (const uchar3 &pixel : image) inside += pixel.x == 0 && pixel.y == 0 && pixel.z == 0;
  const int percent = inside * 100 / (width * height);
  printf("mandelbrot.ppm: %d x %d pixels, %d%% of them inside\n", width, height, percent);
  const uchar3 origin = image[height / 2 * width + static_cast<int>(2.2 / 3.2 * width)];
  return report(percent == 21 && origin.x == 0 && origin.y == 0);
}
