// A lower triangular matrix in compressed rows whose rows come in levels: those of one need only earlier ones.
#ifndef HOSTWARP_BENCH_TRIANGULAR_SOLVE_H
#define HOSTWARP_BENCH_TRIANGULAR_SOLVE_H

#include "../harness/inputs.h"

struct Triangular {
  static constexpr int levels = 64, rowsOfLevel = 8192, rows = levels * rowsOfLevel, most = 8;
  static constexpr bench::Accept accept{1e-4};
  Triangular() {
    for (uint32_t row = 0; row < rows; ++row) {
      const uint32_t level = row / rowsOfLevel, earlier = level * rowsOfLevel;
      for (uint32_t i = 0; level > 0 && i < most; ++i) {
        // The first element is in the level before, so that the row is in this one.
        const uint32_t at = bench::hash(row * most + i);
        columns.push_back(int(i == 0 ? earlier - 1 - at % rowsOfLevel : at % earlier));
        values.push_back(bench::unit(row * most + i, 37) * 0.2f - 0.1f);
      }
      begins.push_back(int(columns.size()));
    }
  }
  std::vector<int> begins = {0}, columns;
  std::vector<float> values, diagonal = bench::uniform(rows, 38, 1, 2), right = bench::uniform(rows, 39, -1, 1);
};

#endif  // HOSTWARP_BENCH_TRIANGULAR_SOLVE_H
