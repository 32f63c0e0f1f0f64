// The linear algebra as C++ for the processor: a packed panel and a tile in registers for the product, 16 x 16
// transposes in registers.
#include "linear_algebra.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "../harness/native.h"

using bench::Floats;
using bench::load;
using bench::Memory;
using bench::store;

BENCH_CASE(saxpy) {
  const Saxpy input;
  const Memory<float> x(input.x);
  Memory<float> y(input.y);
  const auto work = [from = x.data(), to = y.data()] {
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < Saxpy::n; ++i) to[i] = Saxpy::a * from[i] + to[i];
  };
  run.time(work);
  y.assign(input.y);
  work();
  run.result(y.data(), y.size(), Saxpy::accept);
}

// A tile of `rows` x 32 of c in registers gains the product of rows of a and a panel of b, both `depth` long.
constexpr int panelWidth = 32, depth = 256, n = Matmul::n;
template <int rows>
static void multiplyTile(const float *__restrict a, const float *__restrict panel, float *__restrict c) {
  Floats sum[rows][2];
  for (int r = 0; r < rows; ++r) sum[r][0] = load(c + r * n), sum[r][1] = load(c + r * n + 16);
  for (int k = 0; k < depth; ++k) {
    const Floats left = load(panel + k * panelWidth), right = load(panel + k * panelWidth + 16);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      sum[r][0] += a[r * n + k] * left;
      sum[r][1] += a[r * n + k] * right;
    }
  }
  for (int r = 0; r < rows; ++r) store(c + r * n, sum[r][0]), store(c + r * n + 16, sum[r][1]);
}

static void multiplyPanel(const float *a, const float *b, float *c, int column) {
  alignas(64) static thread_local float panel[depth * panelWidth];
  for (int row = 0; row < n; ++row) std::memset(c + row * n + column, 0, panelWidth * sizeof(float));
  for (int k = 0; k < n; k += depth) {
    for (int i = 0; i < depth; ++i)
      std::memcpy(panel + i * panelWidth, b + (k + i) * n + column, panelWidth * sizeof(float));
    constexpr int rows = 8;
    for (int row = 0; row < n; row += rows) multiplyTile<rows>(a + row * n + k, panel, c + row * n + column);
  }
}

static void matmulCase(bench::Run &run) {
  const Matmul input;
  const Memory<float> a(input.a), b(input.b);
  Memory<float> c(input.a.size());
  run.time([&] {
#pragma omp parallel for schedule(dynamic)
    for (int column = 0; column < n; column += panelWidth) multiplyPanel(a.data(), b.data(), c.data(), column);
  });
  run.result(c.data(), c.size(), Matmul::accept);
}
BENCH_CASE(matmul16) { matmulCase(run); }
BENCH_CASE(matmul32) { matmulCase(run); }

#ifdef __AVX512F__
// Pairs of rows, then of pairs, then of quarters change places.
static void transpose16(const float *in, float *out, int stride) {
  __m512 r[16], t[16];
  for (int i = 0; i < 16; ++i) r[i] = _mm512_loadu_ps(in + i * stride);
  for (int i = 0; i < 16; i += 2) {
    t[i] = _mm512_unpacklo_ps(r[i], r[i + 1]);
    t[i + 1] = _mm512_unpackhi_ps(r[i], r[i + 1]);
  }
  for (int i = 0; i < 16; i += 4) {
    const __m512d a = _mm512_castps_pd(t[i]), b = _mm512_castps_pd(t[i + 1]);
    const __m512d c = _mm512_castps_pd(t[i + 2]), d = _mm512_castps_pd(t[i + 3]);
    r[i] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, c));
    r[i + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, c));
    r[i + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(b, d));
    r[i + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(b, d));
  }
  for (int i = 0; i < 4; ++i) {
    t[i] = _mm512_shuffle_f32x4(r[i], r[i + 4], 0x88);
    t[i + 4] = _mm512_shuffle_f32x4(r[i], r[i + 4], 0xdd);
    t[i + 8] = _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0x88);
    t[i + 12] = _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0xdd);
  }
  for (int i = 0; i < 4; ++i) {
    _mm512_storeu_ps(out + i * stride, _mm512_shuffle_f32x4(t[i], t[i + 8], 0x88));
    _mm512_storeu_ps(out + (i + 8) * stride, _mm512_shuffle_f32x4(t[i], t[i + 8], 0xdd));
    _mm512_storeu_ps(out + (i + 4) * stride, _mm512_shuffle_f32x4(t[i + 4], t[i + 12], 0x88));
    _mm512_storeu_ps(out + (i + 12) * stride, _mm512_shuffle_f32x4(t[i + 4], t[i + 12], 0xdd));
  }
}
#else
static void transpose16(const float *in, float *out, int stride) {
  float tile[16][17];
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) tile[i][j] = in[i * stride + j];
  for (int j = 0; j < 16; ++j)
    for (int i = 0; i < 16; ++i) out[j * stride + i] = tile[i][j];
}
#endif

BENCH_CASE(transpose) {
  const Transpose input;
  constexpr int size = Transpose::n;
  const Memory<float> in(input.in);
  Memory<float> out(input.in.size());
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < size; row += 16)
      for (int column = 0; column < size; column += 16)
        transpose16(&in[size_t(row) * size + column], &out[size_t(column) * size + row], size);
  });
  run.result(out.data(), out.size());
}
