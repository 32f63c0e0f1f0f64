// Integer division by zero gives all ones, quotient and remainder, and the lowest number by -1 itself: no error, in no
// type.
#include <climits>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../check.h"

namespace {

template <class T>
struct Quotient {
  T quotient, remainder;
};

template <class T>
__global__ void divide(const T *dividends, const T *divisors, Quotient<T> *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i].quotient = static_cast<T>(dividends[i] / divisors[i]);
  out[i].remainder = static_cast<T>(dividends[i] % divisors[i]);
}

// Few of many threads: the others' quotients are what they are.
template <class T>
__global__ void divideSome(const T *dividends, const T *divisors, Quotient<T> *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (dividends[i] == 77 || divisors[i] == 3) return;
  out[i] = {static_cast<T>(dividends[i] / divisors[i]), static_cast<T>(dividends[i] % divisors[i])};
}

template <class T>
Quotient<T> expected(T dividend, T divisor) {
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
void type(void (*kernel)(const T *, const T *, Quotient<T> *), bool some) {
  constexpr size_t threads = 96;
  const T dividends[] = {5, static_cast<T>(-5), 0, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 77,
                         1, static_cast<T>(-1)};
  const T divisors[] = {0, 0, 0, static_cast<T>(-1), 0, 3, 7, static_cast<T>(-2), 0, 11, 0};
  check::DeviceArray<T> left(threads), right(threads);
  check::DeviceArray<Quotient<T>> out(threads);
  T l[threads], r[threads];
  for (size_t i = 0; i < threads; ++i) {
    l[i] = dividends[i % 8];
    r[i] = divisors[i % 11];
  }
  CUDA_OK(cudaMemcpy(left.get(), l, sizeof l, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(right.get(), r, sizeof r, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemset(out.get(), 1, threads * sizeof(Quotient<T>)));
  kernel<<<3, threads / 3>>>(left.get(), right.get(), out.get());
  CUDA_OK(cudaDeviceSynchronize());
  const std::vector<Quotient<T>> found = out.download();
  for (size_t i = 0; i < threads; ++i) {
    if (some && (l[i] == 77 || r[i] == 3)) continue;
    const Quotient<T> wanted = expected(l[i], r[i]);
    CHECK_EQ(found[i].quotient, wanted.quotient);
    CHECK_EQ(found[i].remainder, wanted.remainder);
  }
}

template <class T>
void each() {
  type<T>(divide<T>, false);
  type<T>(divideSome<T>, true);
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
