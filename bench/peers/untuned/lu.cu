// LU decomposition of tiles of 32 x 32 in shared memory, a thread an element.
#include "lu.h"

#include "../harness/cuda.h"

__global__ void luTile(const float *in, float *out) {
  __shared__ float s[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  size_t own = ((size_t)blockIdx.x * 32 + y) * 32 + x;
  s[y][x] = in[own];
  for (int k = 0; k < 31; ++k) {
    __syncthreads();
    if (x == k && y > k) s[y][k] /= s[k][k];
    __syncthreads();
    if (x > k && y > k) s[y][x] -= s[y][k] * s[k][x];
  }
  __syncthreads();
  out[own] = s[y][x];
}

BENCH_CASE(lu) {
  const Lu input;
  bench::Buffer<float> in(input.in), out(input.in.size());
  run.time([&] {
    luTile<<<Lu::count, dim3(32, 32)>>>(in, out);
    bench::finish();
  });
  run.result(out.host(), Lu::accept);
}
