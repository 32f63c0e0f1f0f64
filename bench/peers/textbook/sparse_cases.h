// The host side of the sparse products, the same for CUDA, HIP-CPU and OpenCL.
#include "sparse.h"

#define SPMV_CASE(kernel, blocks)                                                                       \
  BENCH_CASE(kernel) {                                                                                  \
    const SparseMatrix input;                                                                           \
    bench::Buffer<int> begins(input.begins), columns(input.columns);                                    \
    bench::Buffer<float> values(input.values), x(input.x), y(SparseMatrix::rows);                       \
    run.time([&] {                                                                                      \
      BENCH_LAUNCH(kernel, dim3(blocks), dim3(256), SparseMatrix::rows, begins, columns, values, x, y); \
      bench::finish();                                                                                  \
    });                                                                                                 \
    run.result(y.host(), SparseMatrix::accept);                                                         \
  }
SPMV_CASE(spmvScalar, SparseMatrix::rows / 256)
SPMV_CASE(spmvVector, SparseMatrix::rows / (256 / BENCH_WARP))
