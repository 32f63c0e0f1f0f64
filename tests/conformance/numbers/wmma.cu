// nvcuda::wmma: every shape, element type and layout, with numbers whose products and sums are exact, so that the order
// of additions does not matter.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <type_traits>

#include "../check.h"

using namespace nvcuda;

// A matrix element in memory for each element type, from a small integer.
template <class T>
struct Memory {
  using Type = T;
};
template <>
struct Memory<wmma::precision::tf32> {
  using Type = float;
};

template <class T>
static int small(int i) {
  return std::is_unsigned_v<T> ? i * 7 % 13 : i * 7 % 13 - 6;
}

template <int M, int N, int K, class T, class LayoutA, class LayoutB, class C, class D>
__global__ void multiply(D *d, const typename Memory<T>::Type *a, const typename Memory<T>::Type *b, const C *c,
                         int lda, int ldb, int ldc, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc;
  wmma::fragment<wmma::accumulator, M, N, K, D> fd, zero;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, layout);
  wmma::mma_sync(fd, fa, fb, fc);
  wmma::fill_fragment(zero, D(1));
  for (int i = 0; i < fd.num_elements; ++i) fd.x[i] = fd.x[i] + zero.x[i];
  wmma::store_matrix_sync(d, fd, ldc, layout);
}

template <int M, int N, int K, class T, class LayoutA, class LayoutB, class C, class D>
static void testOne(wmma::layout_t layout) {
  using Element = typename Memory<T>::Type;
  constexpr bool rowsA = std::is_same_v<LayoutA, wmma::row_major>, rowsB = std::is_same_v<LayoutB, wmma::row_major>;
  const bool rowsC = layout == wmma::mem_row_major;
  const int lda = (rowsA ? K : M) + 16, ldb = (rowsB ? N : K) + 16, ldc = (rowsC ? N : M) + 16;
  std::vector<Element> a(lda * (rowsA ? M : K)), b(ldb * (rowsB ? K : N));
  std::vector<C> c(ldc * (rowsC ? M : N));
  const auto atA = [&](int i, int j) { return rowsA ? i * lda + j : j * lda + i; };
  const auto atB = [&](int i, int j) { return rowsB ? i * ldb + j : j * ldb + i; };
  const auto atC = [&](int i, int j) { return rowsC ? i * ldc + j : j * ldc + i; };
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < K; ++j) a[atA(i, j)] = Element(float(small<Element>(i * 3 + j)));
  for (int i = 0; i < K; ++i)
    for (int j = 0; j < N; ++j) b[atB(i, j)] = Element(float(small<Element>(i + j * 5)));
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) c[atC(i, j)] = C(float(i - 2 * j));
  check::DeviceArray<Element> deviceA(a), deviceB(b);
  check::DeviceArray<C> deviceC(c);
  check::DeviceArray<D> out(c.size(), D(-99.0f));
  multiply<M, N, K, T, LayoutA, LayoutB, C, D>
      <<<1, 32>>>(out.get(), deviceA.get(), deviceB.get(), deviceC.get(), lda, ldb, ldc, layout);
  LAUNCH_OK();
  const std::vector<D> d = out.download();
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      int sum = i - 2 * j + 1;
      for (int x = 0; x < K; ++x) sum += small<Element>(i * 3 + x) * small<Element>(x + j * 5);
      CHECK_EQ(double(float(d[atC(i, j)])), double(sum));
    }
  // What lies between the rows is left alone.
  CHECK_EQ(double(float(d[ldc - 1])), -99.0);
}

using Row = wmma::row_major;
using Column = wmma::col_major;

template <int M, int N, int K, class T, class C, class D>
static void testLayouts() {
  testOne<M, N, K, T, Row, Row, C, D>(wmma::mem_row_major);
  testOne<M, N, K, T, Column, Column, C, D>(wmma::mem_col_major);
}

// The three shapes of 256 elements, with different layouts.
template <class T, class C, class D>
static void testShapes() {
  testOne<16, 16, 16, T, Row, Column, C, D>(wmma::mem_col_major);
  testOne<32, 8, 16, T, Column, Row, C, D>(wmma::mem_row_major);
  testOne<8, 32, 16, T, Row, Row, C, D>(wmma::mem_row_major);
}

// A tile of a larger product, accumulated over several steps, in place, by several warps.
__global__ void product(float *d, const __half *a, const __half *b, int n) {
  const int warp = threadIdx.x / 32, row = blockIdx.x * 16, column = (blockIdx.y * 2 + warp) * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::load_matrix_sync(fa, a + row * n + k, n);
    wmma::load_matrix_sync(fb, b + k * n + column, n);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::store_matrix_sync(d + row * n + column, sum, n, wmma::mem_row_major);
}

static void testProduct() {
  const int n = 64;
  std::vector<__half> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = __half(float(i % 11 - 5)), b[i] = __half(float(i % 7 - 3));
  check::DeviceArray<__half> deviceA(a), deviceB(b);
  check::DeviceArray<float> out(n * n);
  product<<<dim3(n / 16, n / 32), 64>>>(out.get(), deviceA.get(), deviceB.get(), n);
  LAUNCH_OK();
  const std::vector<float> d = out.download();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += float(a[i * n + k]) * float(b[k * n + j]);
      CHECK_EQ(d[i * n + j], sum);
    }
}

