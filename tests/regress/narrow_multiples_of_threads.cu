// Symptom: a multiple of threadIdx.x in 16 or 8 bits was not cut where it is used with more bits.
// Cause: LLVM's check for numbers that wrap around takes unsigned ones that begin at 0 for such as never do.
#include "../conformance/check.h"

constexpr unsigned threads = 128;

template <class T, unsigned factor>
__global__ void cut(long long *wide, unsigned *sums) {
  const T number = static_cast<T>(threadIdx.x * factor);
  wide[threadIdx.x] = static_cast<long long>(number) + number % 50;
  sums[threadIdx.x] = number * 3u + threadIdx.x;
}

template <class T, unsigned factor>
void compare() {
  check::DeviceArray<long long> wide(threads);
  check::DeviceArray<unsigned> sums(threads);
  cut<T, factor><<<1, threads>>>(wide.get(), sums.get());
  LAUNCH_OK();
  const auto wides = wide.download();
  const auto all = sums.download();
  for (unsigned i = 0; i < threads; ++i) {
    const T number = static_cast<T>(i * factor);
    CHECK_EQ(wides[i], static_cast<long long>(number) + number % 50);
    CHECK_EQ(all[i], number * 3u + i);
  }
}

int main() {
  compare<unsigned short, 1000>();
  compare<unsigned short, 513>();
  compare<short, 1000>();
  compare<unsigned char, 3>();
  compare<unsigned char, 1>();
  compare<signed char, 5>();
  compare<unsigned, 40000000>();
  return check::finish();
}
