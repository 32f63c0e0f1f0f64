// Sizes and inputs of work on pictures and signals: all forms include this.
#ifndef HOSTWARP_BENCH_IMAGES_H
#define HOSTWARP_BENCH_IMAGES_H

#include "../harness/inputs.h"

struct Stencil {
  static constexpr int n = 4096;
  static constexpr bench::Accept accept{1e-5};
  std::vector<float> in = bench::uniform(size_t(n) * n, 11, -1, 1);
};

// A pixel at the edge of the set may need another number of steps when a product and a sum are rounded once.
struct Mandelbrot {
  static constexpr int n = 2048, most = 256;
  static constexpr bench::Accept accept{0, 0.01};
};

struct Convolution1d {
  static constexpr int n = 16 << 20, radius = 16, taps = 2 * radius + 1;
  static constexpr bench::Accept accept{1e-5};
  std::vector<float> in = bench::uniform(n, 12, -1, 1), filter = bench::uniform(taps, 13, 0, 2.0f / taps);
};

struct Life {
  static constexpr int n = 4096, generations = 4;
  std::vector<uint8_t> in = bench::integers<uint8_t>(size_t(n) * n, 14, 2);
};

#endif  // HOSTWARP_BENCH_IMAGES_H
