// Arithmetic of half and bfloat16: every operation rounds the exact result once. Saturating and clamping forms, minimum
// and maximum, on the device and, where CUDA has them there, on the host.
#include <algorithm>

#include "sixteen_bits.h"

struct Results {
  unsigned short add, sub, mul, div, fma, addSat, subSat, mulSat, fmaSat, fmaRelu, max, min, maxNan, minNan, neg, abs;
};

template <class T>
__host__ __device__ void computeBinary(Results &r, typename T::Number a, typename T::Number b) {
  r.add = T::bits(__hadd_rn(a, b));
  r.sub = T::bits(__hsub_rn(a, b));
  r.mul = T::bits(__hmul_rn(a, b));
  r.div = T::bits(__hdiv(a, b));
  r.addSat = T::bits(__hadd_sat(a, b));
  r.subSat = T::bits(__hsub_sat(a, b));
  r.mulSat = T::bits(__hmul_sat(a, b));
  r.max = T::bits(__hmax(a, b));
  r.min = T::bits(__hmin(a, b));
  r.maxNan = T::bits(__hmax_nan(a, b));
  r.minNan = T::bits(__hmin_nan(a, b));
  r.neg = T::bits(__hneg(a));
  r.abs = T::bits(__habs(a));
}

template <class T>
__global__ void compute(Results *out, const ushort3 *in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const typename T::Number a = T::make(in[i].x), b = T::make(in[i].y), c = T::make(in[i].z);
  computeBinary<T>(out[i], a, b);
  out[i].fma = T::bits(__hfma(a, b, c));
  out[i].fmaSat = T::bits(__hfma_sat(a, b, c));
  out[i].fmaRelu = T::bits(__hfma_relu(a, b, c));
}

// An exact sum: its double, and the sign of what the double lacks.
struct Sum {
  double value;
  int more;
  Sum(double a, double b) : value(a + b) {
    const double fromB = value - a, rest = (a - (value - fromB)) + (b - fromB);
    more = rest > 0 ? 1 : rest < 0 ? -1 : 0;  // NaN: 0
  }
};

template <class T>
static unsigned short rounded(Sum sum) {
  return exact::bitsOf(T::format, exact::roundTo(T::format, sum.value, exact::Mode::nearest, sum.more));
}
template <class T>
static unsigned short rounded(double x) {
  return exact::bitsOf(T::format, exact::roundTo(T::format, x));
}

template <class T>
static unsigned short clamped(unsigned short bits, double least, double most) {
  const double x = exact::valueOf(T::format, bits);
  return exact::bitsOf(T::format, x < least ? least : x > most ? most : x);
}
template <class T>
static unsigned short saturated(unsigned short bits) {
  return exact::isNan(T::format, bits) ? 0 : clamped<T>(bits, 0, 1);
}

// The sign of a zero that the clamping forms give is not specified.
static unsigned short positiveZero(unsigned short bits) { return bits == 0x8000 ? 0 : bits; }

template <class T>
static unsigned short extreme(unsigned short a, unsigned short b, bool least, bool nanWins) {
  const double x = exact::valueOf(T::format, a), y = exact::valueOf(T::format, b);
  if (std::isnan(x) || std::isnan(y))
    return nanWins || (std::isnan(x) && std::isnan(y)) ? 0x7fff : std::isnan(x) ? b : a;
  if (x == y) return (std::signbit(x) == least) ? a : b;
  return (x < y) == least ? a : b;
}

