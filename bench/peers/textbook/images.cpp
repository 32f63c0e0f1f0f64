// The work on pictures as C++ for the processor: rows of vectors, masks instead of branches.
#include "images.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "../harness/native.h"

using bench::Floats;
using bench::load;
using bench::Memory;
using bench::store;

static void stencilRow(const float *up, const float *middle, const float *down, float *to) {
  constexpr int n = Stencil::n;
  to[0] = 0.5f * middle[0] + 0.125f * (up[0] + down[0] + middle[1]);
#pragma omp simd
  for (int x = 1; x < n - 1; ++x) to[x] = 0.5f * middle[x] + 0.125f * (up[x] + down[x] + middle[x - 1] + middle[x + 1]);
  to[n - 1] = 0.5f * middle[n - 1] + 0.125f * (up[n - 1] + down[n - 1] + middle[n - 2]);
}

BENCH_CASE(stencil) {
  const Stencil input;
  constexpr int n = Stencil::n;
  const Memory<float> in(input.in), zeros(n);
  Memory<float> out(input.in.size());
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < n; ++y) {
      const float *row = in.data() + size_t(y) * n;
      stencilRow(y > 0 ? row - n : zeros.data(), row, y < n - 1 ? row + n : zeros.data(), &out[size_t(y) * n]);
    }
  });
  run.result(out.data(), out.size(), Stencil::accept);
}

#ifdef __AVX512F__
// Two vectors of pixels of a row in step, so that one's products fill the other's waiting times.
static void mandelbrotPixels(int row, int first, int *to) {
  const float scale = 3.2f / Mandelbrot::n;
  const __m512 lane = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512 cy = _mm512_set1_ps(-1.5f + 3.0f * float(row) / Mandelbrot::n), four = _mm512_set1_ps(4);
  __m512 cx[2], x[2], y[2];
  __m512i steps[2];
  __mmask16 live[2];
  for (int k = 0; k < 2; ++k) {
    const __m512 px = _mm512_add_ps(lane, _mm512_set1_ps(float(first + 16 * k)));
    cx[k] = _mm512_fmadd_ps(px, _mm512_set1_ps(scale), _mm512_set1_ps(-2.2f));
    x[k] = y[k] = _mm512_setzero_ps();
    steps[k] = _mm512_setzero_si512();
    live[k] = 0xffff;
  }
  for (int step = 0; step < Mandelbrot::most && (live[0] | live[1]); ++step)
    for (int k = 0; k < 2; ++k) {
      const __m512 xx = _mm512_mul_ps(x[k], x[k]), yy = _mm512_mul_ps(y[k], y[k]);
      live[k] = _mm512_mask_cmp_ps_mask(live[k], _mm512_add_ps(xx, yy), four, _CMP_LT_OQ);
      steps[k] = _mm512_mask_add_epi32(steps[k], live[k], steps[k], _mm512_set1_epi32(1));
      y[k] = _mm512_fmadd_ps(_mm512_add_ps(x[k], x[k]), y[k], cy);
      x[k] = _mm512_add_ps(_mm512_sub_ps(xx, yy), cx[k]);
    }
  for (int k = 0; k < 2; ++k) _mm512_storeu_si512(to + 16 * k, steps[k]);
}
#else
static void mandelbrotPixels(int row, int first, int *to) {
  for (int i = 0; i < 32; ++i) {
    const float cx = -2.2f + 3.2f * float(first + i) / Mandelbrot::n, cy = -1.5f + 3.0f * float(row) / Mandelbrot::n;
    float x = 0, y = 0;
    int steps = 0;
    for (; steps < Mandelbrot::most && x * x + y * y < 4; ++steps) {
      const float next = x * x - y * y + cx;
      y = 2 * x * y + cy;
      x = next;
    }
    to[i] = steps;
  }
}
#endif

BENCH_CASE(mandelbrot) {
  constexpr int n = Mandelbrot::n;
  Memory<int> out(size_t(n) * n);
  run.time([&] {
#pragma omp parallel for schedule(dynamic, 16)
    for (int row = 0; row < n; ++row)
      for (int first = 0; first < n; first += 32) mandelbrotPixels(row, first, &out[size_t(row) * n + size_t(first)]);
  });
  run.result(out.data(), out.size(), Mandelbrot::accept);
}

// 128 sums in registers, while the filter's taps pass by.
static void convolve(const float *from, const float *filter, float *to) {
  Floats sums[8] = {};
  for (int tap = 0; tap < Convolution1d::taps; ++tap) {
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) sums[k] += filter[tap] * load(from + 16 * k + tap);
  }
  for (int k = 0; k < 8; ++k) store(to + 16 * k, sums[k]);
}

BENCH_CASE(convolution1d) {
  const Convolution1d input;
  constexpr int n = Convolution1d::n, margin = Convolution1d::radius;
  Memory<float> in(n + 2 * margin), out(n);
  std::memcpy(in.data() + margin, input.in.data(), n * sizeof(float));
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i += 128) convolve(&in[size_t(i)], input.filter.data(), &out[size_t(i)]);
  });
  run.result(out.data(), out.size(), Convolution1d::accept);
}

// A cell lives if its neighbours are 3, or 2 and it lives now: then the sum or'ed with the cell is 3.
static void lifeRow(const uint8_t *up, const uint8_t *middle, const uint8_t *down, uint8_t *to) {
  constexpr int n = Life::n;
  const auto cell = [=](int x, int left, int right) {
    const int sum = up[left] + up[x] + up[right] + middle[left] + middle[right] + down[left] + down[x] + down[right];
    return uint8_t((sum | middle[x]) == 3);
  };
  to[0] = cell(0, n - 1, 1);
  to[n - 1] = cell(n - 1, n - 2, 0);
#pragma omp simd
  for (int x = 1; x < n - 1; ++x) {
    const uint8_t sum =
        uint8_t(up[x - 1] + up[x] + up[x + 1] + middle[x - 1] + middle[x + 1] + down[x - 1] + down[x] + down[x + 1]);
    to[x] = uint8_t(sum | middle[x]) == 3;
  }
}

static void lifeGeneration(const uint8_t *from, uint8_t *to) {
  constexpr int n = Life::n;
#pragma omp parallel for schedule(static)
  for (int y = 0; y < n; ++y)
    lifeRow(from + size_t((y + n - 1) % n) * n, from + size_t(y) * n, from + size_t((y + 1) % n) * n,
            to + size_t(y) * n);
}

BENCH_CASE(life) {
  const Life input;
  const Memory<uint8_t> first(input.in);
  Memory<uint8_t> a(input.in.size()), b(input.in.size());
  uint8_t *out = nullptr;
  run.time([&] {
    const uint8_t *in = first.data();
    for (int generation = 0; generation < Life::generations; ++generation, in = out) {
      out = in == a.data() ? b.data() : a.data();
      lifeGeneration(in, out);
    }
  });
  run.result(out, input.in.size());
}
