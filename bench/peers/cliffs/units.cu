// A kernel that calls a function of another unit, and one that launches kernels: both are compiled with -rdc=true.
#include "units.h"

#include "../harness/cuda.h"
#include "../harness/inputs.h"

constexpr int n = 1 << 20, parts = 16;

__global__ void evaluate(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = polynomial(in[i]);
}

template <class Launch>
static void measure(bench::Run &run, Launch launch) {
  bench::Buffer<float> in(bench::uniform(n, 61, -1, 1)), out(n);
  run.time([&] {
    launch((float *)in, (float *)out);
    bench::finish();
  });
  run.result(out.host(), bench::Accept{1e-5});
}

BENCH_CASE(unit) {
  measure(run, [](float *in, float *out) { evaluate<<<n / 256, 256>>>(in, out); });
}

#ifndef BENCH_ONE_UNIT
__global__ void scale(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1.5f * in[i] + 0.5f;
}

__global__ void scaleParts(const float *in, float *out) {
  int first = blockIdx.x * (n / parts);
  if (threadIdx.x == 0) scale<<<n / parts / 256, 256>>>(in + first, out + first);
}

BENCH_CASE(launchWithout) {
  measure(run, [](float *in, float *out) {
    for (int first = 0; first < n; first += n / parts) scale<<<n / parts / 256, 256>>>(in + first, out + first);
  });
}
BENCH_CASE(launchWith) {
  measure(run, [](float *in, float *out) { scaleParts<<<parts, 32>>>(in, out); });
}
#endif