template <class T>
static void checkBinary(const Results &r, ushort3 in) {
  const double a = exact::valueOf(T::format, in.x), b = exact::valueOf(T::format, in.y);
  const unsigned short add = rounded<T>(Sum(a, b)), sub = rounded<T>(Sum(a, -b)), mul = rounded<T>(a * b);
  CHECK_EQ(r.add, add);
  CHECK_EQ(r.sub, sub);
  CHECK_EQ(r.mul, mul);
  CHECK_EQ(positiveZero(r.addSat), positiveZero(saturated<T>(add)));
  CHECK_EQ(positiveZero(r.subSat), positiveZero(saturated<T>(sub)));
  CHECK_EQ(positiveZero(r.mulSat), positiveZero(saturated<T>(mul)));
  CHECK_EQ(r.max, extreme<T>(in.x, in.y, false, false));
  CHECK_EQ(r.min, extreme<T>(in.x, in.y, true, false));
  CHECK_EQ(r.maxNan, extreme<T>(in.x, in.y, false, true));
  CHECK_EQ(r.minNan, extreme<T>(in.x, in.y, true, true));
  if (!std::isnan(a)) CHECK_EQ(r.neg, in.x ^ 0x8000);
  if (!std::isnan(a)) CHECK_EQ(r.abs, in.x & 0x7fff);
  // Division may be off by one in the last place where the result is subnormal.
  const unsigned short div = rounded<T>(a / b);
  const double size = std::fabs(exact::valueOf(T::format, div));
  const bool exactly = std::isnan(size) || size == 0 || size >= std::ldexp(1, T::format.leastExponent());
  CHECK(r.div == div || (!exactly && std::abs(r.div - div) <= 1));
}

template <class T>
static void checkFused(const Results &r, ushort3 in) {
  const double a = exact::valueOf(T::format, in.x), b = exact::valueOf(T::format, in.y);
  const unsigned short fma = rounded<T>(Sum(a * b, exact::valueOf(T::format, in.z)));
  CHECK_EQ(r.fma, fma);
  CHECK_EQ(positiveZero(r.fmaSat), positiveZero(saturated<T>(fma)));
  CHECK_EQ(positiveZero(r.fmaRelu), positiveZero(clamped<T>(fma, 0, INFINITY)));
}

// Operands: special ones in all combinations, random ones, and addends that bring a product close to a halfway point.
template <class T>
static std::vector<ushort3> operands() {
  std::vector<ushort3> all;
  const int one = rounded<T>(1.0), infinity = rounded<T>(INFINITY), largest = infinity - 1;
  const int special[] = {
      0,       0x8000, 1,      0x8001,      one, one | 0x8000, one + 1, largest | 0x8000, infinity, infinity | 0x8000,
      largest, 0x7fff, 0xffff, infinity + 1};
  for (int a : special)
    for (int b : special)
      for (int c : special) all.push_back({(unsigned short)a, (unsigned short)b, (unsigned short)c});
  exact::Random random;
  for (int i = 0; i < 100000; ++i) {
    const uint32_t ab = random();
    ushort3 next = {(unsigned short)ab, (unsigned short)(ab >> 16), (unsigned short)random()};
    if (i % 5 == 4) next.x &= 0x80ff, next.z &= 0x83ff;  // next to zero
    const double product = exact::valueOf(T::format, next.x) * exact::valueOf(T::format, next.y);
    // A third: c near the product's negative; a third: a product just around half a unit of c.
    if (i % 3 == 1) next.z = rounded<T>(-product) + random() % 5 - 2;
    if (i % 3 == 2) next.z = rounded<T>(product * std::ldexp(1 + random() % 4 / 4.0, T::format.digits));
    all.push_back(next);
  }
  return all;
}

template <class T>
static void test() {
  const std::vector<ushort3> in = operands<T>();
  const int n = int(in.size());
  check::DeviceArray<ushort3> device(in);
  check::DeviceArray<Results> out(in.size());
  compute<T><<<(n + 255) / 256, 256>>>(out.get(), device.get(), n);
  LAUNCH_OK();
  const std::vector<Results> results = out.download();
  for (int i = 0; i < n; ++i) {
    checkBinary<T>(results[i], in[i]);
    checkFused<T>(results[i], in[i]);
    const double a = exact::valueOf(T::format, in[i].x), b = exact::valueOf(T::format, in[i].y);
    if (i % 16 != 0 || std::isnan(a) || std::isnan(b) || std::isnan(a + b) || std::isnan(a * b) || std::isnan(a - b) ||
        std::isnan(a / b))
      continue;
    Results onHost;
    computeBinary<T>(onHost, T::make(in[i].x), T::make(in[i].y));
    checkBinary<T>(onHost, in[i]);
  }
}

int main() {
  test<Half>();
  test<Brain>();
  return check::finish();
}
