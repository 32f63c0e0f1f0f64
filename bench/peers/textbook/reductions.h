// Sizes and inputs of sums, prefix sums, softmax and the histogram: all forms include this.
#ifndef HOSTWARP_BENCH_REDUCTIONS_H
#define HOSTWARP_BENCH_REDUCTIONS_H

#include "../harness/inputs.h"

struct Reduce {
  static constexpr int n = 32 << 20;
  static constexpr bench::Accept accept{1e-5};
  std::vector<float> in = bench::uniform(n, 6, 0, 1);
};

struct Scan {
  static constexpr int n = 16 << 20;
  std::vector<int> in = bench::integers<int>(n, 7, 16);
};

struct Softmax {
  static constexpr int rows = 8192, columns = 1024;
  static constexpr bench::Accept accept{1e-5};
  std::vector<float> in = bench::uniform(size_t(rows) * columns, 8, -8, 8);
};

struct Histogram {
  static constexpr int n = 64 << 20, bins = 256;
  // Small values are the more frequent ones, as in pictures.
  Histogram() {
    for (int i = 0; i < n; ++i) {
      const uint32_t bits = bench::hash(uint32_t(i) + 9);
      in[size_t(i)] = uint8_t(bits & bits >> 8);
    }
  }
  std::vector<uint8_t> in = std::vector<uint8_t>(n);
};

#endif  // HOSTWARP_BENCH_REDUCTIONS_H
