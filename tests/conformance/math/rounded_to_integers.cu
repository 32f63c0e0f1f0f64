// lrint, lround and their like: the nearest integers, and the nearest that there are for what lies beyond.
#include "../check.h"

#include <cmath>
#include <limits>

struct Results {
  long long rounded[4];  // lround, llround, lroundf, llroundf
  long long toEven[4];   // lrint, llrint, lrintf, llrintf
};

__global__ void convert(const double *values, Results *out, int count) {
  const int i = threadIdx.x;
  if (i >= count) return;
  const double d = values[i];
  const float f = static_cast<float>(d);
  out[i] = {{lround(d), llround(d), lroundf(f), llroundf(f)}, {lrint(d), llrint(d), lrintf(f), llrintf(f)}};
}

// casts() converts NaN as C++ casts: 0, or the top bit where double or 64-bit integers are involved.
__global__ void casts(double d, float f, long long *out) {
  out[0] = static_cast<int>(d);
  out[1] = static_cast<unsigned>(d);
  out[2] = static_cast<long long>(d);
  out[3] = static_cast<long long>(static_cast<unsigned long long>(d));
  out[4] = static_cast<int>(f);
  out[5] = static_cast<unsigned>(f);
  out[6] = static_cast<long long>(f);
  out[7] = static_cast<short>(f);
}

static void testCasts() {
  constexpr long long least = std::numeric_limits<long long>::min();
  check::DeviceArray<long long> out(8);
  casts<<<1, 1>>>(NAN, NAN, out.get());
  LAUNCH_OK();
  const long long expected[] = {-2147483648LL, 2147483648LL, least, least, 0, 0, least, 0};
  const std::vector<long long> got = out.download();
  for (int i = 0; i < 8; ++i) CHECK_EQ(got[i], expected[i]);
}

int main() {
  testCasts();
  constexpr long long most = std::numeric_limits<long long>::max(), least = std::numeric_limits<long long>::min();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> values{0.0, 0.5, 1.5, 2.5, -0.5, -2.5, 1e10, 1e19, -1e19, 3e38, infinity, -infinity, NAN};
  const long long rounded[] = {0, 1, 2, 3, -1, -3, 10000000000, most, least, most, most, least, least};
  const long long toEven[] = {0, 0, 2, 2, 0, -2, 10000000000, most, least, most, most, least, least};
  const int count = static_cast<int>(values.size());
  check::DeviceArray<double> in(values);
  check::DeviceArray<Results> out(std::vector<Results>(values.size()));
  convert<<<1, 32>>>(in.get(), out.get(), count);
  LAUNCH_OK();
  const std::vector<Results> got = out.download();
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 4; ++k) {
      CHECK_EQ(got[i].rounded[k], rounded[i]);
      CHECK_EQ(got[i].toEven[k], toEven[i]);
    }
  }
  return check::finish();
}
