// The part of the CUDA math API that the C library lacks, the float overloads of C++, and min/max for every mix of
// types [CUDA math API]. Callable from host code too, as with nvcc.
#ifndef HOSTWARP_MATH_FUNCTIONS_H
#define HOSTWARP_MATH_FUNCTIONS_H

#include <math.h>

#include "device_qualifiers.h"

// C23 gave the C library some of these names: glibc 2.41 has cospi and sinpi, 2.42 has rsqrt. Host code then calls the
// C library's.
#define HOSTWARP_BESIDE_2_41 HOSTWARP_HOST_DEVICE
#define HOSTWARP_BESIDE_2_42 HOSTWARP_HOST_DEVICE
#if HOSTWARP_CUDA_MODE && defined(__GLIBC_PREREQ) && defined(__GLIBC_USE)
#if __GLIBC_PREREQ(2, 41) && __GLIBC_USE(IEC_60559_FUNCS_EXT_C23)
#undef HOSTWARP_BESIDE_2_41
#define HOSTWARP_BESIDE_2_41 HOSTWARP_DEVICE
#endif
#if __GLIBC_PREREQ(2, 42) && __GLIBC_USE(IEC_60559_FUNCS_EXT_C23)
#undef HOSTWARP_BESIDE_2_42
#define HOSTWARP_BESIDE_2_42 HOSTWARP_DEVICE
#endif
#endif

// --- Implemented in emu_runtime/device_lib ---

#define HOSTWARP_LIBRARY_FOR(sides, name)                                                       \
  HOSTWARP_HOST_DEVICE_C double hw_math_##name(double) HOSTWARP_NOEXCEPT HOSTWARP_PURE;         \
  HOSTWARP_HOST_DEVICE_C float hw_math_##name##f(float) HOSTWARP_NOEXCEPT HOSTWARP_PURE;        \
  HOSTWARP_OWN_NAME sides double name(double x) HOSTWARP_NOEXCEPT { return hw_math_##name(x); } \
  HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE float name(float x) { return hw_math_##name##f(x); }   \
  HOSTWARP_OWN_NAME sides float name##f(float x) HOSTWARP_NOEXCEPT { return hw_math_##name##f(x); }
#define HOSTWARP_LIBRARY_1(name) HOSTWARP_LIBRARY_FOR(HOSTWARP_HOST_DEVICE, name)
HOSTWARP_LIBRARY_FOR(HOSTWARP_BESIDE_2_41, cospi)
HOSTWARP_LIBRARY_FOR(HOSTWARP_BESIDE_2_41, sinpi)
HOSTWARP_LIBRARY_1(cyl_bessel_i0)
HOSTWARP_LIBRARY_1(cyl_bessel_i1)
HOSTWARP_LIBRARY_1(erfcinv)
HOSTWARP_LIBRARY_1(erfcx)
HOSTWARP_LIBRARY_1(erfinv)
HOSTWARP_LIBRARY_1(normcdf)
HOSTWARP_LIBRARY_1(normcdfinv)
HOSTWARP_LIBRARY_1(rcbrt)
#undef HOSTWARP_LIBRARY_1
#undef HOSTWARP_LIBRARY_FOR

// Norms neither overflow nor underflow on the way to a result that fits.
HOSTWARP_HOST_DEVICE_C double hw_math_norm(int, const double *) HOSTWARP_NOEXCEPT __attribute__((pure));
HOSTWARP_HOST_DEVICE_C float hw_math_normf(int, const float *) HOSTWARP_NOEXCEPT __attribute__((pure));
HOSTWARP_HOST_DEVICE_C double hw_math_rnorm(int, const double *) HOSTWARP_NOEXCEPT __attribute__((pure));
HOSTWARP_HOST_DEVICE_C float hw_math_rnormf(int, const float *) HOSTWARP_NOEXCEPT __attribute__((pure));

// --- rsqrt, sincos, sincospi ---

HOSTWARP_OWN_NAME HOSTWARP_BESIDE_2_42 float rsqrtf(float x) HOSTWARP_NOEXCEPT { return 1.0f / __builtin_sqrtf(x); }
HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
// One Newton step, with the product x*y taken in two parts, brings 1/sqrt(x) within an ulp; it has no meaning for
// 0 and infinity, where the error is NaN.
HOSTWARP_OWN_NAME HOSTWARP_BESIDE_2_42 double rsqrt(double x) HOSTWARP_NOEXCEPT {
  const double y = 1.0 / __builtin_sqrt(x);
  const double high = x * y;
  const double low = __builtin_fma(x, y, -high);
  const double error = __builtin_fma(-high, y, 1.0) - low * y;
  return error == error ? __builtin_fma(0.5 * error, y, y) : y;
}

#undef HOSTWARP_BESIDE_2_41
#undef HOSTWARP_BESIDE_2_42

HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE void sincos(float x, float *sine, float *cosine) {
  *sine = __builtin_sinf(x);
  *cosine = __builtin_cosf(x);
}

#define HOSTWARP_SINCOSPI(name, type, suffix)                                          \
  HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE void name(type x, type *sine, type *cosine) { \
    *sine = hw_math_sinpi##suffix(x);                                                  \
    *cosine = hw_math_cospi##suffix(x);                                                \
  }
HOSTWARP_SINCOSPI(sincospi, double, )
HOSTWARP_SINCOSPI(sincospi, float, f)
HOSTWARP_SINCOSPI(sincospif, float, f)
#undef HOSTWARP_SINCOSPI

// --- Norms ---

#define HOSTWARP_NORM(name, type, suffix)                                                        \
  HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE type name##3d##suffix(type a, type b, type c) {         \
    const type v[3] = {a, b, c};                                                                 \
    return hw_math_##name##suffix(3, v);                                                         \
  }                                                                                              \
  HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE type name##4d##suffix(type a, type b, type c, type d) { \
    const type v[4] = {a, b, c, d};                                                              \
    return hw_math_##name##suffix(4, v);                                                         \
  }                                                                                              \
  HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE type name##suffix(int dimension, const type *v) {       \
    return hw_math_##name##suffix(dimension, v);                                                 \
  }
