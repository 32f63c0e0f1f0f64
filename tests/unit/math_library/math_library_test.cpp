// The functions of compiler/math_library, compiled for this host: errors within CUDA's bounds, special values CUDA's.
#include <gtest/gtest.h>

#include "tests/unit/device_functions/reference.h"
#include "tests/unit/device_functions/sweep.h"

#define FLOAT_1(name, ...) extern "C" float hwmath_##name(float);
#define FLOAT_2(name, ...) extern "C" float hwmath_##name(float, float);
#define DOUBLE_1(name, ...) extern "C" double hwmath_##name(double);
#define DOUBLE_2(name, ...) extern "C" double hwmath_##name(double, double);
#include "tests/unit/math_library/functions.def"
#undef FLOAT_1
#undef FLOAT_2
#undef DOUBLE_1
#undef DOUBLE_2

namespace hostwarp::tests {
namespace {

class MathLibrary : public testing::Test {
  void SetUp() override {
#ifdef HOSTWARP_TEST_FMA
    if (!__builtin_cpu_supports("fma")) GTEST_SKIP() << "this processor cannot fuse products and sums";
#endif
  }
};

#define NOTHING(...)
#define ONE(type, name, reference, bound, low, high)          \
  sweep<type>(#name, bound, Range{low, high}, &hwmath_##name, \
              [](Quad x, [[maybe_unused]] Quad value) -> Quad { return reference; });
#define TWO(type, name, reference, bound, low, high, low2, high2)                                       \
  sweepPairs<type>(                                                                                     \
      #name, bound, Range{low, high}, &hwmath_##name, [](Quad x, Quad y) -> Quad { return reference; }, \
      Range{low2, high2});

#define FLOAT_1(...) ONE(float, __VA_ARGS__)
#define FLOAT_2(...) TWO(float, __VA_ARGS__)
#define DOUBLE_1 NOTHING
#define DOUBLE_2 NOTHING
TEST_F(MathLibrary, Float) {
#include "tests/unit/math_library/functions.def"
}
#undef FLOAT_1
#undef FLOAT_2
#undef DOUBLE_1
#undef DOUBLE_2

#define FLOAT_1 NOTHING
#define FLOAT_2 NOTHING
#define DOUBLE_1(...) ONE(double, __VA_ARGS__)
#define DOUBLE_2(...) TWO(double, __VA_ARGS__)
TEST_F(MathLibrary, Double) {
#include "tests/unit/math_library/functions.def"
}
#undef FLOAT_1
#undef FLOAT_2
#undef DOUBLE_1
#undef DOUBLE_2

template <class Real>
std::vector<Real> specials() {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> result;
  for (Real x : {Real(0), Limits::infinity(), Limits::quiet_NaN(), Limits::max(), Limits::min(), Limits::denorm_min(),
                 Real(1), Real(0.5), Real(2), Real(3), Real(2.5), Real(100), Real(2000), Real(1e7), Real(1e20)}) {
    result.push_back(x);
    result.push_back(-x);
  }
  return result;
}

// expectAlike() compares with an exact value as a number of the same type: infinities, NaN and signs of zeros.
template <class Real>
void expectAlike(const char *name, Real value, Quad exact, Real x, Real y) {
  EXPECT_LE(ulpError(value, exact), 5) << name << "(" << x << ", " << y << ") = " << value;
  if (value == 0 && exact == 0) {
    EXPECT_EQ(std::signbit(value), signbitq(exact) != 0) << name << "(" << x << ", " << y << ")";
  }
}

#define SPECIAL_1(type, name, reference)                                   \
  for (type number : specials<type>()) {                                   \
    const Quad x = number;                                                 \
    expectAlike<type>(#name, hwmath_##name(number), reference, number, 0); \
  }
#define SPECIAL_2(type, name, reference)                                                \
  for (type first : specials<type>())                                                   \
    for (type second : specials<type>()) {                                              \
      const Quad x = first, y = second;                                                 \
      expectAlike<type>(#name, hwmath_##name(first, second), reference, first, second); \
    }
#define FLOAT_1(name, reference, ...) SPECIAL_1(float, name, reference)
#define FLOAT_2(name, reference, ...) SPECIAL_2(float, name, reference)
#define DOUBLE_1(name, reference, ...) SPECIAL_1(double, name, reference)
#define DOUBLE_2(name, reference, ...) SPECIAL_2(double, name, reference)
TEST_F(MathLibrary, SpecialValues) {
#include "tests/unit/math_library/functions.def"
}

// Where little is left of an angle, each of the digits that remain counts.
template <class Real, class Function, class Reference>
void nearMultiples(Quad unit, long count, Function function, Reference reference) {
  double worst = 0;
  for (long k = 1; k < count; ++k) {
    const Real x = static_cast<Real>(k * unit);
    for (Real y : {x, std::nextafter(x, Real(0)), std::nextafter(x, Real(INFINITY))})
      worst = std::max(worst, ulpError<Real>(function(y), reference(y)));
  }
  EXPECT_LE(worst, 2);
}
TEST_F(MathLibrary, NearMultiplesOfAHalfPi) {
  nearMultiples<double>(M_PI_2q, 20000, &hwmath_sin, &sinq);
  nearMultiples<double>(M_PI_2q, 20000, &hwmath_cos, &cosq);
  nearMultiples<float>(M_PI_2q, 20000, &hwmath_sinf, &sinq);
  nearMultiples<float>(M_PI_2q, 20000, &hwmath_cosf, &cosq);
}

}  // namespace
}  // namespace hostwarp::tests
