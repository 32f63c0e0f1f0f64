// Arithmetic with a chosen rounding direction: __fadd_rz, __dmul_ru, __fmaf_rd ... [CUDA math API, intrinsics].
//
// The direction is worked out from exact results rather than by switching the CPU's rounding mode, which compilers
// ignore. A float operation is done in double so that the double keeps all that decides the rounding; of a double
// operation, the sign of its error decides; where that error is no double, exact integer arithmetic does
// (emu_runtime/device_lib).
#ifndef HOSTWARP_ROUNDING_H
#define HOSTWARP_ROUNDING_H

#include "../vector_types.h"
#include "device_abi.h"
#include "device_qualifiers.h"

enum hw_rounding { HW_ROUND_NEAREST, HW_ROUND_ZERO, HW_ROUND_UP, HW_ROUND_DOWN };

HOSTWARP_HOST_DEVICE_C double hw_math_add_rounded(double, double, int) HOSTWARP_NOEXCEPT HOSTWARP_PURE;
HOSTWARP_HOST_DEVICE_C double hw_math_mul_rounded(double, double, int) HOSTWARP_NOEXCEPT HOSTWARP_PURE;
HOSTWARP_HOST_DEVICE_C double hw_math_div_rounded(double, double, int) HOSTWARP_NOEXCEPT HOSTWARP_PURE;
HOSTWARP_HOST_DEVICE_C double hw_math_sqrt_rounded(double, int) HOSTWARP_NOEXCEPT HOSTWARP_PURE;
HOSTWARP_HOST_DEVICE_C double hw_math_fma_rounded(double, double, double, int) HOSTWARP_NOEXCEPT HOSTWARP_PURE;

// HOSTWARP_SEPARATE ends a function whose result must never become part of a fused multiply-add: the _rn intrinsics
// promise two roundings.
#if defined(__clang__)
#define HOSTWARP_NO_CONTRACTION _Pragma("clang fp contract(off)")
#define HOSTWARP_SEPARATE(value)
#elif defined(__x86_64__)
#define HOSTWARP_NO_CONTRACTION
#define HOSTWARP_SEPARATE(value) __asm__("" : "+x"(value))
#else
#define HOSTWARP_NO_CONTRACTION
#define HOSTWARP_SEPARATE(value) __asm__("" : "+m"(value))
#endif

HOSTWARP_DEVICE uint64_t hw_double_bits(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
HOSTWARP_DEVICE double hw_bits_double(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
HOSTWARP_DEVICE uint32_t hw_float_bits(float x) {
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
HOSTWARP_DEVICE float hw_bits_float(uint32_t bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

// hw_next() is the neighbour of the float or double with these bits in the direction of +infinity or -infinity. The
// encodings of finite numbers and infinity are consecutive, so a step is an increment.
template <class Bits>
HOSTWARP_DEVICE Bits hw_next(Bits bits, bool upwards) {
  const Bits sign = static_cast<Bits>(1) << (8 * sizeof(Bits) - 1);
  if ((bits & ~sign) == 0) return upwards ? static_cast<Bits>(1) : (sign | 1);
  const bool negative = (bits & sign) != 0;
  return upwards == negative ? bits - 1 : bits + 1;
}

// hw_round_to_float() rounds x once. pre: x is the exact result, or its rounding to odd.
HOSTWARP_DEVICE_FUNCTION float hw_round_to_float(double x, int rounding) {
  const float nearest = static_cast<float>(x);
  if (rounding == HW_ROUND_NEAREST) return nearest;
  const bool up = rounding == HW_ROUND_UP || (rounding == HW_ROUND_ZERO && x < 0);
  const double back = nearest;
  if (up ? back < x : back > x) return hw_bits_float(hw_next(hw_float_bits(nearest), up));
  return nearest;
}

// hw_add_to_odd() is a + b rounded to odd: inexact sums get an odd last bit, so that a later rounding to float sees on
// which side the exact sum lies.
HOSTWARP_DEVICE_FUNCTION double hw_add_to_odd(double a, double b) {
  HOSTWARP_NO_CONTRACTION
  const double sum = a + b;
  const double shadow = sum - a;
  const double error = (a - (sum - shadow)) + (b - shadow);
  const uint64_t bits = hw_double_bits(sum);
  if (!(error < 0 || error > 0) || (bits & 1)) return sum;  // exact, not finite, or odd already
  return hw_bits_double(hw_next(bits, error > 0));
}

// hw_float_sum() rounds a + b. An exact zero sum of opposite signs is -0 when rounding down.
HOSTWARP_DEVICE_FUNCTION float hw_float_sum(double a, double b, int rounding) {
  const double sum = hw_add_to_odd(a, b);
  if (sum == 0 && rounding == HW_ROUND_DOWN) return __builtin_signbit(a) || __builtin_signbit(b) ? -0.0f : 0.0f;
  return hw_round_to_float(sum, rounding);
}

#define HOSTWARP_FLOAT_ROUNDED(suffix, rounding)                                                    \
  HOSTWARP_DEVICE float __fadd_##suffix(float a, float b) { return hw_float_sum(a, b, rounding); }  \
  HOSTWARP_DEVICE float __fsub_##suffix(float a, float b) { return hw_float_sum(a, -b, rounding); } \
  HOSTWARP_DEVICE float __fmul_##suffix(float a, float b) {                                         \
    return hw_round_to_float(static_cast<double>(a) * b, rounding);                                 \
  }                                                                                                 \
  HOSTWARP_DEVICE float __fdiv_##suffix(float a, float b) {                                         \
    return hw_round_to_float(static_cast<double>(a) / b, rounding);                                 \
  }                                                                                                 \
  HOSTWARP_DEVICE float __frcp_##suffix(float a) { return hw_round_to_float(1.0 / a, rounding); }   \
  HOSTWARP_DEVICE float __fsqrt_##suffix(float a) {                                                 \
    return hw_round_to_float(__builtin_sqrt(static_cast<double>(a)), rounding);                     \
  }                                                                                                 \
  HOSTWARP_DEVICE float __fmaf_##suffix(float a, float b, float c) {                                \
    return hw_float_sum(static_cast<double>(a) * b, c, rounding);                                   \
  }                                                                                                 \
  HOSTWARP_DEVICE float __fmaf_ieee_##suffix(float a, float b, float c) { return __fmaf_##suffix(a, b, c); }
