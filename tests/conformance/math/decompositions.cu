// Functions with several results or integer ones: frexp, modf, sincos, remquo, ilogb, lround, and contraction to fma.
#include "../check.h"

#include <cmath>

template <class T>
struct Results {
  T fraction, integral, part, sine, cosine, sinePi, cosinePi, rem, scaled, fused, norm;
  int exponent, quotient, logExponent;
  long rounded;
  long long rinted;
};

template <class T>
__global__ void run(Results<T> *out, const T *in, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  Results<T> &r = out[i];
  const T x = in[i];
  r.fraction = frexp(x, &r.exponent);
  r.part = modf(x, &r.integral);
  sincos(x, &r.sine, &r.cosine);
  sincospi(x, &r.sinePi, &r.cosinePi);
  r.rem = remquo(x, T(3), &r.quotient);
  r.scaled = scalbn(x, 5);
  r.logExponent = ilogb(x);
  r.rounded = lround(x);
  r.rinted = llrint(x);
  r.fused = fma(x, x, -x * x);  // the error of the product, not zero
  r.norm = norm3d(x, T(2), T(3));
}
// The float forms of these carry other names.
template <>
__global__ void run(Results<float> *out, const float *in, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  Results<float> &r = out[i];
  const float x = in[i];
  r.fraction = frexpf(x, &r.exponent);
  r.part = modff(x, &r.integral);
  sincosf(x, &r.sine, &r.cosine);
  sincospif(x, &r.sinePi, &r.cosinePi);
  r.rem = remquof(x, 3.0f, &r.quotient);
  r.scaled = scalbnf(x, 5);
  r.logExponent = ilogbf(x);
  r.rounded = lroundf(x);
  r.rinted = llrintf(x);
  const float square = __fmul_rn(x, x);
  r.fused = fmaf(x, x, -square);
  r.norm = norm3df(x, 2.0f, 3.0f);
}

template <class T>
static bool near(T a, double b) {
  return std::fabs(double(a) - b) <= (sizeof(T) == 4 ? 5e-7 : 1e-15) * (1 + std::fabs(b));
}

template <class T>
static void test() {
  const std::vector<T> in = {T(1), T(-2.5), T(0.3), T(100.7), T(-1e-5), T(7.5), T(12345.678)};
  check::DeviceArray<T> device(in);
  check::DeviceArray<Results<T>> out(in.size());
  run<<<1, 32>>>(out.get(), device.get(), int(in.size()));
  LAUNCH_OK();
  const std::vector<Results<T>> host = out.download();
  for (size_t i = 0; i < in.size(); ++i) {
    const T x = in[i];
    const Results<T> &r = host[i];
    int exponent, quotient;
    T integral;
    CHECK_EQ(r.fraction, std::frexp(x, &exponent));
    CHECK_EQ(r.exponent, exponent);
    CHECK_EQ(r.part, std::modf(x, &integral));
    CHECK_EQ(r.integral, integral);
    CHECK(near(r.sine, std::sin(double(x))));
    CHECK(near(r.cosine, std::cos(double(x))));
    const double turns = std::fmod(double(x), 2.0);
    CHECK(near(r.sinePi, std::sin(turns * M_PI)));
    CHECK(near(r.cosinePi, std::cos(turns * M_PI)));
    CHECK_EQ(r.rem, std::remquo(x, T(3), &quotient));
    CHECK_EQ(r.quotient & 7, quotient & 7);
    CHECK_EQ(r.scaled, x * 32);
    CHECK_EQ(r.logExponent, std::ilogb(x));
    CHECK_EQ(r.rounded, std::lround(x));
    CHECK_EQ(r.rinted, std::llrint(x));
    CHECK(near(r.norm, std::sqrt(double(x) * x + 13)));
    if (sizeof(T) == 4) CHECK_EQ(r.fused, T(double(x) * x - double(T(double(x) * x))));
  }
}

// a * b + c in device code may be one rounding by default. Instruction sets without such an operation, and code that
// is not optimised, round twice.
__global__ void contracted(float *out, float a, float b, float c) { *out = a * b + c; }

int main() {
  test<float>();
  test<double>();
  check::DeviceArray<float> out(1);
  const float a = 1.0f + 0x1p-12f;
  contracted<<<1, 1>>>(out.get(), a, a, -(1.0f + 0x1p-11f));
  LAUNCH_OK();
  const float rounded = out.download()[0];
  CHECK(rounded == 0x1p-24f || rounded == 0);
  return check::finish();
}
