// LU decomposition of a tile in place, whole rows at a time.
#include "lu.h"

#include "../harness/native.h"

constexpr int size = Lu::size;

static void decompose(const float *from, float *to) {
  float a[size][size];
  std::memcpy(a, from, sizeof a);
  for (int k = 0; k < size - 1; ++k) {
    const float inverse = 1 / a[k][k];
    float pivot[size];
    for (int x = 0; x < size; ++x) pivot[x] = x > k ? a[k][x] : 0;
    for (int y = k + 1; y < size; ++y) {
      const float factor = a[y][k] * inverse;
#pragma omp simd
      for (int x = 0; x < size; ++x) a[y][x] -= factor * pivot[x];
      a[y][k] = factor;
    }
  }
  std::memcpy(to, a, sizeof a);
}

BENCH_CASE(lu) {
  const Lu input;
  const bench::Memory<float> in(input.in);
  bench::Memory<float> out(input.in.size());
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (size_t m = 0; m < Lu::count; ++m) decompose(&in[m * size * size], &out[m * size * size]);
  });
  run.result(out.data(), out.size(), Lu::accept);
}
