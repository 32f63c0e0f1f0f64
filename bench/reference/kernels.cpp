// The work of kernels.cu in plain C++ on the same cores, with oneTBB. A barrier has no counterpart.
#include <tbb/parallel_for.h>

#include "bench/timing.h"

static int benchSaxpy() {
  const int n = 64 << 20;
  std::vector<float> x(n, 1.0f), y(n, 0.0f);
  const float a = 2.0f;
  double time = bench::seconds([&] {
    tbb::parallel_for(tbb::blocked_range<int>(0, n, 1 << 16), [&](const auto &range) {
      const float *from = x.data();
      float *to = y.data();
      for (int i = range.begin(); i < range.end(); ++i) to[i] = a * from[i] + to[i];
    });
  });
  if (y[n / 2] != 12.0f) return 1;
  bench::report("saxpy_64M", time * 1e3, "ms");
  return 0;
}

static int benchMatmul() {
  constexpr int n = 1024, block = 16;
  std::vector<float> a(n * n, 1.0f), b(n * n, 0.5f), c(n * n);
  double time = bench::seconds([&] {
    tbb::parallel_for(0, n / block, [&](int strip) {
      for (int row = strip * block; row < (strip + 1) * block; ++row) {
        float *out = &c[row * n];
        std::fill(out, out + n, 0.0f);
        for (int k = 0; k < n; ++k)
          for (int column = 0; column < n; ++column) out[column] += a[row * n + k] * b[k * n + column];
      }
    });
  });
  if (c[n] != 0.5f * n) return 1;
  bench::report("matmul_1024_tiled", time * 1e3, "ms");
  return 0;
}

static int benchLaunches() {
  double single = bench::seconds([] { tbb::parallel_for(0, 2, [](int) {}); }, 101);
  bench::report("launch_and_synchronize", single * 1e6, "us");
  return 0;
}

int main() { return benchLaunches() || benchSaxpy() || benchMatmul(); }
