// Integer division by zero gives all ones, and so does its remainder, and the lowest number by -1 is itself: no error,
// in no type. Where a kernel asks for both the remainder may be made of the quotient, so each has kernels of its own
// here.
#include <climits>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../check.h"

namespace {

template <class T>
struct Division {
  T quotient, remainder;
};

template <class T>
__global__ void divide(const T *dividends, const T *divisors, T *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = static_cast<T>(dividends[i] / divisors[i]);
}

template <class T>
__global__ void remain(const T *dividends, const T *divisors, T *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = static_cast<T>(dividends[i] % divisors[i]);
}

// Few of many threads: the others' quotients are what they are.
template <class T>
__global__ void divideSome(const T *dividends, const T *divisors, T *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (dividends[i] == 77 || divisors[i] == 3) return;
  out[i] = static_cast<T>(dividends[i] / divisors[i]);
}

template <class T>
Division<T> expected(T dividend, T divisor) {
  using Bits = std::make_unsigned_t<T>;
  if (divisor == 0) {
    // Numbers of 64 bits are divided as 32 where both fit.
    const bool isShort = sizeof(T) == 8 && static_cast<uint64_t>(dividend) >> 32 == 0;
    const T ones = static_cast<T>(isShort ? static_cast<Bits>(0xffffffffu) : static_cast<Bits>(~Bits{0}));
    return {ones, ones};
  }
  if (std::is_signed<T>::value && dividend == std::numeric_limits<T>::min() && divisor == static_cast<T>(-1))
    return {dividend, 0};
  return {static_cast<T>(dividend / divisor), static_cast<T>(dividend % divisor)};
}

template <class T>
void type(void (*kernel)(const T *, const T *, T *), T Division<T>::*result, bool some) {
  const T dividends[] = {5, static_cast<T>(-5), 0, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 77,
                         1, static_cast<T>(-1)};
  const T divisors[] = {0, 0, 0, static_cast<T>(-1), 0, 3, 7, static_cast<T>(-2), 0, 11, 0};
  std::vector<T> left, right;
  for (size_t i = 0; i < 96; ++i) {
    left.push_back(dividends[i % 8]);
    right.push_back(divisors[i % 11]);
  }
  const check::DeviceArray<T> x(left), y(right), out(left.size());
  kernel<<<3, 32>>>(x.get(), y.get(), out.get());
  const std::vector<T> found = out.download();
  for (size_t i = 0; i < found.size(); ++i)
    if (!some || (left[i] != 77 && right[i] != 3)) CHECK_EQ(found[i], expected(left[i], right[i]).*result);
}

template <class T>
void each() {
  type<T>(divide<T>, &Division<T>::quotient, false);
  type<T>(remain<T>, &Division<T>::remainder, false);
  type<T>(divideSome<T>, &Division<T>::quotient, true);
}

}  // namespace

int main() {
  each<int>();
  each<unsigned>();
  each<long long>();
  each<unsigned long long>();
  each<short>();
  each<unsigned short>();
  each<signed char>();
  each<unsigned char>();
  return check::finish();
}
