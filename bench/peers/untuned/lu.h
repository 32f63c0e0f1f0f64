// Small matrices that need no pivots.
#ifndef HOSTWARP_BENCH_LU_H
#define HOSTWARP_BENCH_LU_H

#include "../harness/inputs.h"

struct Lu {
  static constexpr int size = 32, count = 8192;
  static constexpr bench::Accept accept{1e-4};
  Lu() {
    for (size_t m = 0; m < count; ++m)
      for (size_t i = 0; i < size; ++i) in[(m * size + i) * size + i] += size;
  }
  std::vector<float> in = bench::uniform(size_t(size) * size * count, 33, -1, 1);
};

#endif  // HOSTWARP_BENCH_LU_H
