// erf and its kin, for float.
#ifndef HOSTWARP_COMPILER_MATH_LIBRARY_ERROR_FUNCTIONS_H
#define HOSTWARP_COMPILER_MATH_LIBRARY_ERROR_FUNCTIONS_H

#include "compiler/math_library/exponential.h"

namespace hostwarp::math {

// erfcOfSize() is erfc(a), 0 <= a <= 10.2, with a relative error below 2^-28: exp(-a^2) / (1 + 2 a) times a polynomial
// in (a - 4) / (a + 4).
inline double erfcOfSize(double a) {
  const double t = (a - 4) / (a + 4);
  const double smooth =
      polynomial(t, {0x1.3ba5916e9f7e2p+0, -0x1.1df1ad1642d61p-3, 0x1.f7f5df90c2230p-7, 0x1.16ecf0764b667p-4,
                     -0x1.9ddb242b358c3p-4, 0x1.7fedf020adfaep-4, -0x1.0fb0754d2a920p-4, 0x1.307b3b6cd1cfbp-5,
                     -0x1.095efb0db4a88p-6, 0x1.4999a2b848120p-8, -0x1.9034d8d160422p-11, -0x1.9ca9e9c54027dp-13,
                     0x1.5857e7006b202p-13, -0x1.0b0ebe1c753eep-16, -0x1.0847696157512p-16});
  return expForFloat(-a * a) * smooth / (1 + 2 * a);
}
inline double erfcForFloat(double x) {
  const double size = erfcOfSize(clamped(__builtin_fabs(x), -1, 10.2));
  return x < 0 ? 2 - size : size;
}

}  // namespace hostwarp::math

// erf(a) = 1 - exp(-a q(a)): q is a polynomial, and expm1 keeps the relative error near 0.
HWMATH float hwmath_erff(float x) {
  using namespace hostwarp::math;
  const double a = clamped(__builtin_fabsf(x), -1, 4);
  const double q =
      polynomial(a, {0x1.20dd7503dc375p+0, 0x1.45f306f7ff7c0p-1, 0x1.a4f4d4d23ec48p-4, -0x1.3964d3c37af0cp-6,
                     -0x1.ba6ee2b3fb453p-13, 0x1.bddfcf9309001p-10, -0x1.39517d3b7b8e9p-11, 0x1.1146b172e7ef6p-15,
                     0x1.08a4c1fd350adp-14, -0x1.1e2801f74967fp-15, 0x1.46d215ab47d1cp-17, -0x1.ca3e97a6d2a5cp-20,
                     0x1.74572d7923c29p-23, -0x1.0d8683ef36ae3p-27});
  return withSignOf(float(-expm1ForFloat(-a * q)), x);
}
HWMATH float hwmath_erfcf(float x) { return float(hostwarp::math::erfcForFloat(x)); }
HWMATH float hwmath_normcdff(float x) { return float(0.5 * hostwarp::math::erfcForFloat(x * -0x1.6a09e667f3bcdp-1)); }

#endif  // HOSTWARP_COMPILER_MATH_LIBRARY_ERROR_FUNCTIONS_H
