// The host side of bodies and options, the same for CUDA, HIP-CPU and OpenCL.
#include <cstring>

#include "simulation.h"

#ifdef CL_TARGET_OPENCL_VERSION
using Float4 = cl_float4;
#else
using Float4 = float4;
#endif

BENCH_CASE(bodies) {
  const Bodies input;
  std::vector<Float4> vectors(Bodies::n);
  std::memcpy(static_cast<void *>(vectors.data()), input.bodies.data(), input.bodies.size() * sizeof(float));
  bench::Buffer<Float4> in(vectors), out(Bodies::n);
  run.time([&] {
    BENCH_LAUNCH(bodies, dim3(Bodies::n / 256), dim3(256), in, out, Bodies::n);
    bench::finish();
  });
  vectors = out.host();
  run.result(reinterpret_cast<const float *>(vectors.data()), 4 * vectors.size(), Bodies::accept);
}

BENCH_CASE(blackScholes) {
  const Options input;
  const int n = Options::n;
  bench::Buffer<float> price(input.price), strike(input.strike), years(input.years), call(n), put(n);
  run.time([&] {
    BENCH_LAUNCH(blackScholes, dim3(n / 256), dim3(256), price, strike, years, call, put, n);
    bench::finish();
  });
  std::vector<float> both = call.host(), puts = put.host();
  both.insert(both.end(), puts.begin(), puts.end());
  run.result(both, Options::accept);
}
