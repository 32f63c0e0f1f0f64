// Two sequences of four letters, the second like the first in places; the scores of the last row are the result.
#ifndef HOSTWARP_BENCH_SMITH_WATERMAN_H
#define HOSTWARP_BENCH_SMITH_WATERMAN_H

#include "../harness/inputs.h"

struct SmithWaterman {
  static constexpr int n = 4096, match = 3, mismatch = -1, gap = -2;
  SmithWaterman() {
    for (uint32_t i = 0; i < n; ++i)
      if (bench::hash(i + 40) % 4 != 0) down[i] = across[(i + 7) % n];
  }
  std::vector<uint8_t> across = bench::integers<uint8_t>(n, 41, 4), down = bench::integers<uint8_t>(n, 42, 4);
};

#endif  // HOSTWARP_BENCH_SMITH_WATERMAN_H
