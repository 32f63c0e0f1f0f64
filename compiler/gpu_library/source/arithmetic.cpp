// Rounded arithmetic, conversions and norms.
#include "compiler/gpu_library/source/interface.h"

enum Rounding { Nearest, Zero, Up, Down };  // hw_rounding

#define BY_DIRECTION(call, ...)        \
  switch (rounding) {                  \
    case Zero:                         \
      return call##_rz_d(__VA_ARGS__); \
    case Up:                           \
      return call##_rp_d(__VA_ARGS__); \
    case Down:                         \
      return call##_rm_d(__VA_ARGS__); \
    default:                           \
      return call##_rn_d(__VA_ARGS__); \
  }

#define INLINED GPU_FUNCTION __attribute__((always_inline))

INLINED double hw_math_add_rounded(double a, double b, int rounding) noexcept {BY_DIRECTION(__nvvm_add, a, b)} INLINED
    double hw_math_mul_rounded(double a, double b, int rounding) noexcept {BY_DIRECTION(__nvvm_mul, a, b)} INLINED
    double hw_math_div_rounded(double a, double b, int rounding) noexcept {BY_DIRECTION(__nvvm_div, a, b)} INLINED
    double hw_math_sqrt_rounded(double a, int rounding) noexcept {BY_DIRECTION(__nvvm_sqrt, a)} INLINED
    double hw_math_fma_rounded(double a, double b, double c, int rounding) noexcept {BY_DIRECTION(__nvvm_fma, a, b, c)}

INLINED int hw_int_of(float value) noexcept {
  return __nvvm_f2i_rz(value);
}

// --- Norms: scaled by a power of two, so that neither large nor small numbers are lost ---

template <class T>
struct Scale {
  T factor, back;
};

GPU_INLINE Scale<double> scaleFor(double largest) {
  if (largest > 0x1p500) return {0x1p-600, 0x1p600};
  return largest < 0x1p-500 ? Scale<double>{0x1p600, 0x1p-600} : Scale<double>{1, 1};
}

// The squares of floats are doubles.
GPU_INLINE Scale<double> scaleFor(float) { return {1, 1}; }

template <class T>
GPU_INLINE double normOf(int count, const T *values, bool isReciprocal) {
  T largest = 0;
  bool isInfinite = false;
  for (int i = 0; i < count; ++i) {
    const T size = __builtin_fabs(values[i]);
    isInfinite |= size == static_cast<T>(__builtin_inf());
    if (size > largest) largest = size;
  }
  if (isInfinite) return isReciprocal ? 0 : __builtin_inf();
  const Scale<double> scale = scaleFor(largest);
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    const double value = values[i] * scale.factor;
    sum = __builtin_fma(value, value, sum);
  }
  const double root = __nvvm_sqrt_rn_d(sum);
  return isReciprocal ? scale.factor / root : root * scale.back;
}

GPU_FUNCTION double hw_math_norm(int count, const double *values) noexcept { return normOf(count, values, false); }
GPU_FUNCTION double hw_math_rnorm(int count, const double *values) noexcept { return normOf(count, values, true); }
GPU_FUNCTION float hw_math_normf(int count, const float *values) noexcept {
  return static_cast<float>(normOf(count, values, false));
}
GPU_FUNCTION float hw_math_rnormf(int count, const float *values) noexcept {
  return static_cast<float>(normOf(count, values, true));
}
