// exp and what is made of it. Functions of float compute in double: less than 2^-28 is lost before the one rounding,
// and nothing overflows.
#ifndef HOSTWARP_COMPILER_MATH_LIBRARY_EXPONENTIAL_H
#define HOSTWARP_COMPILER_MATH_LIBRARY_EXPONENTIAL_H

#include "compiler/math_library/interface.h"

namespace hostwarp::math {

constexpr double log2OfE = 0x1.71547652b82fep+0, ln2 = 0x1.62e42fefa39efp-1;
// ln 2 in two parts; the high one has 11 zeros at its end, so that products with exponents are exact.
constexpr double ln2High = 0x1.62e42fefa3800p-1, ln2Low = 0x1.ef35793c76730p-45;

// Reduced: exp(x) = 2^k (1 + q), -0.3 < q < 0.42.
struct Reduced {
  Rounded k;
  double q;
};

// For float: the relative error of q is below 2^-31.
inline double expm1Near0(double r) {
  return r * r *
             polynomial(r, {0x1.00000029d70c0p-1, 0x1.55555557fd1fap-3, 0x1.5554a922bf15bp-5, 0x1.1110f047ced3cp-7,
                            0x1.6d790b605d316p-10, 0x1.a0faddfa08a57p-13}) +
         r;
}
inline Reduced reduceForFloat(double x) {
  const Rounded k = roundedSum(x * log2OfE + rounder);
  return {k, expm1Near0(x - k.k * ln2)};
}
// exp2OfFloat() is 2^x, |x| < 1000.
inline double exp2ForFloat(double x) {
  const Rounded k = rounded(x);
  return (expm1Near0((x - k.k) * ln2) + 1) * powerOfTwo(k.bits);
}
inline double expForFloat(double x) {
  const Reduced reduced = reduceForFloat(x);
  return (reduced.q + 1) * powerOfTwo(reduced.k.bits);
}
// expm1ForFloat() keeps its relative error near 0.
inline double expm1ForFloat(double x) {
  const Reduced reduced = reduceForFloat(x);
  const double power = powerOfTwo(reduced.k.bits);
  return reduced.q * power + (power - 1);
}

// For double: exp(high + low), |high| < 0.35 and low far smaller. The series' error is 2^-58.
inline double expNear0(double high, double low) {
  const double r = high + low;
  const double tail =
      r * r *
      polynomial(r, {0x1.000000000000bp-1, 0x1.5555555555561p-3, 0x1.5555555550030p-5, 0x1.111111110d63bp-7,
                     0x1.6c16c185a75adp-10, 0x1.a01a01bae1b24p-13, 0x1.a0199693b51d7p-16, 0x1.71dddfcd543e1p-19,
                     0x1.28b0491988924p-22, 0x1.af858521b9e90p-26});
  const double sum = 1 + high, lost = (1 - sum) + high;
  return sum + (lost + (tail + low));
}

// scaled() is x 2^k, -1100 < k < 1026, where the result may be subnormal or infinite.
inline double scaled(double x, const Rounded &k) {
  const bool small = k.k < -1000, large = k.k > 1000;
  const u64 kept = k.bits + (small ? 200 : large ? u64(-2) : 0);
  return x * powerOfTwo(kept) * (small ? 0x1p-200 : large ? 4.0 : 1.0);
}

}  // namespace hostwarp::math

HWMATH float hwmath_expf(float x) {
  using namespace hostwarp::math;
  return float(expForFloat(clamped(x, -150, 130)));
}
HWMATH float hwmath_exp2f(float x) {
  using namespace hostwarp::math;
  return float(exp2ForFloat(clamped(x, -200, 200)));
}
HWMATH float hwmath_exp10f(float x) {
  using namespace hostwarp::math;
  return float(exp2ForFloat(clamped(x, -60, 60) * 0x1.a934f0979a371p+1));
}
HWMATH float hwmath_expm1f(float x) {
  using namespace hostwarp::math;
  const float value = float(expm1ForFloat(clamped(x, -150, 130)));
  return x == 0 ? x : value;
}

HWMATH float hwmath_sinhf(float x) {
  using namespace hostwarp::math;
  const double q = expm1ForFloat(clamped(__builtin_fabsf(x), -150, 130));
  return withSignOf(float(0.5 * (q + q / (q + 1))), x);
}
HWMATH float hwmath_coshf(float x) {
  using namespace hostwarp::math;
  const double e = expForFloat(clamped(__builtin_fabsf(x), -150, 130));
  return float(0.5 * (e + 1 / e));
}
HWMATH float hwmath_tanhf(float x) {
  using namespace hostwarp::math;
  const double q = expm1ForFloat(2 * clamped(__builtin_fabsf(x), -1, 20));
  return withSignOf(float(q / (q + 2)), x);
}

HWMATH double hwmath_exp(double x) {
  using namespace hostwarp::math;
  x = clamped(x, -750, 711);
  const Rounded k = roundedSum(x * log2OfE + rounder);
  return scaled(expNear0(x - k.k * ln2High, -k.k * ln2Low), k);
}
HWMATH double hwmath_exp2(double x) {
  using namespace hostwarp::math;
  x = clamped(x, -1080, 1025);
  const Rounded k = rounded(x);
  return scaled(expNear0((x - k.k) * ln2, 0), k);
}

#endif  // HOSTWARP_COMPILER_MATH_LIBRARY_EXPONENTIAL_H
