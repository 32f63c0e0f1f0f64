// The sparse matrix and the vector: all forms include this.
#ifndef HOSTWARP_BENCH_SPARSE_H
#define HOSTWARP_BENCH_SPARSE_H

#include <algorithm>

#include "../harness/inputs.h"

// Rows of 8 to 56 elements within 32768 columns of the diagonal, in compressed rows.
struct SparseMatrix {
  static constexpr int rows = 1 << 18;
  static constexpr bench::Accept accept{1e-4};
  SparseMatrix() {
    for (uint32_t row = 0; row < rows; ++row) {
      const uint32_t begin = uint32_t(columns.size()), count = 8 + bench::hash(row + 901) % 49;
      for (uint32_t i = begin; i < begin + count; ++i) {
        columns.push_back(int((row + rows + bench::hash(i + 17) % 65536 - 32768) % rows));
        values.push_back(bench::unit(i, 23) - 0.5f);
      }
      std::sort(columns.begin() + begin, columns.end());
      begins.push_back(int(columns.size()));
    }
  }
  std::vector<int> begins = {0}, columns;
  std::vector<float> values, x = bench::uniform(rows, 24, -1, 1);
};

#endif  // HOSTWARP_BENCH_SPARSE_H
