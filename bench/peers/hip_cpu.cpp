// kernels.cu written for HIP-CPU.
#include <hip/hip_runtime.h>

#include "timing.h"

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

static void benchLaunches() {
  auto once = [](int blocks, int threads) {
    hipLaunchKernelGGL(empty, dim3(blocks), dim3(threads), 0, nullptr);
    (void)hipDeviceSynchronize();
  };
  bench::report("launch_and_synchronize", bench::seconds([&] { once(1, 1); }, 101) * 1e6, "us");
  double queued = bench::seconds([] {
    for (int i = 0; i < 1000; ++i) hipLaunchKernelGGL(empty, dim3(1), dim3(1), 0, nullptr);
    (void)hipDeviceSynchronize();
  });
  bench::report("launch_queued", queued / 1000 * 1e6, "us");
  bench::report("empty_threads", 65536.0 * 256 / bench::seconds([&] { once(65536, 256); }) / 1e6, "M/s");
  double barrier = bench::seconds([] {
    hipLaunchKernelGGL(barriers, dim3(16), dim3(256), 0, nullptr, 1000);
    (void)hipDeviceSynchronize();
  });
  bench::report("barrier_per_thread", barrier / (16 * 256 * 1000.0) * 1e9, "ns");
}

int main() {
  benchLaunches();
  const int n = 64 << 20, m = 1024;
  std::vector<float> x(n, 1.0f), y(n, 0.0f), a(m * m, 1.0f), b(m * m, 0.5f), c(m * m);
  double vector = bench::seconds([&] {
    hipLaunchKernelGGL(saxpy, dim3(n / 256), dim3(256), 0, nullptr, n, 2.0f, x.data(), y.data());
    (void)hipDeviceSynchronize();
  });
  if (y[n / 2] != 12.0f) return 1;
  bench::report("saxpy_64M", vector * 1e3, "ms");
  double matrix = bench::seconds([&] {
    hipLaunchKernelGGL(matmul, dim3(m / tile, m / tile), dim3(tile, tile), 0, nullptr, a.data(), b.data(), c.data(), m);
    (void)hipDeviceSynchronize();
  });
  if (c[m] != 0.5f * m) return 1;
  bench::report("matmul_1024_tiled", matrix * 1e3, "ms");
}