HOSTWARP_FLOAT_ROUNDED(rz, HW_ROUND_ZERO)
HOSTWARP_FLOAT_ROUNDED(ru, HW_ROUND_UP)
HOSTWARP_FLOAT_ROUNDED(rd, HW_ROUND_DOWN)
#undef HOSTWARP_FLOAT_ROUNDED

// hw_step() is what a value rounds to that differs from the double nearest to it by an error of this sign.
HOSTWARP_DEVICE_FUNCTION double hw_step(double nearest, double error, int rounding) {
  const bool up = rounding == HW_ROUND_UP || (rounding == HW_ROUND_ZERO && nearest < 0);
  if (up ? error > 0 : error < 0) return hw_bits_double(hw_next(hw_double_bits(nearest), up));
  return nearest;
}

// hw_has_error() tells whether the error of a product, quotient or root is a double: none of it is lost at the lower
// end, and nothing is infinite or NaN.
HOSTWARP_DEVICE_FUNCTION bool hw_has_error(double magnitude) { return magnitude > 1e-280 && magnitude < 1e300; }

HOSTWARP_DEVICE_FUNCTION double hw_double_sum(double a, double b, int rounding) {
  HOSTWARP_NO_CONTRACTION
  const double sum = a + b;
  if (!(__builtin_fabs(sum) < 1e300) || sum == 0) return hw_math_add_rounded(a, b, rounding);
  const double shadow = sum - a;
  return hw_step(sum, (a - (sum - shadow)) + (b - shadow), rounding);
}

HOSTWARP_DEVICE_FUNCTION double hw_double_product(double a, double b, int rounding) {
  HOSTWARP_NO_CONTRACTION
  const double product = a * b;
  if (!hw_has_error(__builtin_fabs(product))) return hw_math_mul_rounded(a, b, rounding);
  return hw_step(product, __builtin_fma(a, b, -product), rounding);
}

HOSTWARP_DEVICE_FUNCTION double hw_double_quotient(double a, double b, int rounding) {
  HOSTWARP_NO_CONTRACTION
  const double quotient = a / b;
  if (!hw_has_error(__builtin_fabs(quotient)) || !hw_has_error(__builtin_fabs(a)))
    return hw_math_div_rounded(a, b, rounding);
  const double rest = __builtin_fma(-quotient, b, a);
  return hw_step(quotient, b < 0 ? -rest : rest, rounding);
}

