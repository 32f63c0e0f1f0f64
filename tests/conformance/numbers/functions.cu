// Functions of half and bfloat16, for every number: roundings to integers exactly, the others to a unit in the last
// place of the number.
#include <functional>

#include "sixteen_bits.h"

constexpr int functions = 17;

template <class T>
__global__ void compute(unsigned short *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const typename T::Number x = T::make(static_cast<unsigned short>(i));
  const typename T::Number results[functions] = {htrunc(x), hceil(x), hfloor(x), hrint(x),  hsqrt(x),       hrsqrt(x),
                                                 hrcp(x),   hlog(x),  hlog2(x),  hlog10(x), hexp(x),        hexp2(x),
                                                 hexp10(x), hsin(x),  hcos(x),   htanh(x),  htanh_approx(x)};
  for (int f = 0; f < functions; ++f) out[i * functions + f] = T::bits(results[f]);
}

template <class T>
__global__ void computePairs(unsigned *wrong) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const typename T::Number a = T::make(static_cast<unsigned short>(i)),
                           b = T::make(static_cast<unsigned short>(i * 7919));
#define PAIR(one, two)                                                                                                \
  {                                                                                                                   \
    const typename T::Pair both = two(T::pair(a, b));                                                                 \
    const float low = T::toFloat(T::low(both)), high = T::toFloat(T::high(both));                                     \
    const float first = T::toFloat(one(a)), second = T::toFloat(one(b));                                              \
    if (!(low == first || (low != low && first != first)) || !(high == second || (high != high && second != second))) \
      atomicAdd(wrong, 1u);                                                                                           \
  }
  PAIR(htrunc, h2trunc)
  PAIR(hceil, h2ceil)
  PAIR(hfloor, h2floor) PAIR(hrint, h2rint) PAIR(hsqrt, h2sqrt) PAIR(hrcp, h2rcp) PAIR(hlog, h2log) PAIR(hexp, h2exp)
      PAIR(hsin, h2sin) PAIR(hcos, h2cos) PAIR(htanh, h2tanh)
#undef PAIR
}

struct Reference {
  const char *name;
  double (*function)(double);
  int units;  // how far off the result may be, in units of the last place
};
static const Reference references[functions] = {
    {"htrunc", [](double x) { return std::trunc(x); }, 0},
    {"hceil", [](double x) { return std::ceil(x); }, 0},
    {"hfloor", [](double x) { return std::floor(x); }, 0},
    {"hrint", [](double x) { return std::nearbyint(x); }, 0},
    {"hsqrt", [](double x) { return std::sqrt(x); }, 1},
    {"hrsqrt", [](double x) { return 1 / std::sqrt(x); }, 1},
    {"hrcp", [](double x) { return 1 / x; }, 1},
    {"hlog", [](double x) { return std::log(x); }, 1},
    {"hlog2", [](double x) { return std::log2(x); }, 1},
    {"hlog10", [](double x) { return std::log10(x); }, 1},
    {"hexp", [](double x) { return std::exp(x); }, 1},
    {"hexp2", [](double x) { return std::exp2(x); }, 1},
    {"hexp10", [](double x) { return std::pow(10.0, x); }, 1},
    {"hsin", [](double x) { return std::sin(x); }, 1},
    {"hcos", [](double x) { return std::cos(x); }, 1},
    {"htanh", [](double x) { return std::tanh(x); }, 1},
    {"htanh_approx", [](double x) { return std::tanh(x); }, -1},
};

// distance() counts the numbers between two of the same sign.
static int distance(unsigned short a, unsigned short b) {
  const int x = a & 0x8000 ? -(a & 0x7fff) : a, y = b & 0x8000 ? -(b & 0x7fff) : b;
  return std::abs(x - y);
}

template <class T>
static void checkResult(const Reference &reference, unsigned short in, unsigned short actual) {
  const double x = exact::valueOf(T::format, in);
  const double exact = reference.function(x);
  const unsigned short expected = exact::bitsOf(T::format, exact::roundTo(T::format, exact));
  // Subnormal bfloat16 operands are subnormal floats, which the hardware's approximations take for zero.
  if (reference.units != 0 && T::format.digits == 8 && std::fabs(x) < 0x1p-126) return;
  bool good;
  if (std::isnan(exact))
    good = exact::isNan(T::format, actual);
  else if (reference.units == 0)
    good = actual == expected;
  else if (reference.units < 0)  // tanh.approx: by absolute error
    good = std::fabs(exact::valueOf(T::format, actual) - exact) <= (T::format.digits > 8 ? 0x1p-10 : 0x1p-7);
  else  // results that are subnormal may be zero
    good = distance(actual, expected) <= reference.units ||
           (std::fabs(exact) < std::ldexp(1, T::format.leastExponent()) && (actual & 0x7fff) == 0);
  if (good) return;
  char text[128];
  snprintf(text, sizeof text, "%s(%#x = %g) is %#x, expected %#x", reference.name, in, x, actual, expected);
  check::fail(__FILE__, __LINE__, text);
}

template <class T>
static void test() {
  check::DeviceArray<unsigned short> out(65536 * functions);
  compute<T><<<256, 256>>>(out.get());
  LAUNCH_OK();
  const std::vector<unsigned short> results = out.download();
  for (unsigned bits = 0; bits < 65536; ++bits)
    for (int f = 0; f < functions; ++f)
      checkResult<T>(references[f], (unsigned short)bits, results[bits * functions + f]);
  check::DeviceArray<unsigned> wrong(1, 0u);
  computePairs<T><<<256, 256>>>(wrong.get());
  LAUNCH_OK();
  CHECK_EQ(wrong.download()[0], 0u);
}

int main() {
  test<Half>();
  test<Brain>();
  return check::finish();
}
