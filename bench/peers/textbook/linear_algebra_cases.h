// The host side of the linear algebra, the same for CUDA, HIP-CPU and OpenCL.
#include "linear_algebra.h"

BENCH_CASE(saxpy) {
  const Saxpy input;
  bench::Buffer<float> x(input.x), y(input.y);
  const auto work = [&] {
    BENCH_LAUNCH(saxpy, dim3(Saxpy::n / 256), dim3(256), Saxpy::n, Saxpy::a, x, y);
    bench::finish();
  };
  run.time(work);
  y.assign(input.y);
  work();
  run.result(y.host(), Saxpy::accept);
}

#define MATMUL_CASE(tile)                                                                 \
  BENCH_CASE(matmul##tile) {                                                              \
    const Matmul input;                                                                   \
    const int n = Matmul::n;                                                              \
    bench::Buffer<float> a(input.a), b(input.b), c(input.a.size());                       \
    run.time([&] {                                                                        \
      BENCH_LAUNCH(matmul##tile, dim3(n / tile, n / tile), dim3(tile, tile), a, b, c, n); \
      bench::finish();                                                                    \
    });                                                                                   \
    run.result(c.host(), Matmul::accept);                                                 \
  }
MATMUL_CASE(16)
MATMUL_CASE(32)

BENCH_CASE(transpose) {
  const Transpose input;
  const int n = Transpose::n;
  bench::Buffer<float> in(input.in), out(input.in.size());
  run.time([&] {
    BENCH_LAUNCH(transpose, dim3(n / 32, n / 32), dim3(32, 8), in, out, n, n);
    bench::finish();
  });
  run.result(out.host());
}
