// The fast single-precision intrinsics: __sinf, __expf, __powf, __fdividef ... [CUDA 5.6 mathematical functions]. Here
// they are as accurate as the functions they approximate, with the special cases that programs can see on a GPU.
#ifndef HOSTWARP_FAST_MATH_H
#define HOSTWARP_FAST_MATH_H

#include "device_qualifiers.h"
#include "math_functions.h"

#define HOSTWARP_FAST(name, function) \
  HOSTWARP_DEVICE float name(float x) { return function(x); }
HOSTWARP_FAST(__sinf, __builtin_sinf)
HOSTWARP_FAST(__cosf, __builtin_cosf)
HOSTWARP_FAST(__tanf, __builtin_tanf)
HOSTWARP_FAST(__tanhf, __builtin_tanhf)
HOSTWARP_FAST(__expf, __builtin_expf)
HOSTWARP_FAST(__logf, __builtin_logf)
HOSTWARP_FAST(__log2f, __builtin_log2f)
HOSTWARP_FAST(__log10f, __builtin_log10f)
#undef HOSTWARP_FAST

HOSTWARP_DEVICE float __exp10f(float x) { return exp10f(x); }

HOSTWARP_DEVICE void __sincosf(float x, float *sine, float *cosine) {
  *sine = __builtin_sinf(x);
  *cosine = __builtin_cosf(x);
}

// As documented, __powf is 2^(y * log2 x): NaN for every negative x, whatever y.
HOSTWARP_DEVICE float __powf(float x, float y) { return __builtin_exp2f(y * __builtin_log2f(x)); }

// As documented, a divisor beyond 2^126 gives 0 (and NaN for an infinite dividend).
HOSTWARP_DEVICE float __fdividef(float x, float y) {
  const float size = __builtin_fabsf(y);
  return size > 0x1p126f && size < __builtin_inff() ? x * 0.0f * __builtin_copysignf(1.0f, y) : x / y;
}

// NaN becomes 0.
HOSTWARP_DEVICE float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

#endif  // HOSTWARP_FAST_MATH_H