HOSTWARP_DEVICE_FUNCTION double hw_double_root(double a, int rounding) {
  HOSTWARP_NO_CONTRACTION
  if (!hw_has_error(a)) return hw_math_sqrt_rounded(a, rounding);
  const double root = __builtin_sqrt(a);
  return hw_step(root, __builtin_fma(-root, root, a), rounding);
}

#define HOSTWARP_DOUBLE_ROUNDED(suffix, rounding)                                                           \
  HOSTWARP_DEVICE double __dadd_##suffix(double a, double b) { return hw_double_sum(a, b, rounding); }      \
  HOSTWARP_DEVICE double __dsub_##suffix(double a, double b) { return hw_double_sum(a, -b, rounding); }     \
  HOSTWARP_DEVICE double __dmul_##suffix(double a, double b) { return hw_double_product(a, b, rounding); }  \
  HOSTWARP_DEVICE double __ddiv_##suffix(double a, double b) { return hw_double_quotient(a, b, rounding); } \
  HOSTWARP_DEVICE double __drcp_##suffix(double a) { return hw_double_quotient(1.0, a, rounding); }         \
  HOSTWARP_DEVICE double __dsqrt_##suffix(double a) { return hw_double_root(a, rounding); }                 \
  HOSTWARP_DEVICE double __fma_##suffix(double a, double b, double c) { return hw_math_fma_rounded(a, b, c, rounding); }
HOSTWARP_DOUBLE_ROUNDED(rz, HW_ROUND_ZERO)
HOSTWARP_DOUBLE_ROUNDED(ru, HW_ROUND_UP)
HOSTWARP_DOUBLE_ROUNDED(rd, HW_ROUND_DOWN)
#undef HOSTWARP_DOUBLE_ROUNDED

// --- To nearest: the CPU's own operation ---

#define HOSTWARP_NEAREST(name, type, parameters, expression) \
  HOSTWARP_DEVICE type name parameters {                     \
    HOSTWARP_NO_CONTRACTION                                  \
    type result = expression;                                \
    HOSTWARP_SEPARATE(result);                               \
    return result;                                           \
  }
HOSTWARP_NEAREST(__fadd_rn, float, (float a, float b), a + b)
HOSTWARP_NEAREST(__fsub_rn, float, (float a, float b), a - b)
HOSTWARP_NEAREST(__fmul_rn, float, (float a, float b), a *b)
HOSTWARP_NEAREST(__dadd_rn, double, (double a, double b), a + b)
HOSTWARP_NEAREST(__dsub_rn, double, (double a, double b), a - b)
HOSTWARP_NEAREST(__dmul_rn, double, (double a, double b), a *b)
#undef HOSTWARP_NEAREST

HOSTWARP_DEVICE float __fdiv_rn(float a, float b) { return a / b; }
HOSTWARP_DEVICE float __frcp_rn(float a) { return 1.0f / a; }
HOSTWARP_DEVICE float __fsqrt_rn(float a) { return __builtin_sqrtf(a); }
HOSTWARP_DEVICE float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HOSTWARP_DEVICE float __fmaf_ieee_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HOSTWARP_DEVICE float __frsqrt_rn(float a) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a))); }
HOSTWARP_DEVICE double __ddiv_rn(double a, double b) { return a / b; }
HOSTWARP_DEVICE double __drcp_rn(double a) { return 1.0 / a; }
HOSTWARP_DEVICE double __dsqrt_rn(double a) { return __builtin_sqrt(a); }
HOSTWARP_DEVICE double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }

// --- Two floats at a time ---

#define HOSTWARP_PAIR(suffix)                                                      \
  HOSTWARP_DEVICE float2 __fadd2_##suffix(float2 a, float2 b) {                    \
    return float2{__fadd_##suffix(a.x, b.x), __fadd_##suffix(a.y, b.y)};           \
  }                                                                                \
  HOSTWARP_DEVICE float2 __fmul2_##suffix(float2 a, float2 b) {                    \
    return float2{__fmul_##suffix(a.x, b.x), __fmul_##suffix(a.y, b.y)};           \
  }                                                                                \
  HOSTWARP_DEVICE float2 __ffma2_##suffix(float2 a, float2 b, float2 c) {          \
    return float2{__fmaf_##suffix(a.x, b.x, c.x), __fmaf_##suffix(a.y, b.y, c.y)}; \
  }
HOSTWARP_PAIR(rn)
HOSTWARP_PAIR(rz)
HOSTWARP_PAIR(ru)
HOSTWARP_PAIR(rd)
#undef HOSTWARP_PAIR

#endif  // HOSTWARP_ROUNDING_H
