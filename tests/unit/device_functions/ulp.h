// Measuring errors in units in the last place, as CUDA's accuracy tables do.
#ifndef HOSTWARP_TESTS_UNIT_DEVICE_FUNCTIONS_ULP_H
#define HOSTWARP_TESTS_UNIT_DEVICE_FUNCTIONS_ULP_H

#include <quadmath.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace hostwarp::tests {

using Quad = __float128;

// ulpError() is the distance of `value` from the exact `reference`, in ulps of Real at the reference. NaN must meet
// NaN; beyond the largest finite number infinity is right.
template <class Real>
double ulpError(Real value, Quad reference) {
  using Limits = std::numeric_limits<Real>;
  if (isnanq(reference)) return std::isnan(value) ? 0 : INFINITY;
  if (std::isnan(value)) return INFINITY;
  const Real rounded = static_cast<Real>(reference);
  if (std::isinf(rounded)) return value == rounded || value == std::copysign(Limits::max(), rounded) ? 0 : INFINITY;
  int exponent = 0;
  frexpq(reference, &exponent);
  if (reference == 0 || exponent < Limits::min_exponent) exponent = Limits::min_exponent;
  const Quad ulp = scalbnq(1, exponent - Limits::digits);
  if (std::isinf(value)) return static_cast<double>((scalbnq(1, Limits::max_exponent) - fabsq(reference)) / ulp);
  return static_cast<double>(fabsq(static_cast<Quad>(value) - reference) / ulp);
}

// Range limits a sweep; the default is every finite number.
struct Range {
  double low = -INFINITY;
  double high = INFINITY;
};

// samples() gives numbers of every binade, numbers evenly spread over the range where that is finite, and special
// values.
template <class Real>
std::vector<Real> samples(Range range, int count, uint64_t seed) {
  using Bits = std::conditional_t<sizeof(Real) == 4, uint32_t, uint64_t>;
  std::mt19937_64 random(seed);
  std::vector<Real> result;
  const auto add = [&](Real x) {
    if (x >= range.low && x <= range.high && std::isfinite(x)) result.push_back(x);
  };
  for (Real x : {Real(0), Real(-0.0), Real(0.5), Real(1), Real(-1), Real(2), std::numeric_limits<Real>::denorm_min(),
                 std::numeric_limits<Real>::min(), std::numeric_limits<Real>::max()})
    add(x);
  const Real low = std::isfinite(range.low) ? range.low : -20;
  const Real high = std::isfinite(range.high) ? range.high : 20;
  std::uniform_real_distribution<Real> uniform(low, high);
  std::uniform_real_distribution<Real> exponent(-30, 5);
  for (int tries = 0; static_cast<int>(result.size()) < count && tries < 20 * count; ++tries) {
    switch (tries % 4) {
      case 0: {
        const Bits bits = static_cast<Bits>(random());
        Real x;
        std::memcpy(&x, &bits, sizeof x);
        add(x);
        break;
      }
      case 1:
        add(std::copysign(std::exp2(exponent(random)), Real(random() & 1 ? 1 : -1)));
        break;
      default:
        add(uniform(random));
    }
  }
  return result;
}

}  // namespace hostwarp::tests

#endif  // HOSTWARP_TESTS_UNIT_DEVICE_FUNCTIONS_ULP_H
