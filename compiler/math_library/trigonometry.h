// Circular functions and their inverses. Large operands, whose remainder takes many digits of pi, are the C library's.
#ifndef HOSTWARP_COMPILER_MATH_LIBRARY_TRIGONOMETRY_H
#define HOSTWARP_COMPILER_MATH_LIBRARY_TRIGONOMETRY_H

#include "compiler/math_library/interface.h"

HWMATH_RARE float sinf(float);
HWMATH_RARE float cosf(float);
HWMATH_RARE float tanf(float);
HWMATH_RARE double sin(double);
HWMATH_RARE double cos(double);
HWMATH_RARE float atan2f(float, float);

namespace hostwarp::math {

constexpr double pi = 0x1.921fb54442d18p+1;

// --- float: sin(k pi + r) is sin(r), |r| < pi / 2, with the sign of k ---

// sinOfRemainder() has a relative error below 2^-35.
inline double sinOfRemainder(double r) {
  const double z = r * r;
  return r * z *
             polynomial(z, {-0x1.5555554959c26p-3, 0x1.11110cc181817p-7, -0x1.a017fda0ddb46p-13, 0x1.7174caade4c99p-19,
                            -0x1.9ac307e2fc740p-26}) +
         r;
}
// withoutMultiple() is x - k pi; the product with the first part of pi is exact for |k| < 2^22.
inline double withoutMultiple(double x, double k) { return (x - k * 0x1.921fb54000000p+1) - k * 0x1.10b4611a62633p-29; }
inline bool isLarge(float x) { return !(__builtin_fabsf(x) < 0x1p22f); }

// --- double: x = k pi/2 + r, |r| < pi/4, as a sum ---

struct Remainder {
  Rounded k;
  double high, low;
};
inline bool isLarge(double x) { return !(__builtin_fabs(x) < 0x1p19); }
inline Remainder quarterRemainder(double x) {
  const Rounded k = roundedSum(x * 0x1.45f306dc9c883p-1 + rounder);
  // pi/2 in parts of 33 digits, whose products are exact; each difference but the last is nearly so.
  const double first = x - k.k * 0x1.921fb54400000p+0, subtracted = k.k * 0x1.0b4611a600000p-34;
  const double second = first - subtracted, lost = (first - second) - subtracted;
  const double rest = lost - k.k * 0x1.3198a2e037073p-69;
  const double high = second + rest;
  return {k, high, (second - high) + rest};
}
inline double sinNear0(const Remainder &r) {
  const double z = r.high * r.high;
  const double tail = polynomial(z, {0x1.111111110f87dp-7, -0x1.a01a019c12029p-13, 0x1.71de357815cc4p-19,
                                     -0x1.ae5e6687f7751p-26, 0x1.5d93183442bdbp-33});
  const double cube = r.high * z;
  return r.high + (cube * -0x1.5555555555549p-3 + (cube * (z * tail) + r.low * (1 - 0.5 * z)));
}
inline double cosNear0(const Remainder &r) {
  const double z = r.high * r.high, half = 0.5 * z, upper = 1 - half;
  const double tail = polynomial(z, {0x1.555555555554cp-5, -0x1.6c16c16c15181p-10, 0x1.a01a019cb2169p-16,
                                     -0x1.27e4f80a33adap-22, 0x1.1ee9ec18930d1p-29, -0x1.8faeb5e62d888p-37});
  return upper + (((1 - upper) - half) + (z * z * tail - r.high * r.low));
}
// sinOfQuarters() is sin(r + k pi/2).
inline double sinOfQuarters(const Remainder &r, u64 k) {
  return negatedIf(k >> 1 & 1, k & 1 ? cosNear0(r) : sinNear0(r));
}

// --- Inverses, for float ---

// atanNear0() is atan(t), |t| <= 1, with a relative error below 2^-31; asinNear0() asin(t), |t| <= 1/2.
inline double atanNear0(double t) {
  const double z = t * t;
  return t * z *
             polynomial(z, {-0x1.5555515fcfcf1p-2, 0x1.9997fd0e2b951p-3, -0x1.247503643de50p-3, 0x1.c50716ad069cep-4,
                            -0x1.693865fd2d6ffp-4, 0x1.14df6a9a77c54p-4, -0x1.703400104dd7fp-5, 0x1.74e899773c6d9p-6,
                            -0x1.e674bc693ad5bp-8, 0x1.2981a32e8493dp-10}) +
         t;
}
inline double asinNear0(double t) {
  const double z = t * t;
  return t * z *
             polynomial(z, {0x1.55554c36aae20p-3, 0x1.33388eaf987dcp-4, 0x1.6cac3b3a4b08fp-5, 0x1.04a65f4e001bep-5,
                            0x1.d7f1bc97965ccp-7, 0x1.33bbf79548f0fp-5}) +
         t;
}
// AsinParts: asin(size) is asin(t) or, for the larger half, pi/2 - 2 asin(t).
struct AsinParts {
  bool upper;
  double angle;
};
inline AsinParts asinParts(double size) {
  const bool upper = size > 0.5;
  const double root = __builtin_sqrt(0.5 * (1 - size));
  return {upper, asinNear0(upper ? root : size)};
}

}  // namespace hostwarp::math

