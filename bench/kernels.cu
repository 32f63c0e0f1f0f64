// What kernels and launches cost: an empty kernel, SAXPY of 64M elements, a tiled 1024x1024 matrix product, a launch.
#include <cmath>
#include <cstdio>

#include "timing.h"

#define CHECK(call)                                              \
  do {                                                           \
    cudaError_t error = (call);                                  \
    if (error != cudaSuccess) {                                  \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      return 1;                                                  \
    }                                                            \
  } while (0)

__global__ void empty() {}

__global__ void barriers(int rounds) {
  for (int i = 0; i < rounds; ++i) __syncthreads();
}

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

constexpr int tile = 16;

__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float as[tile][tile], bs[tile][tile];
  int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

static int benchSaxpy() {
  const int n = 64 << 20;
  float *x, *y;
  CHECK(cudaMallocManaged(&x, n * sizeof(float)));
  CHECK(cudaMallocManaged(&y, n * sizeof(float)));
  for (int i = 0; i < n; ++i) x[i] = 1.0f, y[i] = 0.0f;
  double time = bench::seconds([&] {
    saxpy<<<n / 256, 256>>>(n, 2.0f, x, y);
    cudaDeviceSynchronize();
  });
  CHECK(cudaGetLastError());
  for (int i = 0; i < n; i += 4097)
    if (y[i] != 12.0f) return 1;
  bench::report("saxpy_64M", time * 1e3, "ms");
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}

static int benchMatmul() {
  const int n = 1024;
  float *a, *b, *c;
  CHECK(cudaMallocManaged(&a, n * n * sizeof(float)));
  CHECK(cudaMallocManaged(&b, n * n * sizeof(float)));
  CHECK(cudaMallocManaged(&c, n * n * sizeof(float)));
  for (int i = 0; i < n * n; ++i) a[i] = 1.0f, b[i] = 0.5f;
  double time = bench::seconds([&] {
    matmul<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(a, b, c, n);
    cudaDeviceSynchronize();
  });
  CHECK(cudaGetLastError());
  for (int i = 0; i < n * n; i += 1023)
    if (c[i] != 0.5f * n) return 1;
  bench::report("matmul_1024_tiled", time * 1e3, "ms");
  return 0;
}

static int benchLaunches() {
  const int launches = 1000;
  double single = bench::seconds(
      [] {
        empty<<<1, 1>>>();
        cudaDeviceSynchronize();
      },
      101);
  double queued = bench::seconds([&] {
    for (int i = 0; i < launches; ++i) empty<<<1, 1>>>();
    cudaDeviceSynchronize();
  });
  double threads = bench::seconds([] {
    empty<<<65536, 256>>>();
    cudaDeviceSynchronize();
  });
  double barrier = bench::seconds([] {
    barriers<<<16, 256>>>(1000);
    cudaDeviceSynchronize();
  });
  CHECK(cudaGetLastError());
  bench::report("launch_and_synchronize", single * 1e6, "us");
  bench::report("launch_queued", queued / launches * 1e6, "us");
  bench::report("empty_threads", 65536.0 * 256 / threads / 1e6, "M/s");
  bench::report("barrier_per_thread", barrier / (16 * 256 * 1000.0) * 1e9, "ns");
  return 0;
}

int main() { return benchLaunches() || benchSaxpy() || benchMatmul(); }
