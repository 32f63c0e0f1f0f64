// Sizes and inputs of the classics: both forms include this.
#ifndef HOSTWARP_BENCH_CLASSICS_H
#define HOSTWARP_BENCH_CLASSICS_H

#include "../harness/inputs.h"

// Sums of all elements before each, of rows of 512, by a tree that is walked up and down.
struct TreeScan {
  static constexpr int rows = 4096, width = 512;
  std::vector<int> in = bench::integers<int>(size_t(rows) * width, 60, 100);
};

// Elements that are multiples of three are counted and kept, in any order.
struct Compaction {
  static constexpr int n = 4 << 20;
  std::vector<int> in = bench::integers<int>(n, 61, 1000);
};

// Each row is scaled to mean 0 and deviation 1.
struct LayerNorm {
  static constexpr int rows = 2048, width = 768;
  static constexpr bench::Accept accept{1e-3};
  std::vector<float> in = bench::uniform(size_t(rows) * width, 62, 0, 1);
  std::vector<float> scale = bench::uniform(width, 63, 0, 1), shift = bench::uniform(width, 64, 0, 1);
};

// The cheapest way down a wall, a row at a time; blocks do twenty rows of their part and what reaches into it.
struct PathFinder {
  static constexpr int columns = 1 << 20, rows = 20;
  std::vector<int> wall = bench::integers<int>(size_t(columns) * rows, 65, 10);
};

// Colours of three bytes become shades of one.
struct Gray {
  static constexpr int n = 4 << 20;
  std::vector<uint8_t> in = bench::integers<uint8_t>(size_t(3) * n, 66, 256);
};

// A wavelet's sums and differences of neighbours, of rows of 512, half as many each time.
struct Haar {
  static constexpr int rows = 4096, width = 512;
  static constexpr bench::Accept accept{1e-4};
  std::vector<float> in = bench::uniform(size_t(rows) * width, 67, 0, 1);
};

#endif  // HOSTWARP_BENCH_CLASSICS_H