// Sub-byte elements: 8x8x32 with 4 bits and 8x8x128 with one.
template <class T>
__global__ void subByte(int *d, const void *a, const void *b) {
  namespace ex = wmma::experimental;
  wmma::fragment<wmma::matrix_a, 8, 8, 32, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 32, T, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> sum;
  wmma::fill_fragment(sum, 5);
  wmma::load_matrix_sync(fa, a, 32);
  wmma::load_matrix_sync(fb, b, 32);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}
__global__ void bits(int *d, const void *a, const void *b, bool useAnd) {
  namespace ex = wmma::experimental;
  wmma::fragment<wmma::matrix_a, 8, 8, 128, ex::precision::b1, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, ex::precision::b1, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum;
  wmma::fill_fragment(sum, 1);
  wmma::load_matrix_sync(fa, a, 128);
  wmma::load_matrix_sync(fb, b, 128);
  if (useAnd)
    wmma::bmma_sync(sum, fa, fb, sum, ex::bmmaBitOpAND);
  else
    wmma::bmma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}

static int nibble(const std::vector<unsigned> &words, int row, int i, bool isSigned) {
  const int value = words[row * 4 + i / 8] >> (i % 8 * 4) & 15;
  return isSigned && value > 7 ? value - 16 : value;
}

static void testSubByte() {
  std::vector<unsigned> a(32), b(32);
  for (unsigned i = 0; i < 32; ++i) a[i] = i * 0x9e3779b9u + 12345, b[i] = i * 0x85ebca6bu ^ 0x31415926u;
  check::DeviceArray<unsigned> deviceA(a), deviceB(b);
  check::DeviceArray<int> out(64);
  for (int kind = 0; kind < 4; ++kind) {
    if (kind == 0) subByte<wmma::experimental::precision::u4><<<1, 32>>>(out.get(), deviceA.get(), deviceB.get());
    if (kind == 1) subByte<wmma::experimental::precision::s4><<<1, 32>>>(out.get(), deviceA.get(), deviceB.get());
    if (kind >= 2) bits<<<1, 32>>>(out.get(), deviceA.get(), deviceB.get(), kind == 3);
    LAUNCH_OK();
    const std::vector<int> d = out.download();
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column) {
        int sum = kind < 2 ? 5 : 1;
        for (int i = 0; kind < 2 && i < 32; ++i) sum += nibble(a, row, i, kind == 1) * nibble(b, column, i, kind == 1);
        for (int i = 0; kind >= 2 && i < 4; ++i) {
          const unsigned x = a[row * 4 + i], y = b[column * 4 + i];
          sum += __builtin_popcount(kind == 3 ? x & y : x ^ y);
        }
        CHECK_EQ(d[row * 8 + column], sum);
      }
  }
}

__global__ void limits(int *ints, __half *halves, float *tf32) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
  wmma::fill_fragment(a, (signed char)127);
  wmma::fill_fragment(b, (signed char)127);
  wmma::fill_fragment(c, 0x7fffff00);
  wmma::mma_sync(c, a, b, c, true);
  ints[threadIdx.x] = c.x[3];
  wmma::fill_fragment(c, 0x7fffff00);
  wmma::mma_sync(c, a, b, c);
  ints[32 + threadIdx.x] = c.x[3];
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> h;
  wmma::fill_fragment(h, __float2half(2.0f));
  halves[threadIdx.x] = h.x[7];
  tf32[threadIdx.x] = wmma::__float_to_tf32(1.0f + threadIdx.x * 0x1p-12f);
}

static void testLimits() {
  check::DeviceArray<int> ints(64);
  check::DeviceArray<__half> halves(32);
  check::DeviceArray<float> tf32(32);
  limits<<<1, 32>>>(ints.get(), halves.get(), tf32.get());
  LAUNCH_OK();
  for (int lane = 0; lane < 32; ++lane) {
    CHECK_EQ(ints.download()[lane], 0x7fffffff);
    CHECK_EQ(ints.download()[32 + lane], int(0x7fffff00u + 16 * 127 * 127));
    CHECK_EQ(float(halves.download()[lane]), 2.0f);
    CHECK_EQ(tf32.download()[lane], 1.0f + ((lane + 2) / 4) * 0x1p-10f);
  }
}

int main() {
  testShapes<__half, float, float>();
  testShapes<__half, __half, __half>();
  testOne<16, 16, 16, __half, Column, Column, float, __half>(wmma::mem_row_major);
  testOne<16, 16, 16, __half, Column, Row, __half, float>(wmma::mem_row_major);
  testShapes<__nv_bfloat16, float, float>();
  testShapes<signed char, int, int>();
  testShapes<unsigned char, int, int>();
  testLayouts<16, 16, 8, wmma::precision::tf32, float, float>();
  testLayouts<8, 8, 4, double, double, double>();
  testProduct();
  testSubByte();
  testLimits();
  return check::finish();
}
