// Directed rounding against the CPU's own rounding modes, bit by bit.
#include <gtest/gtest.h>
#include <host_defines.h>
#include <hostwarp/device.h>

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace hostwarp::tests {
namespace {

template <class Real>
bool sameBits(Real a, Real b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}

template <class Real>
std::vector<Real> operands(int count) {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> result = {0,
                              Real(-0.0),
                              1,
                              -1,
                              Real(0.1),
                              3,
                              Limits::min(),
                              -Limits::min(),
                              Limits::denorm_min(),
                              Limits::max(),
                              Limits::lowest(),
                              Limits::infinity(),
                              -Limits::infinity(),
                              Limits::quiet_NaN(),
                              Limits::epsilon()};
  std::mt19937_64 random(13);
  std::uniform_real_distribution<Real> mantissa(-2, 2);
  while (static_cast<int>(result.size()) < count) {
    const int span = random() % 3 ? 60 : 2 * Limits::max_exponent;
    result.push_back(std::ldexp(mantissa(random), static_cast<int>(random() % span) - span / 2));
  }
  return result;
}

// underMode() evaluates with the CPU's rounding mode set; volatile operands keep the compiler from evaluating early.
template <class Real, class Operation>
Real underMode(int mode, Operation operation, Real a, Real b = 0, Real c = 0) {
  volatile Real x = a, y = b, z = c;
  std::fesetround(mode);
  volatile Real result = operation(x, y, z);
  std::fesetround(FE_TONEAREST);
  return result;
}

#define EXPECT_SAME(Real, mode, call, expression)                                                               \
  {                                                                                                             \
    const Real expected = underMode<Real>(                                                                      \
        mode,                                                                                                   \
        [](volatile Real &x, [[maybe_unused]] volatile Real &y, [[maybe_unused]] volatile Real &z) -> Real {    \
          return expression;                                                                                    \
        },                                                                                                      \
        a, b, c);                                                                                               \
    const Real found = call;                                                                                    \
    ASSERT_TRUE(sameBits(found, expected)) << #call << " with " << std::hexfloat << a << ", " << b << ", " << c \
                                           << " gives " << found << " instead of " << expected;                 \
  }

#define FLOAT_MODE(suffix, mode)                                                  \
  EXPECT_SAME(float, mode, __fadd_##suffix(a, b), x + y)                          \
  EXPECT_SAME(float, mode, __fsub_##suffix(a, b), x - y)                          \
  EXPECT_SAME(float, mode, __fmul_##suffix(a, b), x *y)                           \
  EXPECT_SAME(float, mode, __fdiv_##suffix(a, b), x / y)                          \
  EXPECT_SAME(float, mode, __frcp_##suffix(a), 1.0f / x)                          \
  EXPECT_SAME(float, mode, __fsqrt_##suffix(a), std::sqrt(static_cast<float>(x))) \
  EXPECT_SAME(float, mode, __fmaf_##suffix(a, b, c),                              \
              std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)))
#define DOUBLE_MODE(suffix, mode)                                                   \
  EXPECT_SAME(double, mode, __dadd_##suffix(a, b), x + y)                           \
  EXPECT_SAME(double, mode, __dsub_##suffix(a, b), x - y)                           \
  EXPECT_SAME(double, mode, __dmul_##suffix(a, b), x *y)                            \
  EXPECT_SAME(double, mode, __ddiv_##suffix(a, b), x / y)                           \
  EXPECT_SAME(double, mode, __drcp_##suffix(a), 1.0 / x)                            \
  EXPECT_SAME(double, mode, __dsqrt_##suffix(a), std::sqrt(static_cast<double>(x))) \
  EXPECT_SAME(double, mode, __fma_##suffix(a, b, c),                                \
              std::fma(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)))

TEST(Rounding, Float) {
  const auto values = operands<float>(150);
  size_t next = 0;
  for (float a : values)
    for (float b : values) {
      const float c = values[next++ % values.size()];
      FLOAT_MODE(rn, FE_TONEAREST)
      FLOAT_MODE(rz, FE_TOWARDZERO)
      FLOAT_MODE(ru, FE_UPWARD)
      FLOAT_MODE(rd, FE_DOWNWARD)
    }
}

TEST(Rounding, Double) {
  const auto values = operands<double>(150);
  size_t next = 0;
  for (double a : values)
    for (double b : values) {
      const double c = values[next++ % values.size()];
      DOUBLE_MODE(rn, FE_TONEAREST)
      DOUBLE_MODE(rz, FE_TOWARDZERO)
      DOUBLE_MODE(ru, FE_UPWARD)
      DOUBLE_MODE(rd, FE_DOWNWARD)
    }
}

// Sums that cancel and products near a third operand decide an fma's last bit.
TEST(Rounding, FusedMultiplyAddWithCancellation) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> mantissa(1, 2);
  for (int round = 0; round < 20000; ++round) {
    const double a = mantissa(random), b = mantissa(random);
    const double c = -std::nextafter(a * b, random() & 1 ? 4.0 : 0.0) * (random() % 4 ? 1.0 : 0x1p-52);
    DOUBLE_MODE(rz, FE_TOWARDZERO)
    DOUBLE_MODE(ru, FE_UPWARD)
    DOUBLE_MODE(rd, FE_DOWNWARD)
  }
}

TEST(Rounding, PairsOfFloats) {
  const float2 a = {0.1f, 1e30f}, b = {0.2f, 3e-30f}, c = {1.0f, -3.0f};
  EXPECT_EQ(__ffma2_rz(a, b, c).x, __fmaf_rz(a.x, b.x, c.x));
  EXPECT_EQ(__ffma2_ru(a, b, c).y, __fmaf_ru(a.y, b.y, c.y));
  EXPECT_EQ(__fadd2_rd(a, b).x, __fadd_rd(a.x, b.x));
  EXPECT_EQ(__fmul2_rn(a, b).y, __fmul_rn(a.y, b.y));
}

}  // namespace
}  // namespace hostwarp::tests
