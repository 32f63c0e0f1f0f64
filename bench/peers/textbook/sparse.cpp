// The sparse product as C++ for the processor: rows of vectors, gathered.
#include "sparse.h"

#include "../harness/native.h"

using bench::Memory;

static void spmvCase(bench::Run &run) {
  const SparseMatrix input;
  const Memory<int> begins(input.begins), columns(input.columns);
  const Memory<float> values(input.values), x(input.x);
  Memory<float> y(SparseMatrix::rows);
  run.time([&, begin = begins.data(), column = columns.data(), value = values.data(), from = x.data()] {
#pragma omp parallel for schedule(dynamic, 2048)
    for (int row = 0; row < SparseMatrix::rows; ++row) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int i = begin[row]; i < begin[row + 1]; ++i) sum += value[i] * from[column[i]];
      y[size_t(row)] = sum;
    }
  });
  run.result(y.data(), y.size(), SparseMatrix::accept);
}
BENCH_CASE(spmvScalar) { spmvCase(run); }
BENCH_CASE(spmvVector) { spmvCase(run); }
