// Arithmetic with directed rounding: the hardware's own, in the mode asked for.
#include "compiler/ptx/library/interface.h"

#pragma STDC FENV_ACCESS ON

// `mode` is C's FLT_ROUNDS: 0 to zero, 2 up, 3 down.
#define DIRECTED(name, type, parameters, expression) \
  HWPTX_APART type hwptx_##name parameters {         \
    int before = __builtin_flt_rounds();             \
    __builtin_set_flt_rounds(mode);                  \
    type result = expression;                        \
    __builtin_set_flt_rounds(before);                \
    return result;                                   \
  }
DIRECTED(add_f32, float, (float a, float b, int mode), a + b)
DIRECTED(add_f64, double, (double a, double b, int mode), a + b)
DIRECTED(sub_f32, float, (float a, float b, int mode), a - b)
DIRECTED(sub_f64, double, (double a, double b, int mode), a - b)
DIRECTED(mul_f32, float, (float a, float b, int mode), a *b)
DIRECTED(mul_f64, double, (double a, double b, int mode), a *b)
DIRECTED(div_f32, float, (float a, float b, int mode), a / b)
DIRECTED(div_f64, double, (double a, double b, int mode), a / b)
DIRECTED(sqrt_f32, float, (float a, int mode), __builtin_sqrtf(a))
DIRECTED(sqrt_f64, double, (double a, int mode), __builtin_sqrt(a))
DIRECTED(rcp_f32, float, (float a, int mode), 1 / a)
DIRECTED(rcp_f64, double, (double a, int mode), 1 / a)
DIRECTED(fma_f32, float, (float a, float b, float c, int mode), __builtin_fmaf(a, b, c))
DIRECTED(fma_f64, double, (double a, double b, double c, int mode), __builtin_fma(a, b, c))
DIRECTED(narrow_f64, float, (double a, int mode), static_cast<float>(a))
DIRECTED(from_s64_f32, float, (s64 a, int mode), static_cast<float>(a))
DIRECTED(from_u64_f32, float, (u64 a, int mode), static_cast<float>(a))
DIRECTED(from_s64_f64, double, (s64 a, int mode), static_cast<double>(a))
DIRECTED(from_u64_f64, double, (u64 a, int mode), static_cast<double>(a))
