// The host side of the work on pictures, the same for CUDA, HIP-CPU and OpenCL.
#include <utility>

#include "images.h"

BENCH_CASE(stencil) {
  const Stencil input;
  const int n = Stencil::n;
  bench::Buffer<float> in(input.in), out(input.in.size());
  run.time([&] {
    BENCH_LAUNCH(stencil, dim3(n / 16, n / 16), dim3(16, 16), in, out, n);
    bench::finish();
  });
  run.result(out.host(), Stencil::accept);
}

BENCH_CASE(mandelbrot) {
  const int n = Mandelbrot::n;
  bench::Buffer<int> out(size_t(n) * n);
  run.time([&] {
    BENCH_LAUNCH(mandelbrot, dim3(n / 16, n / 16), dim3(16, 16), out, n, Mandelbrot::most);
    bench::finish();
  });
  run.result(out.host(), Mandelbrot::accept);
}

BENCH_CASE(convolution1d) {
  const Convolution1d input;
  const int n = Convolution1d::n;
  bench::Buffer<float> in(input.in), out(n);
  BENCH_CONSTANT(float, taps, input.filter);
  run.time([&] {
    BENCH_LAUNCH(convolution1d, dim3(n / 256), dim3(256), in, out, n BENCH_CONSTANT_ARGUMENT(taps));
    bench::finish();
  });
  run.result(out.host(), Convolution1d::accept);
}

BENCH_CASE(life) {
  const Life input;
  const int n = Life::n;
  bench::Buffer<unsigned char> first(input.in), a(input.in.size()), b(input.in.size());
  bench::Buffer<unsigned char> *out = nullptr;
  run.time([&] {
    bench::Buffer<unsigned char> *in = &first;
    for (int generation = 0; generation < Life::generations; ++generation, in = out) {
      out = in == &a ? &b : &a;
      BENCH_LAUNCH(life, dim3(n / 16, n / 16), dim3(16, 16), *in, *out, n);
    }
    bench::finish();
  });
  run.result(out->host());
}
