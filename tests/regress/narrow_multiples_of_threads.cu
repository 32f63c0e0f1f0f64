// Symptom: a multiple of threadIdx.x in 32, 16 or 8 bits was not cut where it is used with more bits.
// Cause: LLVM's check for numbers that wrap around takes unsigned ones that begin at 0 for such as never do.
#include <vector>

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

// A thread's own loop has such numbers, too.
__global__ void gather(const int *in, int *out, int n) {
  for (int i = 0; i < n; ++i) {
    const unsigned short at = static_cast<unsigned short>(i * 3);
    out[i] = in[at] + in[at + 2u];
  }
}

void compareGathered() {
  constexpr int n = 50000, inputs = 65536 + 2;
  std::vector<int> in(inputs);
  for (int i = 0; i < inputs; ++i) in[i] = i * 7919;
  check::DeviceArray<int> from(in), out(n);
  gather<<<1, 1>>>(from.get(), out.get(), n);
  LAUNCH_OK();
  const auto found = out.download();
  for (int i = 0; i < n; ++i) {
    const int at = i * 3 % 65536;
    CHECK_EQ(found[i], in[at] + in[at + 2]);
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
  compare<unsigned, 1103515245>();
  compare<int, 1103515245>();
  compareGathered();
  return check::finish();
}