HWMATH float hwmath_sinf(float x) {
  using namespace hostwarp::math;
  const Rounded k = roundedSum(x * 0x1.45f306dc9c883p-2 + rounder);
  float value = float(negatedIf(k.bits & 1, sinOfRemainder(withoutMultiple(x, k.k))));
  value = x == 0 ? x : value;
  if (HWMATH_UNLIKELY(isLarge(x))) value = sinf(x);
  return value;
}
// cos(k pi + pi/2 + r) is -sin(r) with the sign of k.
HWMATH float hwmath_cosf(float x) {
  using namespace hostwarp::math;
  const double size = __builtin_fabsf(x);
  const Rounded k = roundedSum((size * 0x1.45f306dc9c883p-2 - 0.5) + rounder);
  float value = float(negatedIf(~k.bits & 1, sinOfRemainder(withoutMultiple(size, k.k + 0.5))));
  if (HWMATH_UNLIKELY(isLarge(x))) value = cosf(x);
  return value;
}
HWMATH float hwmath_tanf(float x) {
  using namespace hostwarp::math;
  const Rounded k = roundedSum(x * 0x1.45f306dc9c883p-1 + rounder);
  const double r = withoutMultiple(x, 0.5 * k.k), z = r * r;
  const double tangent =
      r * z *
          polynomial(z, {0x1.5555617de2d61p-2, 0x1.110d45abf8691p-3, 0x1.bae7bf8ba7c32p-5, 0x1.5c3ccbc3d9cf6p-6,
                         0x1.65453a4fa41c7p-7, 0x1.21b9815963d7fp-17, 0x1.214c425cfdfe6p-8}) +
      r;
  float value = float(k.bits & 1 ? -1 / tangent : tangent);
  value = x == 0 ? x : value;
  if (HWMATH_UNLIKELY(!(__builtin_fabsf(x) < 0x1p21f))) value = tanf(x);
  return value;
}
HWMATH double hwmath_sin(double x) {
  using namespace hostwarp::math;
  const Remainder r = quarterRemainder(x);
  double value = sinOfQuarters(r, r.k.bits);
  value = x == 0 ? x : value;
  if (HWMATH_UNLIKELY(isLarge(x))) value = sin(x);
  return value;
}
HWMATH double hwmath_cos(double x) {
  using namespace hostwarp::math;
  const Remainder r = quarterRemainder(x);
  double value = sinOfQuarters(r, r.k.bits + 1);
  if (HWMATH_UNLIKELY(isLarge(x))) value = cos(x);
  return value;
}

// sin(pi x): the remainder of x is exact.
HWMATH float hwmath_sinpif(float x) {
  using namespace hostwarp::math;
  const bool whole = __builtin_fabsf(x) >= 0x1p24f;  // and even
  const double kept = whole ? 0 : x;
  const Rounded k = rounded(kept);
  const double r = kept - k.k;
  const float value = float(negatedIf(k.bits & 1, sinOfRemainder(r * pi)));
  // Integers give a zero with their own sign; infinity gives NaN.
  return r == 0 ? withSignOf(x - x, x) : value;
}
HWMATH float hwmath_cospif(float x) {
  using namespace hostwarp::math;
  const double size = __builtin_fabsf(x), kept = size >= 0x1p24 ? 0 : size;
  const Rounded k = rounded(kept - 0.5);
  const float value = float(negatedIf(~k.bits & 1, sinOfRemainder((kept - (k.k + 0.5)) * pi)));
  // Odd multiples of a half give +0; infinity gives NaN.
  return (value == 0 ? 0 : value) + (x - x);
}

HWMATH float hwmath_atanf(float x) {
  using namespace hostwarp::math;
  const double size = __builtin_fabsf(x);
  const bool large = size > 1;
  const double angle = atanNear0(large ? 1 / size : size);
  return withSignOf(float(large ? 0.5 * pi - angle : angle), x);
}
HWMATH float hwmath_atan2f(float y, float x) {
  using namespace hostwarp::math;
  const double height = __builtin_fabsf(y), width = __builtin_fabsf(x);
  const bool steep = height > width;
  const double near = steep ? height : width, far = steep ? width : height;
  double angle = atanNear0(far / near);
  angle = steep ? 0.5 * pi - angle : angle;
  angle = x < 0 ? pi - angle : angle;
  float value = withSignOf(float(angle), y);
  if (HWMATH_UNLIKELY(!(near > 0 && near < infinity && far < infinity))) value = atan2f(y, x);
  return value;
}
HWMATH float hwmath_asinf(float x) {
  using namespace hostwarp::math;
  const AsinParts parts = asinParts(__builtin_fabsf(x));
  return withSignOf(float(parts.upper ? 0.5 * pi - 2 * parts.angle : parts.angle), x);
}
HWMATH float hwmath_acosf(float x) {
  using namespace hostwarp::math;
  const AsinParts parts = asinParts(__builtin_fabsf(x));
  const double right = parts.upper ? 2 * parts.angle : 0.5 * pi - parts.angle;
  const double left = parts.upper ? pi - 2 * parts.angle : 0.5 * pi + parts.angle;
  return float(x < 0 ? left : right);
}

#endif  // HOSTWARP_COMPILER_MATH_LIBRARY_TRIGONOMETRY_H
