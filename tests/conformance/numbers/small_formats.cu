// The 8-, 6- and 4-bit formats: every pattern read, every number and halfway point rounded, saturation, pairs and
// fours, and the powers of two of e8m0. The expected roundings come from a table of all numbers of a format.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <algorithm>

#include "../check.h"
#include "exact.h"

// One set of names for the formats.
#define SMALL_FORMAT(Name, fp, layout, kind, exponent, mantissa, greatest)                                    \
  struct Name {                                                                                               \
    using One = __nv_##fp##_##layout;                                                                         \
    using Two = __nv_##fp##x2_##layout;                                                                       \
    using Four = __nv_##fp##x4_##layout;                                                                      \
    static constexpr int exponentBits = exponent, mantissaBits = mantissa, sign = 1 << (exponent + mantissa); \
    static constexpr double largest = greatest;                                                               \
    static __host__ __device__ float widen(unsigned bits) {                                                   \
      return __half2float(__half(__nv_cvt_##fp##_to_halfraw((__nv_##fp##_storage_t)bits, kind)));             \
    }                                                                                                         \
    CONVERSIONS_##fp(kind)                                                                                    \
  };
#define CONVERSIONS_fp8(kind)                                                                                       \
  static __host__ __device__ unsigned narrow(float x) { return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, kind); }    \
  static __host__ __device__ unsigned narrow(double x) { return __nv_cvt_double_to_fp8(x, __NV_SATFINITE, kind); }  \
  static __host__ __device__ unsigned narrow(__half x) { return __nv_cvt_halfraw_to_fp8(x, __NV_SATFINITE, kind); } \
  static __host__ __device__ unsigned narrow(__nv_bfloat16 x) {                                                     \
    return __nv_cvt_bfloat16raw_to_fp8(x, __NV_SATFINITE, kind);                                                    \
  }
#define CONVERSIONS_fp6(kind)                                                                                         \
  static __host__ __device__ unsigned narrow(float x) { return __nv_cvt_float_to_fp6(x, kind, cudaRoundNearest); }    \
  static __host__ __device__ unsigned narrow(double x) { return __nv_cvt_double_to_fp6(x, kind, cudaRoundNearest); }  \
  static __host__ __device__ unsigned narrow(__half x) { return __nv_cvt_halfraw_to_fp6(x, kind, cudaRoundNearest); } \
  static __host__ __device__ unsigned narrow(__nv_bfloat16 x) {                                                       \
    return __nv_cvt_bfloat16raw_to_fp6(x, kind, cudaRoundNearest);                                                    \
  }
#define CONVERSIONS_fp4(kind)                                                                                         \
  static __host__ __device__ unsigned narrow(float x) { return __nv_cvt_float_to_fp4(x, kind, cudaRoundNearest); }    \
  static __host__ __device__ unsigned narrow(double x) { return __nv_cvt_double_to_fp4(x, kind, cudaRoundNearest); }  \
  static __host__ __device__ unsigned narrow(__half x) { return __nv_cvt_halfraw_to_fp4(x, kind, cudaRoundNearest); } \
  static __host__ __device__ unsigned narrow(__nv_bfloat16 x) {                                                       \
    return __nv_cvt_bfloat16raw_to_fp4(x, kind, cudaRoundNearest);                                                    \
  }
SMALL_FORMAT(E4m3, fp8, e4m3, __NV_E4M3, 4, 3, 448)
SMALL_FORMAT(E5m2, fp8, e5m2, __NV_E5M2, 5, 2, 57344)
SMALL_FORMAT(E2m3, fp6, e2m3, __NV_E2M3, 2, 3, 7.5)
SMALL_FORMAT(E3m2, fp6, e3m2, __NV_E3M2, 3, 2, 28)
SMALL_FORMAT(E2m1, fp4, e2m1, __NV_E2M1, 2, 1, 6)

// valueOf() reads a pattern by the definition; the patterns beyond the largest number are infinity and NaN.
template <class T>
static double valueOf(unsigned bits) {
  const unsigned magnitude = bits & (T::sign - 1);
  const int biased = magnitude >> T::mantissaBits, fraction = magnitude & ((1 << T::mantissaBits) - 1);
  const int bias = (1 << (T::exponentBits - 1)) - 1;
  double value =
      std::ldexp(biased ? fraction | 1 << T::mantissaBits : fraction, (biased ? biased : 1) - bias - T::mantissaBits);
  if (value > T::largest) value = T::exponentBits == 5 && fraction == 0 ? INFINITY : NAN;
  return bits & T::sign ? -value : value;
}

// nearest() finds the pattern of the number nearest to x, the even one of two.
template <class T>
static unsigned nearest(double x) {
  const unsigned sign = std::signbit(x) ? T::sign : 0;
  const double size = std::fabs(x);
  unsigned bits = 0;
  while (valueOf<T>(bits + 1) <= T::largest && valueOf<T>(bits + 1) <= size && bits + 1 < unsigned(T::sign)) ++bits;
  if (size >= T::largest || valueOf<T>(bits) == size) return sign | bits;
  const double below = size - valueOf<T>(bits), above = valueOf<T>(bits + 1) - size;
  return sign | (above < below || (above == below && (bits & 1)) ? bits + 1 : bits);
}

struct Narrowed {
  unsigned fromFloat, fromDouble, fromHalf, fromBrain, two;
  float widened[4];
};

template <class T>
__global__ void narrowAll(Narrowed *out, const double *in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = float(in[i]);
  Narrowed &r = out[i];
  r.fromFloat = T::narrow(x);
  r.fromDouble = T::narrow(in[i]);
  r.fromHalf = T::narrow(__float2half(x));
  r.fromBrain = T::narrow(__float2bfloat16(x));
  r.two = typename T::Two(make_float2(x, -1.0f)).__x;
  const typename T::Four four(make_float4(1.0f, x, -1.0f, x));
  const float4 back = static_cast<float4>(four);
  r.widened[0] = back.x, r.widened[1] = back.y, r.widened[2] = back.z, r.widened[3] = float(typename T::One(x));
}

template <class T>
__global__ void widenAll(float *out) {
  out[threadIdx.x] = T::widen(threadIdx.x);
}

static bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T>
static void checkNarrowed(const Narrowed &r, double x) {
  const int width = sizeof(typename T::Two) == 1 ? 4 : 8;
  const unsigned one = nearest<T>(-1.0);
  CHECK_EQ(r.fromDouble, nearest<T>(x));
  CHECK_EQ(T::narrow(x), nearest<T>(x));
  const unsigned expected = nearest<T>(float(x));
  CHECK_EQ(r.fromFloat, expected);
  CHECK_EQ(T::narrow(float(x)), expected);
  CHECK_EQ(r.fromHalf, nearest<T>(__half2float(__float2half(float(x)))));
  CHECK_EQ(r.fromBrain, nearest<T>(__bfloat162float(__float2bfloat16(float(x)))));
  CHECK_EQ(r.two, expected | one << width);
  CHECK(same(r.widened[1], valueOf<T>(expected)) && same(r.widened[3], valueOf<T>(expected)) && r.widened[0] == 1 &&
        r.widened[2] == -1);
}

template <class T>
static void test() {
  check::DeviceArray<float> widened(256);
  widenAll<T><<<1, T::sign * 2>>>(widened.get());
  LAUNCH_OK();
  const std::vector<float> values = widened.download();
  std::vector<double> in = {0.0,    -0.0,   INFINITY, -INFINITY,  1e300,
                            -1e300, 1e-300, 5e-324,   T::largest, T::largest * 1.01};
  for (int bits = 0; bits < 2 * T::sign; ++bits) {
    CHECK(same(values[bits], valueOf<T>(bits)) && same(T::widen(bits), valueOf<T>(bits)));
    const double low = valueOf<T>(bits), next = valueOf<T>((bits + 1) % T::sign ? bits + 1 : bits);
    if (!std::isfinite(low) || !std::isfinite(next)) continue;
    const double middle = (low + next) / 2;
    for (double x : {low, middle, std::nextafter(middle, -INFINITY), std::nextafter(middle, INFINITY),
                     double(std::nextafterf(float(middle), 0)), low * 1.1})
      in.push_back(x);
  }
  const int n = int(in.size());
  check::DeviceArray<double> device(in);
  check::DeviceArray<Narrowed> out(in.size());
  narrowAll<T><<<(n + 63) / 64, 64>>>(out.get(), device.get(), n);
  LAUNCH_OK();
  const std::vector<Narrowed> results = out.download();
  for (int i = 0; i < n; ++i) checkNarrowed<T>(results[i], in[i]);
}

__global__ void special(unsigned *out) {
  const float nan = nanf("");
  *out++ = __nv_cvt_float_to_fp8(1e6f, __NV_NOSAT, __NV_E5M2) == 0x7c;
  *out++ = __nv_cvt_float_to_fp8(-1e6f, __NV_NOSAT, __NV_E5M2) == 0xfc;
  *out++ = (__nv_cvt_float_to_fp8(1e6f, __NV_NOSAT, __NV_E4M3) & 0x7f) == 0x7f;
  *out++ = (__nv_cvt_float_to_fp8(nan, __NV_SATFINITE, __NV_E4M3) & 0x7f) == 0x7f;
  *out++ = (__nv_cvt_float_to_fp8(nan, __NV_SATFINITE, __NV_E5M2) & 0x7f) > 0x7c;
  *out++ = __nv_cvt_float_to_fp6(nan, __NV_E2M3, cudaRoundNearest) == 0x1f;
  *out++ = __nv_cvt_float_to_fp4(nan, __NV_E2M1, cudaRoundNearest) == 0x7;
  // e8m0
  *out++ = __nv_cvt_float_to_e8m0(1.0f, __NV_SATFINITE, cudaRoundZero) == 127;
  *out++ = __nv_cvt_float_to_e8m0(-1.5f, __NV_SATFINITE, cudaRoundZero) == 127;
  *out++ = __nv_cvt_float_to_e8m0(1.5f, __NV_SATFINITE, cudaRoundPosInf) == 128;
  *out++ = __nv_cvt_float_to_e8m0(0.0f, __NV_SATFINITE, cudaRoundZero) == 0;
  *out++ = __nv_cvt_float_to_e8m0(3e38f, __NV_SATFINITE, cudaRoundPosInf) == 254;
  *out++ = __nv_cvt_float_to_e8m0(3e38f, __NV_NOSAT, cudaRoundPosInf) == 255;
  *out++ = __nv_cvt_float_to_e8m0(nan, __NV_SATFINITE, cudaRoundZero) == 255;
  *out++ = __nv_cvt_double_to_e8m0(1.0 + 1e-15, __NV_SATFINITE, cudaRoundPosInf) == 128;
  *out++ =
      __nv_fp8_e8m0(3.0f).__x == 129 && __nv_fp8_e8m0(1 << 20).__x == 147 && __nv_fp8_e8m0((1ll << 40) + 1).__x == 168;
  *out++ = float(__nv_fp8_e8m0(0.25f)) == 0.25f && double(__nv_fp8_e8m0(0x1p-127)) == 0x1p-127;
  *out++ = __bfloat162float(__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(128))) == 2.0f;
  // Classes to integers and truth.
  *out++ =
      int(__nv_fp8_e4m3(-3.5f)) == -3 && (unsigned char)(__nv_fp8_e4m3(448.0f)) == 255 && bool(__nv_fp8_e5m2(0.5f));
  *out++ = int(__nv_fp6_e3m2(28)) == 28 && !bool(__nv_fp4_e2m1(-0.0f)) && (unsigned)(__nv_fp4_e2m1(-2)) == 0;
  *out++ = __half2float(__half(__nv_fp8_e4m3(__float2half(0.1f)))) == 0.1015625f;
  const __nv_fp4x4_e2m1 four(make_float4(1.0f, 2.0f, 3.0f, -6.0f));
  *out++ = four.__x == 0xf542 && sizeof four == 2 && sizeof(__nv_fp6x4_e2m3) == 4;
  const float2 pair = float2(__nv_fp8x2_e5m2(__floats2half2_rn(1.25f, -5.0f)));
  *out++ = pair.x == 1.25f && pair.y == -5.0f;
}

int main() {
  test<E4m3>();
  test<E5m2>();
  test<E2m3>();
  test<E3m2>();
  test<E2m1>();
  check::DeviceArray<unsigned> out(23, 0u);
  special<<<1, 1>>>(out.get());
  LAUNCH_OK();
  const std::vector<unsigned> results = out.download();
  for (size_t i = 0; i < results.size(); ++i)
    if (!results[i]) check::fail(__FILE__, int(i), "a line of special()");
  return check::finish();
}
