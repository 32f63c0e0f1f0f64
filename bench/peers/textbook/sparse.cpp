// The sparse product as C++ for the processor: several sums a row; gathers would be slower than single loads.
#include "sparse.h"

#include "../harness/native.h"

using bench::Memory;

static float product(const int *columns, const float *values, int count, const float *x) {
  float sums[4] = {}, rest = 0;
  int i = 0;
  for (; i + 4 <= count; i += 4) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) sums[k] += values[i + k] * x[columns[i + k]];
  }
  for (; i < count; ++i) rest += values[i] * x[columns[i]];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest;
}

static void spmvCase(bench::Run &run) {
  const SparseMatrix input;
  const Memory<int> begins(input.begins), columns(input.columns);
  const Memory<float> values(input.values), x(input.x);
  Memory<float> y(SparseMatrix::rows);
  run.time([&, begin = begins.data(), column = columns.data(), value = values.data(), from = x.data(), to = y.data()] {
#pragma omp parallel for schedule(dynamic, 2048)
    for (int row = 0; row < SparseMatrix::rows; ++row)
      to[row] = product(column + begin[row], value + begin[row], begin[row + 1] - begin[row], from);
  });
  run.result(y.data(), y.size(), SparseMatrix::accept);
}
BENCH_CASE(spmvScalar) { spmvCase(run); }
BENCH_CASE(spmvVector) { spmvCase(run); }
