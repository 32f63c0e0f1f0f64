// The functions of this folder that device code reaches only through overloads of standard names (include/hostwarp/
// c_library.h); the others are declared in include/hostwarp/math_functions.h.
#ifndef HOSTWARP_EMU_RUNTIME_DEVICE_LIB_MATH_LIBRARY_H
#define HOSTWARP_EMU_RUNTIME_DEVICE_LIB_MATH_LIBRARY_H

extern "C" {
#define HOSTWARP_MATH_1(name)               \
  double hw_math_##name(double x) noexcept; \
  float hw_math_##name##f(float x) noexcept;
#define HOSTWARP_MATH_ORDER(name)                  \
  double hw_math_##name(int n, double x) noexcept; \
  float hw_math_##name##f(int n, float x) noexcept;
HOSTWARP_MATH_1(exp10)
HOSTWARP_MATH_1(j0)
HOSTWARP_MATH_1(j1)
HOSTWARP_MATH_1(lgamma)
HOSTWARP_MATH_1(tgamma)
HOSTWARP_MATH_1(y0)
HOSTWARP_MATH_1(y1)
double hw_math_cbrt(double x) noexcept;
double hw_math_cosh(double x) noexcept;
double hw_math_erfc(double x) noexcept;
HOSTWARP_MATH_1(log10)
HOSTWARP_MATH_1(tanh)
HOSTWARP_MATH_ORDER(jn)
HOSTWARP_MATH_ORDER(yn)
#undef HOSTWARP_MATH_1
#undef HOSTWARP_MATH_ORDER
}

#endif  // HOSTWARP_EMU_RUNTIME_DEVICE_LIB_MATH_LIBRARY_H