HOSTWARP_NORM(norm, double, )
HOSTWARP_NORM(norm, float, f)
HOSTWARP_NORM(rnorm, double, )
HOSTWARP_NORM(rnorm, float, f)
#undef HOSTWARP_NORM

HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE double rhypot(double a, double b) {
  const double v[2] = {a, b};
  return hw_math_rnorm(2, v);
}
HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE float rhypotf(float a, float b) {
  const float v[2] = {a, b};
  return hw_math_rnormf(2, v);
}

// --- float overloads of functions that C++ has for double only ---

#define HOSTWARP_FLOAT_OVERLOAD(name) \
  HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE float name(float x) { return name##f(x); }
HOSTWARP_FLOAT_OVERLOAD(exp10)
HOSTWARP_FLOAT_OVERLOAD(j0)
HOSTWARP_FLOAT_OVERLOAD(j1)
HOSTWARP_FLOAT_OVERLOAD(y0)
HOSTWARP_FLOAT_OVERLOAD(y1)
#undef HOSTWARP_FLOAT_OVERLOAD
HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE float jn(int n, float x) { return jnf(n, x); }
HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE float yn(int n, float x) { return ynf(n, x); }

HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE float fdividef(float a, float b) { return a / b; }
HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE double fdivide(double a, double b) { return a / b; }

// --- min and max ---

#define HOSTWARP_MIN_MAX(result, first, second)                                                               \
  HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE result min(first a, second b) {                                      \
    return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(a) : static_cast<result>(b); \
  }                                                                                                           \
  HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE result max(first a, second b) {                                      \
    return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(b) : static_cast<result>(a); \
  }
#define HOSTWARP_MIN_MAX_INTEGER(type)                          \
  HOSTWARP_MIN_MAX(type, type, type)                            \
  HOSTWARP_MIN_MAX(unsigned type, unsigned type, unsigned type) \
  HOSTWARP_MIN_MAX(unsigned type, type, unsigned type)          \
  HOSTWARP_MIN_MAX(unsigned type, unsigned type, type)
HOSTWARP_MIN_MAX_INTEGER(int)
HOSTWARP_MIN_MAX_INTEGER(long)
HOSTWARP_MIN_MAX_INTEGER(long long)
#undef HOSTWARP_MIN_MAX_INTEGER
#undef HOSTWARP_MIN_MAX

// Of a number and a NaN the result is the number.
#define HOSTWARP_MIN_MAX(result, first, second, suffix)                                                         \
  HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE result min(first a, second b) { return __builtin_fmin##suffix(a, b); } \
  HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE result max(first a, second b) { return __builtin_fmax##suffix(a, b); }
HOSTWARP_MIN_MAX(float, float, float, f)
HOSTWARP_MIN_MAX(double, double, double, )
HOSTWARP_MIN_MAX(double, float, double, )
HOSTWARP_MIN_MAX(double, double, float, )
#undef HOSTWARP_MIN_MAX

#define HOSTWARP_NAMED_MIN_MAX(prefix, type)                                                        \
  HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE type prefix##min(type a, type b) { return a < b ? a : b; } \
  HOSTWARP_OWN_NAME HOSTWARP_HOST_DEVICE type prefix##max(type a, type b) { return a < b ? b : a; }
HOSTWARP_NAMED_MIN_MAX(u, unsigned)
HOSTWARP_NAMED_MIN_MAX(ll, long long)
HOSTWARP_NAMED_MIN_MAX(ull, unsigned long long)
#undef HOSTWARP_NAMED_MIN_MAX

#endif  // HOSTWARP_MATH_FUNCTIONS_H
