// Solves a sparse triangular system, a launch a level, a thread a row.
#include "triangular_solve.h"

#include "../harness/cuda.h"

__global__ void solveLevel(int first, int count, const int *begins, const int *columns, const float *values,
                           const float *diagonal, const float *right, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int row = first + i;
  float sum = right[row];
  for (int k = begins[row]; k < begins[row + 1]; ++k) sum -= values[k] * x[columns[k]];
  x[row] = sum / diagonal[row];
}

BENCH_CASE(triangularSolve) {
  const Triangular input;
  bench::Buffer<int> begins(input.begins), columns(input.columns);
  bench::Buffer<float> values(input.values), diagonal(input.diagonal), right(input.right), x(Triangular::rows);
  const int count = Triangular::rowsOfLevel;
  run.time([&] {
    for (int level = 0; level < Triangular::levels; ++level)
      solveLevel<<<count / 256, 256>>>(level * count, count, begins, columns, values, diagonal, right, x);
    bench::finish();
  });
  run.result(x.host(), Triangular::accept);
}
