// Radix-2 transforms in shared memory: a block of 512 threads has one of 1024 points, a butterfly a thread and stage.
#include "fft.h"

#include "../harness/cuda.h"

__global__ void fft1024(const float2 *in, float2 *out, const float2 *roots) {
  __shared__ float2 s[1024];
  int t = threadIdx.x;
  const float2 *from = in + blockIdx.x * 1024;
  float2 *to = out + blockIdx.x * 1024;
  s[__brev(t) >> 22] = from[t];
  s[__brev(t + 512) >> 22] = from[t + 512];
  for (int half = 1; half < 1024; half *= 2) {
    __syncthreads();
    int k = t & (half - 1), i = 2 * t - k;
    float2 w = roots[k * (512 / half)], a = s[i], b = s[i + half];
    float2 p = make_float2(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
    s[i] = make_float2(a.x + p.x, a.y + p.y);
    s[i + half] = make_float2(a.x - p.x, a.y - p.y);
  }
  __syncthreads();
  to[t] = s[t];
  to[t + 512] = s[t + 512];
}

BENCH_CASE(fft) {
  const Fft input;
  bench::Buffer<float> in(input.in), out(input.in.size()), roots(input.roots);
  run.time([&] {
    fft1024<<<Fft::count, 512>>>((const float2 *)(float *)in, (float2 *)(float *)out, (const float2 *)(float *)roots);
    bench::finish();
  });
  run.result(out.host(), Fft::accept);
}
