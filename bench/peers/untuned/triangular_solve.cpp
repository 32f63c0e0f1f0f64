// Solves a sparse triangular system: the cores share the rows of a level and meet before the next.
#include "triangular_solve.h"

#include "../harness/native.h"

BENCH_CASE(triangularSolve) {
  const Triangular input;
  const bench::Memory<int> begins(input.begins), columns(input.columns);
  const bench::Memory<float> values(input.values);
  bench::Memory<float> x(Triangular::rows);
  run.time([&, begin = begins.data(), column = columns.data(), value = values.data(), to = x.data()] {
#pragma omp parallel
    for (int level = 0; level < Triangular::levels; ++level) {
#pragma omp for schedule(static)
      for (int row = level * Triangular::rowsOfLevel; row < (level + 1) * Triangular::rowsOfLevel; ++row) {
        float sum = input.right[size_t(row)];
        for (int k = begin[row]; k < begin[row + 1]; ++k) sum -= value[k] * to[column[k]];
        to[row] = sum / input.diagonal[size_t(row)];
      }
    }
  });
  run.result(x.data(), x.size(), Triangular::accept);
}
