// Conversions: the exact value decides, in quadruple precision; edges, NaN and overflow saturate as PTX's cvt does.
#include <gtest/gtest.h>
#include <host_defines.h>
#include <hostwarp/device.h>

#include <cstdint>
#include <limits>
#include <random>

#include "tests/unit/device_functions/ulp.h"

namespace hostwarp::tests {
namespace {

enum class Mode { Nearest, Zero, Up, Down };

Quad wholeNumber(Quad x, Mode mode) {
  switch (mode) {
    case Mode::Nearest:
      return rintq(x);
    case Mode::Zero:
      return truncq(x);
    case Mode::Up:
      return ceilq(x);
    default:
      return floorq(x);
  }
}

template <class Integer>
Integer saturated(Quad whole) {
  using Limits = std::numeric_limits<Integer>;
  if (whole <= static_cast<Quad>(Limits::min())) return Limits::min();
  if (whole >= static_cast<Quad>(Limits::max())) return Limits::max();
  return static_cast<Integer>(whole);
}

// edges() are the places where an integer type ends, and their neighbours.
template <class Real>
std::vector<Real> edges() {
  std::vector<Real> result = samples<Real>(Range{}, 4000, 23);
  for (Real edge : {Real(0x1p31), Real(0x1p32), Real(0x1p63), Real(0x1p64), Real(0x1p24), Real(0x1p53)})
    for (Real sign : {Real(1), Real(-1)})
      for (Real x : {edge, std::nextafter(edge, Real(0)), std::nextafter(edge, Real(INFINITY)), edge - Real(0.5)})
        result.push_back(sign * x);
  for (Real half :
       {Real(0.5), Real(1.5), Real(2.5), Real(-0.5), Real(-1.5), Real(-2.5), Real(INFINITY), Real(-INFINITY)})
    result.push_back(half);
  return result;
}

template <class Real, class Integer, class Function>
void expectToInteger(const char *name, Mode mode, Integer nan, Function function) {
  for (Real x : edges<Real>())
    ASSERT_EQ(function(x), saturated<Integer>(wholeNumber(x, mode))) << name << "(" << x << ")";
  EXPECT_EQ(function(std::numeric_limits<Real>::quiet_NaN()), nan) << name << "(NaN)";
}

#define TO_INTEGER_1(name, Real, Integer, nan, suffix, mode)                     \
  expectToInteger<Real, Integer>(#name #suffix, mode, static_cast<Integer>(nan), \
                                 [](Real x) { return name##suffix(x); });
#define TO_INTEGER(name, Real, Integer, nan)                 \
  TO_INTEGER_1(name, Real, Integer, nan, _rn, Mode::Nearest) \
  TO_INTEGER_1(name, Real, Integer, nan, _rz, Mode::Zero)    \
  TO_INTEGER_1(name, Real, Integer, nan, _ru, Mode::Up)      \
  TO_INTEGER_1(name, Real, Integer, nan, _rd, Mode::Down)

TEST(Conversion, FloatingPointToInteger) {
  TO_INTEGER(__float2int, float, int, 0)
  TO_INTEGER(__float2uint, float, unsigned, 0)
  TO_INTEGER(__float2ll, float, long long, 0x8000000000000000)
  TO_INTEGER(__float2ull, float, unsigned long long, 0x8000000000000000)
  TO_INTEGER(__double2int, double, int, 0x80000000)
  TO_INTEGER(__double2uint, double, unsigned, 0x80000000)
  TO_INTEGER(__double2ll, double, long long, 0x8000000000000000)
  TO_INTEGER(__double2ull, double, unsigned long long, 0x8000000000000000)
}

// expectRounded() checks that `value` is the neighbour of the exact x that the mode asks for.
template <class Real>
void expectRounded(const char *name, Quad x, Mode mode, Real value) {
  const Quad v = value;
  const Quad below = std::nextafter(value, Real(-INFINITY)), above = std::nextafter(value, Real(INFINITY));
  bool right = v == x;
  if (mode == Mode::Down || (mode == Mode::Zero && x > 0)) right |= v < x && above > x;
  if (mode == Mode::Up || (mode == Mode::Zero && x < 0)) right |= v > x && below < x;
  if (mode == Mode::Nearest) right |= fabsq(v - x) <= fabsq(above - x) && fabsq(v - x) <= fabsq(below - x);
  ASSERT_TRUE(right) << name << " of " << static_cast<double>(x) << " gives " << value;
}

#define FROM_INTEGER_1(name, suffix, mode, x) expectRounded(#name #suffix, x, mode, name##suffix(x));
#define FROM_INTEGER(name, x)                 \
  FROM_INTEGER_1(name, _rn, Mode::Nearest, x) \
  FROM_INTEGER_1(name, _rz, Mode::Zero, x)    \
  FROM_INTEGER_1(name, _ru, Mode::Up, x)      \
  FROM_INTEGER_1(name, _rd, Mode::Down, x)

TEST(Conversion, IntegerToFloatingPoint) {
  std::mt19937_64 random(29);
  std::vector<uint64_t> numbers = {0,
                                   1,
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0xffffffffffffffff,
                                   0x1000001,
                                   0x20000000000001,
                                   0xffffff80,
                                   0xffffff7f};
  while (numbers.size() < 5000) numbers.push_back(random() >> (random() % 64));
  for (uint64_t n : numbers) {
    const auto i = static_cast<int>(n);
    const auto u = static_cast<unsigned>(n);
    const auto l = static_cast<long long>(n);
    const auto ul = static_cast<unsigned long long>(n);
    FROM_INTEGER(__int2float, i)
    FROM_INTEGER(__uint2float, u)
    FROM_INTEGER(__ll2float, l)
    FROM_INTEGER(__ull2float, ul)
    FROM_INTEGER(__ll2double, l)
    FROM_INTEGER(__ull2double, ul)
    EXPECT_EQ(__int2double_rn(i), i);
    EXPECT_EQ(__uint2double_rn(u), u);
  }
}

TEST(Conversion, DoubleToFloat) {
  for (double x : samples<double>(Range{-3e38, 3e38}, 20000, 31)) {
    FROM_INTEGER(__double2float, x)
  }
  EXPECT_EQ(__double2float_rz(1e300), std::numeric_limits<float>::max());
  EXPECT_EQ(__double2float_ru(1e300), INFINITY);
  EXPECT_EQ(__double2float_ru(-1e300), std::numeric_limits<float>::lowest());
  EXPECT_EQ(__double2float_rd(1e300), std::numeric_limits<float>::max());
  EXPECT_EQ(__double2float_ru(1e-300), std::numeric_limits<float>::denorm_min());
  EXPECT_TRUE(std::signbit(__double2float_rz(-1e-300)));
  EXPECT_TRUE(std::isnan(__double2float_rd(NAN)));
}

TEST(Conversion, BitsAreKept) {
  std::mt19937_64 random(37);
  for (int round = 0; round < 10000; ++round) {
    const uint64_t bits = random();
    const int i = static_cast<int>(bits);
    if (!std::isnan(__int_as_float(i))) {
      EXPECT_EQ(__float_as_int(__int_as_float(i)), i);
    }
    const double d = __longlong_as_double(static_cast<long long>(bits));
    if (std::isnan(d)) continue;
    EXPECT_EQ(__double_as_longlong(d), static_cast<long long>(bits));
    EXPECT_EQ(__hiloint2double(__double2hiint(d), __double2loint(d)), d);
  }
}

}  // namespace
}  // namespace hostwarp::tests
