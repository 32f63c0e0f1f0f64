// The C library functions that device code may call, as device functions beside the host's own declarations.
//
// This comes before any header of the standard library: <cmath>'s and <cstdlib>'s using-declarations then carry the
// device functions into std as well, and clang treats the constexpr overloads it finds there (std::sin(float)) as
// usable on both sides. Everything else of the C library stays host code, and a kernel that calls it does not compile.
#ifndef HOSTWARP_C_LIBRARY_H
#define HOSTWARP_C_LIBRARY_H

#include "device_abi.h"
#include "device_qualifiers.h"

#if HOSTWARP_CUDA_MODE

#pragma GCC system_header

// Going through clang's builtins lets the optimiser see sqrt and fma as instructions and the rest as functions without
// side effects. C++ linkage keeps device code's `sin` apart from the C library's symbol.
#define HOSTWARP_BUILTIN_1(name)                                                          \
  HOSTWARP_DEVICE double name(double x) HOSTWARP_NOEXCEPT { return __builtin_##name(x); } \
  HOSTWARP_DEVICE float name##f(float x) HOSTWARP_NOEXCEPT { return __builtin_##name##f(x); }
#define HOSTWARP_BUILTIN_2(name)                                                                       \
  HOSTWARP_DEVICE double name(double x, double y) HOSTWARP_NOEXCEPT { return __builtin_##name(x, y); } \
  HOSTWARP_DEVICE float name##f(float x, float y) HOSTWARP_NOEXCEPT { return __builtin_##name##f(x, y); }
// The second operand has the same type for double and float: an exponent, a pointer to one.
#define HOSTWARP_BUILTIN_SCALE(name, type)                                                           \
  HOSTWARP_DEVICE double name(double x, type y) HOSTWARP_NOEXCEPT { return __builtin_##name(x, y); } \
  HOSTWARP_DEVICE float name##f(float x, type y) HOSTWARP_NOEXCEPT { return __builtin_##name##f(x, y); }
#define HOSTWARP_BUILTIN_TO(result, name)                                                 \
  HOSTWARP_DEVICE result name(double x) HOSTWARP_NOEXCEPT { return __builtin_##name(x); } \
  HOSTWARP_DEVICE result name##f(float x) HOSTWARP_NOEXCEPT { return __builtin_##name##f(x); }

HOSTWARP_BUILTIN_1(acos)
HOSTWARP_BUILTIN_1(acosh)
HOSTWARP_BUILTIN_1(asin)
HOSTWARP_BUILTIN_1(asinh)
HOSTWARP_BUILTIN_1(atan)
HOSTWARP_BUILTIN_1(atanh)
HOSTWARP_BUILTIN_1(ceil)
HOSTWARP_BUILTIN_1(cos)
HOSTWARP_BUILTIN_1(erf)
HOSTWARP_BUILTIN_1(exp)
HOSTWARP_BUILTIN_1(exp2)
HOSTWARP_BUILTIN_1(expm1)
HOSTWARP_BUILTIN_1(fabs)
HOSTWARP_BUILTIN_1(floor)
HOSTWARP_BUILTIN_1(log)
HOSTWARP_BUILTIN_1(log1p)
HOSTWARP_BUILTIN_1(log2)
HOSTWARP_BUILTIN_1(logb)
HOSTWARP_BUILTIN_1(nearbyint)
HOSTWARP_BUILTIN_1(rint)
HOSTWARP_BUILTIN_1(round)
HOSTWARP_BUILTIN_1(sin)
HOSTWARP_BUILTIN_1(sinh)
HOSTWARP_BUILTIN_1(sqrt)
HOSTWARP_BUILTIN_1(tan)
HOSTWARP_BUILTIN_1(trunc)
HOSTWARP_BUILTIN_2(atan2)
HOSTWARP_BUILTIN_2(copysign)
HOSTWARP_BUILTIN_2(fdim)
HOSTWARP_BUILTIN_2(fmax)
HOSTWARP_BUILTIN_2(fmin)
HOSTWARP_BUILTIN_2(fmod)
HOSTWARP_BUILTIN_2(hypot)
HOSTWARP_BUILTIN_2(nextafter)
HOSTWARP_BUILTIN_2(pow)
HOSTWARP_BUILTIN_2(remainder)
HOSTWARP_BUILTIN_SCALE(frexp, int *)
HOSTWARP_BUILTIN_SCALE(ldexp, int)
HOSTWARP_BUILTIN_SCALE(scalbln, long)
HOSTWARP_BUILTIN_SCALE(scalbn, int)
HOSTWARP_BUILTIN_TO(int, ilogb)
// Conversions of the device's saturate, those of a CPU do not.
#define HOSTWARP_ROUNDED(result, name, rounding)                                                      \
  HOSTWARP_DEVICE result name(double x) HOSTWARP_NOEXCEPT { return (result)__builtin_##rounding(x); } \
  HOSTWARP_DEVICE result name##f(float x) HOSTWARP_NOEXCEPT { return (result)__builtin_##rounding##f(x); }
HOSTWARP_ROUNDED(long, lrint, rint)
HOSTWARP_ROUNDED(long, lround, round)
HOSTWARP_ROUNDED(long long, llrint, rint)
HOSTWARP_ROUNDED(long long, llround, round)
#undef HOSTWARP_ROUNDED
// The names by which the C library's own macros and libcu++ ask for a number's class.
#define HOSTWARP_CLASS(name, builtin)                                             \
  HOSTWARP_DEVICE int __##name(double x) HOSTWARP_NOEXCEPT { return builtin(x); } \
  HOSTWARP_DEVICE int __##name##f(float x) HOSTWARP_NOEXCEPT { return builtin(x); }
HOSTWARP_CLASS(finite, __builtin_isfinite)
HOSTWARP_CLASS(isinf, __builtin_isinf)
HOSTWARP_CLASS(isnan, __builtin_isnan)
HOSTWARP_CLASS(signbit, 0 != __builtin_signbit)
#undef HOSTWARP_CLASS

HOSTWARP_DEVICE double fma(double x, double y, double z) HOSTWARP_NOEXCEPT { return __builtin_fma(x, y, z); }
HOSTWARP_DEVICE float fmaf(float x, float y, float z) HOSTWARP_NOEXCEPT { return __builtin_fmaf(x, y, z); }
HOSTWARP_DEVICE double modf(double x, double *whole) HOSTWARP_NOEXCEPT { return __builtin_modf(x, whole); }
HOSTWARP_DEVICE float modff(float x, float *whole) HOSTWARP_NOEXCEPT { return __builtin_modff(x, whole); }
HOSTWARP_DEVICE double remquo(double x, double y, int *quotient) HOSTWARP_NOEXCEPT {
  return __builtin_remquo(x, y, quotient);
}
HOSTWARP_DEVICE float remquof(float x, float y, int *quotient) HOSTWARP_NOEXCEPT {
  return __builtin_remquof(x, y, quotient);
}
HOSTWARP_DEVICE double nan(const char *) HOSTWARP_NOEXCEPT { return __builtin_nan(""); }
HOSTWARP_DEVICE float nanf(const char *) HOSTWARP_NOEXCEPT { return __builtin_nanf(""); }

#undef HOSTWARP_BUILTIN_1
#undef HOSTWARP_BUILTIN_2
#undef HOSTWARP_BUILTIN_SCALE
#undef HOSTWARP_BUILTIN_TO

// HOSTWARP_OURS: functions of emu_runtime/device_lib, where the C library's version is less accurate than CUDA
// documents [CUDA math API, accuracy], is not thread-safe, or does not exist everywhere.
#define HOSTWARP_OURS_1(name)                                                           \
  HOSTWARP_DEVICE_C double hw_math_##name(double) HOSTWARP_NOEXCEPT HOSTWARP_PURE;      \
  HOSTWARP_DEVICE_C float hw_math_##name##f(float) HOSTWARP_NOEXCEPT HOSTWARP_PURE;     \
  HOSTWARP_DEVICE double name(double x) HOSTWARP_NOEXCEPT { return hw_math_##name(x); } \
  HOSTWARP_DEVICE float name##f(float x) HOSTWARP_NOEXCEPT { return hw_math_##name##f(x); }
#define HOSTWARP_OURS_DOUBLE(name)                                                      \
  HOSTWARP_DEVICE_C double hw_math_##name(double) HOSTWARP_NOEXCEPT HOSTWARP_PURE;      \
  HOSTWARP_DEVICE double name(double x) HOSTWARP_NOEXCEPT { return hw_math_##name(x); } \
  HOSTWARP_DEVICE float name##f(float x) HOSTWARP_NOEXCEPT { return __builtin_##name##f(x); }
#define HOSTWARP_OURS_ORDER(name)                                                                 \
  HOSTWARP_DEVICE_C double hw_math_##name(int, double) HOSTWARP_NOEXCEPT HOSTWARP_PURE;           \
  HOSTWARP_DEVICE_C float hw_math_##name##f(int, float) HOSTWARP_NOEXCEPT HOSTWARP_PURE;          \
  HOSTWARP_DEVICE double name(int n, double x) HOSTWARP_NOEXCEPT { return hw_math_##name(n, x); } \
  HOSTWARP_DEVICE float name##f(int n, float x) HOSTWARP_NOEXCEPT { return hw_math_##name##f(n, x); }

HOSTWARP_OURS_DOUBLE(cbrt)
HOSTWARP_OURS_DOUBLE(cosh)
HOSTWARP_OURS_DOUBLE(erfc)
HOSTWARP_OURS_1(exp10)
HOSTWARP_OURS_1(j0)
HOSTWARP_OURS_1(j1)
HOSTWARP_OURS_1(lgamma)
HOSTWARP_OURS_1(log10)
HOSTWARP_OURS_1(tanh)
HOSTWARP_OURS_1(tgamma)
HOSTWARP_OURS_1(y0)
HOSTWARP_OURS_1(y1)
HOSTWARP_OURS_ORDER(jn)
HOSTWARP_OURS_ORDER(yn)

#undef HOSTWARP_OURS_1
#undef HOSTWARP_OURS_DOUBLE
#undef HOSTWARP_OURS_ORDER

HOSTWARP_DEVICE void sincos(double x, double *sine, double *cosine) HOSTWARP_NOEXCEPT {
  *sine = __builtin_sin(x);
  *cosine = __builtin_cos(x);
}
HOSTWARP_DEVICE void sincosf(float x, float *sine, float *cosine) HOSTWARP_NOEXCEPT {
  *sine = __builtin_sinf(x);
  *cosine = __builtin_cosf(x);
}

// What device code has of <cstdlib>, <cstring>, <cstdio>, <cassert> and <ctime>. The compiler turns printf, malloc,
// free and __assert_fail into the device ABI's functions.
HOSTWARP_DEVICE_C void *malloc(__SIZE_TYPE__) HOSTWARP_NOEXCEPT;
HOSTWARP_DEVICE_C void free(void *) HOSTWARP_NOEXCEPT;
HOSTWARP_DEVICE_C int printf(const char *, ...);
// With NDEBUG, CCCL declares it for both sides; without, the C library does (assert.h).
HOSTWARP_HOST_DEVICE_C void __assert_fail(const char *, const char *, unsigned, const char *) HOSTWARP_NOEXCEPT
    __attribute__((noreturn));
HOSTWARP_DEVICE void *memcpy(void *to, const void *from, __SIZE_TYPE__ bytes) HOSTWARP_NOEXCEPT {
  return __builtin_memcpy(to, from, bytes);
}
HOSTWARP_DEVICE void *memmove(void *to, const void *from, __SIZE_TYPE__ bytes) HOSTWARP_NOEXCEPT {
  return __builtin_memmove(to, from, bytes);
}
HOSTWARP_DEVICE void *memset(void *to, int value, __SIZE_TYPE__ bytes) HOSTWARP_NOEXCEPT {
  return __builtin_memset(to, value, bytes);
}
HOSTWARP_DEVICE int memcmp(const void *a, const void *b, __SIZE_TYPE__ bytes) HOSTWARP_NOEXCEPT {
  return __builtin_memcmp(a, b, bytes);
}
// clock() counts the cycles of clock64(), not the host's processor time.
HOSTWARP_DEVICE long clock() HOSTWARP_NOEXCEPT { return static_cast<long>(hw_special_register(HW_SREG_CLOCK64)); }
HOSTWARP_DEVICE int abs(int value) HOSTWARP_NOEXCEPT { return __builtin_abs(value); }
HOSTWARP_DEVICE long labs(long value) HOSTWARP_NOEXCEPT { return __builtin_labs(value); }
HOSTWARP_DEVICE long long llabs(long long value) HOSTWARP_NOEXCEPT { return __builtin_llabs(value); }

// libstdc++'s own overloads of these are neither constexpr nor templates, so clang takes them for host functions.
HOSTWARP_DEVICE long abs(long value) { return __builtin_labs(value); }
HOSTWARP_DEVICE long long abs(long long value) { return __builtin_llabs(value); }
HOSTWARP_DEVICE float frexp(float value, int *exponent) { return frexpf(value, exponent); }
HOSTWARP_DEVICE float modf(float value, float *whole) { return modff(value, whole); }
HOSTWARP_DEVICE float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
// And these would go past ours to the C library.
HOSTWARP_DEVICE float lgamma(float x) { return lgammaf(x); }
HOSTWARP_DEVICE float log10(float x) { return log10f(x); }
HOSTWARP_DEVICE float tanh(float x) { return tanhf(x); }
HOSTWARP_DEVICE float tgamma(float x) { return tgammaf(x); }

namespace hostwarp {
// exchange() may name types that only the host can move: a function for both sides that device code does not call swaps
// such objects.
template <class T>
HOSTWARP_HOST_DEVICE void exchange(T &a, T &b) {
  T c(static_cast<T &&>(a));
  a = static_cast<T &&>(b);
  b = static_cast<T &&>(c);
}
}  // namespace hostwarp

namespace std {
// std::swap is constexpr, and with it usable in kernels, from C++20 on only.
template <class T>
HOSTWARP_DEVICE void swap(T &a, T &b) {
  hostwarp::exchange(a, b);
}
using ::abs;
using ::frexp;
using ::lgamma;
using ::log10;
using ::modf;
using ::remquo;
using ::tanh;
using ::tgamma;
}  // namespace std

#endif  // HOSTWARP_CUDA_MODE

#endif  // HOSTWARP_C_LIBRARY_H
