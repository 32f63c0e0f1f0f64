// Each thread calls one function for one number, all threads side by side, ordinary numbers beside special ones: values
// are within the bounds that GPUs keep, some of them wider than documented, and special values are CUDA's, whatever the
// neighbours calculate.
#include "../check.h"

#include <cmath>
#include <limits>
#include <vector>

template <class T, class Function>
__global__ void each(T *out, const T *in, int n, Function function) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = function(in[i]);
}

template <class T>
static long double ulp(long double value) {
  const T magnitude = static_cast<T>(fabsl(value));
  return static_cast<long double>(std::nextafter(magnitude, std::numeric_limits<T>::infinity())) - magnitude;
}

template <class T>
static void expectClose(const char *name, T x, T value, long double exact, double bound) {
  const T rounded = static_cast<T>(exact);
  bool close = false;
  if (std::isnan(rounded))
    close = std::isnan(value);
  else if (std::isinf(rounded) || rounded == 0)
    close = value == rounded && (rounded != 0 || std::signbit(value) == std::signbit(rounded));
  else
    close = fabsl(value - exact) <= (bound + 0.001) * ulp<T>(exact);
  if (!close) printf("%s(%.17g) = %.17g, expected %.20Lg\n", name, double(x), double(value), exact);
  CHECK(close);
}

// Numbers from low to high with every seventh a special one.
template <class T>
static std::vector<T> operands(double low, double high) {
  using Limits = std::numeric_limits<T>;
  const T special[] = {0,       T(-0.0),  Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), 1, -1,
                       T(1e10), T(-1e10), T(1e-30),           Limits::min()};
  std::vector<T> result;
  for (int i = 0; i < 2000; ++i) result.push_back(i % 7 == 3 ? special[i / 7 % 11] : T(low + (high - low) * i / 2000));
  return result;
}

template <class T, class Function, class Exact>
static void test(const char *name, double bound, double low, double high, Function function, Exact exact) {
  const std::vector<T> in = operands<T>(low, high);
  const int n = static_cast<int>(in.size());
  T *numbers, *values;
  CUDA_OK(cudaMalloc(&numbers, n * sizeof(T)));
  CUDA_OK(cudaMalloc(&values, n * sizeof(T)));
  CUDA_OK(cudaMemcpy(numbers, in.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  each<<<(n + 127) / 128, 128>>>(values, numbers, n, function);
  std::vector<T> out(n);
  CUDA_OK(cudaMemcpy(out.data(), values, n * sizeof(T), cudaMemcpyDeviceToHost));
  CUDA_OK(cudaFree(numbers));
  CUDA_OK(cudaFree(values));
  for (int i = 0; i < n; ++i) expectClose(name, in[i], out[i], exact(static_cast<long double>(in[i])), bound);
}

#define FUNCTION(name, type, exactName, bound, low, high)                                                \
  struct name##_of_##type {                                                                              \
    __device__ type operator()(type x) const { return name(x); }                                         \
  };                                                                                                     \
  static void test_##name##_##type() {                                                                   \
    test<type>(#name, bound, low, high, name##_of_##type(), [](long double x) { return exactName(x); }); \
  }
#define POWER(name, type, bound)                                                              \
  struct name##_of_##type {                                                                   \
    __device__ type operator()(type x) const { return name(x, x / 3); }                       \
  };                                                                                          \
  static void test_##name##_##type() {                                                        \
    test<type>(#name, bound, -20, 60, name##_of_##type(),                                     \
               [](long double x) { return powl(x, static_cast<long double>(type(x) / 3)); }); \
  }
#define FUNCTIONS                        \
  F(expf, float, expl, 2, -110, 95)      \
  F(exp2f, float, exp2l, 2, -155, 130)   \
  F(expm1f, float, expm1l, 2, -20, 80)   \
  F(logf, float, logl, 1, 0, 10)         \
  F(log2f, float, log2l, 1, 0, 10)       \
  F(log10f, float, log10l, 3, 0, 10)     \
  F(log1pf, float, log1pl, 1, -1, 10)    \
  F(sinf, float, sinl, 2, -100, 100)     \
  F(cosf, float, cosl, 2, -100, 100)     \
  F(tanf, float, tanl, 4, -100, 100)     \
  F(asinf, float, asinl, 4, -1.1, 1.1)   \
  F(acosf, float, acosl, 3, -1.1, 1.1)   \
  F(atanf, float, atanl, 2, -10, 10)     \
  F(sinhf, float, sinhl, 3, -80, 80)     \
  F(coshf, float, coshl, 2, -80, 80)     \
  F(tanhf, float, tanhl, 2, -10, 10)     \
  F(erff, float, erfl, 2, -4, 4)         \
  F(erfcf, float, erfcl, 6, -4, 8)       \
  F(exp, double, expl, 1, -740, 700)     \
  F(exp2, double, exp2l, 1, -1070, 1020) \
  F(log, double, logl, 1, 0, 10)         \
  F(log2, double, log2l, 2, 0, 10)       \
  F(sin, double, sinl, 2, -100, 100)     \
  F(cos, double, cosl, 2, -100, 100)
#define POWERS      \
  P(powf, float, 9) \
  P(pow, double, 2)

#define F(name, type, exact, bound, low, high) FUNCTION(name, type, exact, bound, low, high)
#define P(name, type, bound) POWER(name, type, bound)
FUNCTIONS
POWERS
#undef F
#undef P

int main() {
#define F(name, type, exact, bound, low, high) test_##name##_##type();
#define P(name, type, bound) test_##name##_##type();
  FUNCTIONS
  POWERS
  return check::finish();
}
