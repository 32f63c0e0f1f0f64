// Function values lie within CUDA's documented error bounds, measured against the host's double (or long double) ones.
#include "../check.h"

#include <cmath>

// Result i of a sweep: function number i % functions.
enum Function {
  Exp,
  Exp2,
  Log,
  Log10,
  Log1p,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Tanh,
  Cbrt,
  Sqrt,
  Rsqrt,
  Erf,
  Erfc,
  Tgamma,
  functions
};

template <class T>
__device__ T device(int f, T x) {
  switch (f) {
    case Exp:
      return exp(x);
    case Exp2:
      return exp2(x);
    case Log:
      return log(fabs(x));
    case Log10:
      return log10(fabs(x));
    case Log1p:
      return log1p(fabs(x));
    case Sin:
      return sin(x);
    case Cos:
      return cos(x);
    case Tan:
      return tan(x);
    case Asin:
      return asin(x / 32);
    case Acos:
      return acos(x / 32);
    case Atan:
      return atan(x);
    case Sinh:
      return sinh(x);
    case Cosh:
      return cosh(x);
    case Tanh:
      return tanh(x);
    case Cbrt:
      return cbrt(x);
    case Sqrt:
      return sqrt(fabs(x));
    case Rsqrt:
      return rsqrt(fabs(x));
    case Erf:
      return erf(x);
    case Erfc:
      return erfc(x / 8);
    default:
      return tgamma(fabs(x) / 2 + T(0.1));
  }
}

template <class T>
static long double exact(int f, T x) {
  const long double v = x;
  switch (f) {
    case Exp:
      return expl(v);
    case Exp2:
      return exp2l(v);
    case Log:
      return logl(fabsl(v));
    case Log10:
      return log10l(fabsl(v));
    case Log1p:
      return log1pl(fabsl(v));
    case Sin:
      return sinl(v);
    case Cos:
      return cosl(v);
    case Tan:
      return tanl(v);
    case Asin:
      return asinl(x / 32);
    case Acos:
      return acosl(x / 32);
    case Atan:
      return atanl(v);
    case Sinh:
      return sinhl(v);
    case Cosh:
      return coshl(v);
    case Tanh:
      return tanhl(v);
    case Cbrt:
      return cbrtl(v);
    case Sqrt:
      return sqrtl(fabsl(v));
    case Rsqrt:
      return 1 / sqrtl(fabsl(v));
    case Erf:
      return erfl(v);
    case Erfc:
      return erfcl(x / 8);
    default:
      return tgammal(fabs(x) / 2 + T(0.1));
  }
}

// Units in the last place, from the tables of the CUDA programming guide (the larger of the releases' values).
static const double floatBound[functions] = {2, 2, 1, 2, 1, 2, 2, 4, 4, 3, 2, 3, 2, 2, 1, 0.5, 2, 2, 6, 5};
static const double doubleBound[functions] = {1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 0.5, 1, 2, 5, 10};

template <class T>
__global__ void sweep(T *out, const T *in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * functions; i += gridDim.x * blockDim.x)
    out[i] = device(i % functions, in[i / functions]);
}

template <class T>
static long double ulp(long double value) {
  const T magnitude = static_cast<T>(fabsl(value));
  return static_cast<long double>(std::nextafter(magnitude, T(INFINITY))) - magnitude;
}

template <class T>
static void test(const double *bounds) {
  const int n = 2000;
  std::vector<T> in(n);
  for (int i = 0; i < n; ++i) in[i] = T(-31.7) + T(63.31) * i / n;
  check::DeviceArray<T> device(in), out(n * functions);
  sweep<<<8, 128>>>(out.get(), device.get(), n);
  LAUNCH_OK();
  const std::vector<T> host = out.download();
  for (int i = 0; i < n * functions; ++i) {
    const int f = i % functions;
    const long double right = exact(f, in[i / functions]);
    const long double error = fabsl(host[i] - right) / ulp<T>(right);
    if (error > bounds[f] + 0.51L || std::isnan(host[i])) {  // the bound is for the rounded exact value
      char message[120];
      snprintf(message, sizeof message, "function %d at %.17g: %.17g is %.2Lf ulp off", f, double(in[i / functions]),
               double(host[i]), error);
      check::fail(__FILE__, __LINE__, message);
    }
  }
}

int main() {
  test<float>(floatBound);
  test<double>(doubleBound);
  return check::finish();
}
