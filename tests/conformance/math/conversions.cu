// Conversions between floating point and integers: rounding modes, saturation, NaN, and bit casts.
#include "../check.h"

#include <climits>
#include <cmath>

struct Results {
  int rn, rz, ru, rd;
  unsigned urn, urz;
  long long llrn, llrz;
  unsigned long long ullrz;
  int plain;  // static_cast
};

template <class T>
__global__ void convert(Results *out, const T *in, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const T x = in[i];
  if constexpr (sizeof(T) == 4)
    out[i] = {__float2int_rn(x),  __float2int_rz(x), __float2int_ru(x), __float2int_rd(x), __float2uint_rn(x),
              __float2uint_rz(x), __float2ll_rn(x),  __float2ll_rz(x),  __float2ull_rz(x), static_cast<int>(x)};
  else
    out[i] = {__double2int_rn(x),  __double2int_rz(x), __double2int_ru(x), __double2int_rd(x), __double2uint_rn(x),
              __double2uint_rz(x), __double2ll_rn(x),  __double2ll_rz(x),  __double2ull_rz(x), static_cast<int>(x)};
}

static long long clampTo(double v, double low, double high, long long atLow, long long atHigh) {
  return v <= low ? atLow : v >= high ? atHigh : static_cast<long long>(v);
}
static int toInt(double v) { return static_cast<int>(clampTo(v, INT_MIN, INT_MAX, INT_MIN, INT_MAX)); }
static unsigned toUnsigned(double v) { return static_cast<unsigned>(clampTo(v, 0, UINT_MAX, 0, UINT_MAX)); }

template <class T>
static void test() {
  const std::vector<T> in = {0,      T(0.5), T(1.5),  T(2.5),  T(-0.5),  T(-1.5),  T(-2.7),      T(2.7),
                             T(1e9), T(3e9), T(-3e9), T(1e19), T(-1e19), T(4.2e9), T(123456.75), T(-0.0)};
  check::DeviceArray<T> device(in);
  check::DeviceArray<Results> out(in.size());
  convert<<<1, 32>>>(out.get(), device.get(), int(in.size()));
  LAUNCH_OK();
  const std::vector<Results> host = out.download();
  for (size_t i = 0; i < in.size(); ++i) {
    const double x = in[i];
    const Results &r = host[i];
    CHECK_EQ(r.rn, toInt(std::nearbyint(x)));
    CHECK_EQ(r.rz, toInt(std::trunc(x)));
    CHECK_EQ(r.ru, toInt(std::ceil(x)));
    CHECK_EQ(r.rd, toInt(std::floor(x)));
    CHECK_EQ(r.urn, toUnsigned(std::nearbyint(x)));
    CHECK_EQ(r.urz, toUnsigned(std::trunc(x)));
    if (std::fabs(x) < 9e18) CHECK_EQ(r.llrn, std::llrint(x));
    CHECK_EQ(r.llrz, x >= 9.3e18 ? LLONG_MAX : x <= -9.3e18 ? LLONG_MIN : static_cast<long long>(x));
    CHECK_EQ(r.ullrz, x <= 0 ? 0ull : static_cast<unsigned long long>(x));
    CHECK_EQ(r.plain, r.rz);
  }
}

struct Casts {
  int floatBits;
  float back;
  long long doubleBits;
  int hi, lo;
  double joined;
  float narrowRn, narrowRz, fromIntRz, fromIntRu;
  double fromLong;
  int nanToInt;
};
__global__ void casts(Casts *out, float f, double d, float nan) {
  *out = {__float_as_int(f),          __int_as_float(__float_as_int(f)),
          __double_as_longlong(d),    __double2hiint(d),
          __double2loint(d),          __hiloint2double(__double2hiint(d), __double2loint(d)),
          __double2float_rn(d),       __double2float_rz(d),
          __int2float_rz(0x7FFFFFFF), __int2float_ru(0x1000001),
          __ll2double_rn(1ll << 62),  __float2int_rz(nan)};
}

int main() {
  test<float>();
  test<double>();
  check::DeviceArray<Casts> out(1);
  casts<<<1, 1>>>(out.get(), -1.5f, 0.1, NAN);
  LAUNCH_OK();
  const Casts c = out.download()[0];
  CHECK_EQ(c.floatBits, (int)0xBFC00000);
  CHECK_EQ(c.back, -1.5f);
  CHECK_EQ(c.doubleBits, 0x3FB999999999999All);
  CHECK_EQ(c.hi, 0x3FB99999);
  CHECK_EQ(c.lo, (int)0x9999999A);
  CHECK_EQ(c.joined, 0.1);
  CHECK_EQ(c.narrowRn, 0.1f);
  CHECK_EQ(c.narrowRz, 0x1.999998p-4f);
  CHECK_EQ(c.fromIntRz, 2147483520.0f);
  CHECK_EQ(c.fromIntRu, 16777218.0f);
  CHECK_EQ(c.fromLong, 0x1p62);
  CHECK_EQ(c.nanToInt, 0);
  return check::finish();
}
