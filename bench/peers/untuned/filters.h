// Pictures for the filters; both take the nearest pixel of the picture for one outside of it.
#ifndef HOSTWARP_BENCH_FILTERS_H
#define HOSTWARP_BENCH_FILTERS_H

#include "../harness/inputs.h"

struct Convolution2d {
  static constexpr int width = 4096, height = 2048, taps = 5;
  static constexpr bench::Accept accept{1e-5};
  std::vector<float> in = bench::uniform(size_t(width) * height, 34, 0, 1);
  std::vector<float> filter = bench::uniform(taps * taps, 35, 0, 0.08f);
};

struct Median {
  static constexpr int width = 4096, height = 4096;
  std::vector<uint8_t> in = bench::integers<uint8_t>(size_t(width) * height, 36, 256);
};

#endif  // HOSTWARP_BENCH_FILTERS_H
