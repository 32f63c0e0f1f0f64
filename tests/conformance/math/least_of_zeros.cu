// The least of two zeros is -0, the greatest +0, whichever comes first; a number is less than no NaN [PTX min, max].
#include <cmath>
#include <limits>

#include "../check.h"

constexpr int values = 8;

template <class T>
__host__ __device__ T valueOf(int i, T zero) {
  const T all[values] = {zero, -zero, 1 + zero, -1 - zero, 1 / zero, -1 / zero, zero / zero, -(zero / zero)};
  return all[i];
}

struct Kinds {
  enum { least, greatest, belowZero, aboveZero, belowNegative, aboveNegative, count };
};

template <class T>
__host__ __device__ void extremes(T *out, T x, T y) {
  out[Kinds::least] = fmin(x, y);
  out[Kinds::greatest] = fmax(x, y);
  out[Kinds::belowZero] = fmin(x, T(0));
  out[Kinds::aboveZero] = fmax(x, T(0));
  out[Kinds::belowNegative] = fmin(-T(0), x);
  out[Kinds::aboveNegative] = fmax(-T(0), x);
}

// All pairs, by threads side by side and by one thread that goes through them.
template <class T>
__global__ void all(T *out, const T *numbers) {
  const int pair = blockIdx.x * blockDim.x + threadIdx.x;
  extremes(out + pair * Kinds::count, numbers[pair / values], numbers[pair % values]);
}

template <class T>
__global__ void oneByOne(T *out, const T *numbers) {
  for (int pair = 0; pair < values * values; ++pair)
    extremes(out + pair * Kinds::count, numbers[pair / values], numbers[pair % values]);
}

template <class T>
T expected(T x, T y, bool isMax) {
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) ? y : x;
  if (x == y) return std::signbit(x) == isMax ? y : x;
  return (x < y) != isMax ? x : y;
}

template <class T>
bool same(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

template <class T>
void compare(const check::DeviceArray<T> &out, const std::vector<T> &numbers) {
  LAUNCH_OK();
  const std::vector<T> found = out.download();
  for (int pair = 0; pair < values * values; ++pair) {
    const T x = numbers[pair / values], y = numbers[pair % values], zero = 0;
    const T *results = &found[pair * Kinds::count];
    CHECK(same(results[Kinds::least], expected(x, y, false)));
    CHECK(same(results[Kinds::greatest], expected(x, y, true)));
    CHECK(same(results[Kinds::belowZero], expected(x, zero, false)));
    CHECK(same(results[Kinds::aboveZero], expected(x, zero, true)));
    CHECK(same(results[Kinds::belowNegative], expected(x, -zero, false)));
    CHECK(same(results[Kinds::aboveNegative], expected(x, -zero, true)));
  }
}

template <class T>
void run() {
  std::vector<T> numbers;
  for (int i = 0; i < values; ++i) numbers.push_back(valueOf<T>(i, 0));
  check::DeviceArray<T> device(numbers), out(values * values * Kinds::count);
  all<<<2, values * values / 2>>>(out.get(), device.get());
  compare(out, numbers);
  oneByOne<<<1, 1>>>(out.get(), device.get());
  compare(out, numbers);
}

int main() {
  run<float>();
  run<double>();
  return check::finish();
}
