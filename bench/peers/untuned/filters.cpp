// The filters as C++ for the processor: rows of vectors; pixels at the left and right edge by themselves.
#include "filters.h"

#include <algorithm>

#include "../harness/native.h"

static float convolveEdge(const float *const *rows, const float *filter, int x) {
  float sum = 0;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i) sum += filter[j * 5 + i] * rows[j][std::clamp(x + i - 2, 0, Convolution2d::width - 1)];
  return sum;
}

static void convolveRow(const float *const *rows, const float *filter, float *to) {
  constexpr int width = Convolution2d::width;
  const float *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3], *r4 = rows[4];
#pragma omp simd
  for (int x = 2; x < width - 2; ++x) {
    float sum = 0;
#pragma GCC unroll 5
    for (int i = 0; i < 5; ++i)
      sum += filter[i] * r0[x + i - 2] + filter[5 + i] * r1[x + i - 2] + filter[10 + i] * r2[x + i - 2] +
             filter[15 + i] * r3[x + i - 2] + filter[20 + i] * r4[x + i - 2];
    to[x] = sum;
  }
  for (const int x : {0, 1, width - 2, width - 1}) to[x] = convolveEdge(rows, filter, x);
}

BENCH_CASE(convolution2d) {
  const Convolution2d input;
  constexpr int width = Convolution2d::width, height = Convolution2d::height;
  const bench::Memory<float> in(input.in);
  bench::Memory<float> out(input.in.size());
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < height; ++y) {
      const float *rows[5];
      for (int j = 0; j < 5; ++j) rows[j] = &in[size_t(std::clamp(y + j - 2, 0, height - 1)) * width];
      convolveRow(rows, input.filter.data(), &out[size_t(y) * width]);
    }
  });
  run.result(out.data(), out.size(), Convolution2d::accept);
}

static inline void order(uint8_t &a, uint8_t &b) {
  const uint8_t less = std::min(a, b);
  b = std::max(a, b);
  a = less;
}

// Columns of three are ordered; the median is that of the largest minimum, the median median and the least maximum.
static inline uint8_t medianAt(const uint8_t *up, const uint8_t *middle, const uint8_t *down, int left, int x,
                               int right) {
  uint8_t a[3] = {up[left], middle[left], down[left]}, b[3] = {up[x], middle[x], down[x]};
  uint8_t c[3] = {up[right], middle[right], down[right]};
  order(a[0], a[1]), order(a[1], a[2]), order(a[0], a[1]);
  order(b[0], b[1]), order(b[1], b[2]), order(b[0], b[1]);
  order(c[0], c[1]), order(c[1], c[2]), order(c[0], c[1]);
  const uint8_t most = std::max(std::max(a[0], b[0]), c[0]), least = std::min(std::min(a[2], b[2]), c[2]);
  const uint8_t centre = std::max(std::min(a[1], b[1]), std::min(std::max(a[1], b[1]), c[1]));
  return std::max(std::min(most, centre), std::min(std::max(most, centre), least));
}

BENCH_CASE(median) {
  const Median input;
  constexpr int width = Median::width, height = Median::height;
  const bench::Memory<uint8_t> in(input.in);
  bench::Memory<uint8_t> out(input.in.size());
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < height; ++y) {
      const uint8_t *up = &in[size_t(std::max(y - 1, 0)) * width], *middle = &in[size_t(y) * width];
      const uint8_t *down = &in[size_t(std::min(y + 1, height - 1)) * width];
      uint8_t *to = &out[size_t(y) * width];
#pragma omp simd
      for (int x = 1; x < width - 1; ++x) to[x] = medianAt(up, middle, down, x - 1, x, x + 1);
      to[0] = medianAt(up, middle, down, 0, 0, 1);
      to[width - 1] = medianAt(up, middle, down, width - 2, width - 1, width - 1);
    }
  });
  run.result(out.data(), out.size());
}
