// Directed rounding, fused multiply-add, and the fast intrinsics within their documented error.
#include "../check.h"

#include <cfenv>
#include <cmath>

struct Directed {
  float add[4], mul[4], div[4], sqrt[4], fma[4];
  double addD[4], mulD[4], divD[4], sqrtD[4], fmaD[4];
};

__global__ void directed(Directed *out, float a, float b, float c, double x, double y, double z) {
  Directed &d = *out;
#define ROUND(i, m)               \
  d.add[i] = __fadd_##m(a, b);    \
  d.mul[i] = __fmul_##m(a, b);    \
  d.div[i] = __fdiv_##m(a, b);    \
  d.sqrt[i] = __fsqrt_##m(a);     \
  d.fma[i] = __fmaf_##m(a, b, c); \
  d.addD[i] = __dadd_##m(x, y);   \
  d.mulD[i] = __dmul_##m(x, y);   \
  d.divD[i] = __ddiv_##m(x, y);   \
  d.sqrtD[i] = __dsqrt_##m(x);    \
  d.fmaD[i] = __fma_##m(x, y, z)
  ROUND(0, rn);
  ROUND(1, rz);
  ROUND(2, ru);
  ROUND(3, rd);
}

template <class T>
static void expect(const T (&results)[4], long double exact) {
  const T nearest = static_cast<T>(exact);
  const T below = nearest <= exact ? nearest : std::nextafter(nearest, T(-INFINITY));
  const T above = nearest >= exact ? nearest : std::nextafter(nearest, T(INFINITY));
  CHECK_EQ(results[0], nearest);
  CHECK_EQ(results[1], exact > 0 ? below : above);
  CHECK_EQ(results[2], above);
  CHECK_EQ(results[3], below);
}

__global__ void fast(float *out, float x, float y) {
  out[0] = __sinf(x);
  out[1] = __cosf(x);
  out[2] = __expf(x);
  out[3] = __logf(y);
  out[4] = __powf(y, x);
  out[5] = __fdividef(x, y);
  out[6] = __exp10f(x);
  out[7] = __log2f(y);
  out[8] = __saturatef(y);
  out[9] = __frcp_rn(y);
  out[10] = __frsqrt_rn(y);
  out[11] = __tanf(x);
  float s, c;
  __sincosf(x, &s, &c);
  out[12] = s;
  out[13] = c;
}

int main() {
  check::DeviceArray<Directed> out(1);
  // 80-bit arithmetic holds these results of float and, rounded, tells the side of the double ones.
  const float a = 1.1f, b = -3.7e-5f, c = 2.3e-6f;
  const double x = 1.1, y = -3.7e-5, z = 2.3e-6;
  directed<<<1, 1>>>(out.get(), a, b, c, x, y, z);
  LAUNCH_OK();
  const Directed d = out.download()[0];
  expect(d.add, (long double)a + b);
  expect(d.mul, (long double)a * b);
  expect(d.div, (long double)a / b);
  expect(d.sqrt, sqrtl(a));
  expect(d.fma, (long double)a * b + c);
  expect(d.addD, (long double)x + y);
  expect(d.mulD, (long double)x * y);
  expect(d.divD, (long double)x / y);
  expect(d.sqrtD, sqrtl(x));
  CHECK_EQ(d.fmaD[0], std::fma(x, y, z));

  check::DeviceArray<float> results(14);
  const float u = 0.7f, v = 5.3f;
  fast<<<1, 1>>>(results.get(), u, v);
  LAUNCH_OK();
  const std::vector<float> r = results.download();
  const double right[] = {sin(u),  cos(u), exp(u), log(v),      pow(v, u), u / v,  pow(10, u),
                          log2(v), 1,      1 / v,  1 / sqrt(v), tan(u),    sin(u), cos(u)};
  for (int i = 0; i < 14; ++i) CHECK(std::fabs(r[i] - right[i]) <= 4e-6 * std::fabs(right[i]));
  return check::finish();
}
