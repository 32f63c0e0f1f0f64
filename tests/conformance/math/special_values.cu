// CUDA's answers for infinities, NaN, signed zeros and domain errors, in float and double.
#include "../check.h"

#include <cmath>

template <class T>
struct Bits {
  static bool same(T a, T b) { return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b); }
};

enum { maximum = 64 };

template <class T>
__global__ void special(T *out, T zero, T one, T inf, T nan) {
  int i = 0;
  out[i++] = sqrt(-one);
  out[i++] = sqrt(-zero);
  out[i++] = log(zero);
  out[i++] = log(-one);
  out[i++] = log1p(-one);
  out[i++] = exp(-inf);
  out[i++] = exp(inf);
  out[i++] = expm1(-inf);
  out[i++] = pow(zero, zero);
  out[i++] = pow(nan, zero);
  out[i++] = pow(one, nan);
  out[i++] = pow(-one, inf);
  out[i++] = pow(-zero, -one);
  out[i++] = pow(-inf, T(3));
  out[i++] = pow(-T(2), T(0.5));
  out[i++] = atan2(zero, -one);
  out[i++] = atan2(-zero, -one);
  out[i++] = atan2(inf, -inf);
  out[i++] = fmin(nan, one);
  out[i++] = fmax(one, nan);
  out[i++] = fmin(nan, nan);
  out[i++] = fmod(one, zero);
  out[i++] = fmod(-one, inf);
  out[i++] = remainder(T(5), T(2));
  out[i++] = remainder(T(3), T(2));
  out[i++] = hypot(inf, nan);
  out[i++] = sin(inf);
  out[i++] = cos(-inf);
  out[i++] = tan(-zero);
  out[i++] = asin(T(2));
  out[i++] = acosh(T(0.5));
  out[i++] = atanh(one);
  out[i++] = tanh(-inf);
  out[i++] = erf(inf);
  out[i++] = erfc(-inf);
  out[i++] = tgamma(zero);
  out[i++] = tgamma(-one);
  out[i++] = lgamma(-one);
  out[i++] = cbrt(-T(27));
  out[i++] = rsqrt(zero);
  out[i++] = rsqrt(inf);
  out[i++] = copysign(one, -zero);
  out[i++] = nextafter(zero, -one) == zero ? one : zero;
  out[i++] = rint(T(2.5));
  out[i++] = round(T(2.5));
  out[i++] = round(-T(0.4));
  out[i++] = trunc(-T(0.9));
  out[i++] = ceil(-T(0.5));
  out[i++] = floor(-zero);
  out[i++] = fdim(nan, one);
  out[i++] = fdim(one, T(3));
  out[i++] = ldexp(one, -3);
  out[i++] = logb(T(0.1));
  out[i++] = exp2(T(10));
  out[i++] = exp10(T(2));
  out[i++] = fma(inf, zero, one);
  out[i++] = -T(42);
}

// Bessel functions have no negative order.
template <class T>
__global__ void negativeOrders(T *out, T x) {
  out[0] = jn(-1, x);
  out[1] = yn(-2, x);
  out[2] = jn(-3, -x);
}

template <class T>
static void testNegativeOrders() {
  check::DeviceArray<T> out(3, T(0));
  negativeOrders<<<1, 1>>>(out.get(), T(1.5));
  LAUNCH_OK();
  for (const T value : out.download()) CHECK(std::isnan(value));
}

template <class T>
static void test() {
  const T inf = INFINITY, nan = NAN, pi = T(3.14159265358979323846);
  const T expected[] = {nan,     T(-0.0), -inf,    nan,     -inf, 0,   inf,      -1,  1,
                        1,       1,       1,       -inf,    -inf, nan, pi,       -pi, T(2.356194490192344928847),
                        1,       1,       nan,     nan,     -1,   1,   -1,       inf, nan,
                        nan,     T(-0.0), nan,     nan,     inf,  -1,  1,        2,   inf,
                        nan,     inf,     -3,      inf,     0,    -1,  0,        2,   3,
                        T(-0.0), T(-0.0), T(-0.0), T(-0.0), nan,  0,   T(0.125), -4,  1024,
                        100,     nan,     -42};
  check::DeviceArray<T> out(maximum, T(0));
  special<<<1, 1>>>(out.get(), T(0), T(1), inf, nan);
  LAUNCH_OK();
  const std::vector<T> host = out.download();
  for (int i = 0; i < int(sizeof expected / sizeof *expected); ++i)
    if (!Bits<T>::same(host[i], expected[i])) {
      char message[100];
      snprintf(message, sizeof message, "case %d: %.17g, expected %.17g", i, double(host[i]), double(expected[i]));
      check::fail(__FILE__, __LINE__, message);
    }
}

int main() {
  test<float>();
  test<double>();
  testNegativeOrders<float>();
  testNegativeOrders<double>();
  return check::finish();
}
