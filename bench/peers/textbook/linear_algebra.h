// Sizes and inputs of the linear algebra: all forms include this.
#ifndef HOSTWARP_BENCH_LINEAR_ALGEBRA_H
#define HOSTWARP_BENCH_LINEAR_ALGEBRA_H

#include "../harness/inputs.h"

struct Saxpy {
  static constexpr int n = 32 << 20;
  static constexpr float a = 1.5f;
  static constexpr bench::Accept accept{1e-6};
  std::vector<float> x = bench::uniform(n, 1, -1, 1), y = bench::uniform(n, 2, -1, 1);
};

struct Matmul {
  static constexpr int n = 1024;
  static constexpr bench::Accept accept{1e-4};
  std::vector<float> a = bench::uniform(size_t(n) * n, 3, -1, 1), b = bench::uniform(size_t(n) * n, 4, -1, 1);
};

struct Transpose {
  static constexpr int n = 4096;
  std::vector<float> in = bench::uniform(size_t(n) * n, 5, -1, 1);
};

#endif  // HOSTWARP_BENCH_LINEAR_ALGEBRA_H
