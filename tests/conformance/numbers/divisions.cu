// Quotients and remainders of integers of every width, next to powers of two and anywhere, by divisors that differ
// between threads and by one that all have.
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "../check.h"

template <class T>
__global__ void divide(const T *dividends, const T *divisors, T *quotients, T *remainders, T *byOne, T one, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  quotients[i] = dividends[i] / divisors[i];
  remainders[i] = dividends[i] % divisors[i];
  byOne[i] = divisors[i] > 3 ? dividends[i] / one + divisors[i] % one : T(0);
}

// interesting() are numbers around powers of two, positive and negative.
template <class T>
static std::vector<T> interesting() {
  std::vector<T> numbers;
  for (int bit = 0; bit < std::numeric_limits<T>::digits; bit += bit < 4 ? 1 : 3)
    for (int around = -1; around <= 1; ++around) {
      numbers.push_back(T((T(1) << bit) + around));
      numbers.push_back(T(0 - ((T(1) << bit) + around)));
    }
  numbers.push_back(std::numeric_limits<T>::max());
  numbers.push_back(std::numeric_limits<T>::min());
  return numbers;
}

template <class T>
static bool exists(T dividend, T divisor) {
  const bool isTooLarge = std::is_signed_v<T> && dividend == std::numeric_limits<T>::min() && divisor == T(-1);
  return divisor != 0 && !isTooLarge;
}

template <class T>
static void test() {
  std::vector<T> dividends, divisors;
  const auto add = [&](T dividend, T divisor) {
    if (!exists(dividend, divisor)) return;
    dividends.push_back(dividend);
    divisors.push_back(divisor);
  };
  for (T dividend : interesting<T>())
    for (T divisor : interesting<T>()) add(dividend, divisor);
  std::mt19937_64 random(sizeof(T));
  for (int i = 0; i < 20000; ++i) add(T(random() >> random() % 56), T(random() >> random() % 63));
  // Products and their neighbours: quotients that are whole, or nearly so.
  for (int i = 0; i < 20000; ++i) {
    const T divisor = T(random() >> (64 - 4 * sizeof(T))), quotient = T(random() >> (65 - 4 * sizeof(T)));
    add(T(divisor * quotient + T(i % 3) - T(1)), divisor);
  }
  const int n = int(dividends.size());
  const T one = T(113);
  check::DeviceArray<T> from(dividends), by(divisors), quotients(n), remainders(n), byOne(n);
  divide<<<(n + 127) / 128, 128>>>(from.get(), by.get(), quotients.get(), remainders.get(), byOne.get(), one, n);
  LAUNCH_OK();
  const std::vector<T> quotient = quotients.download(), remainder = remainders.download(), ofOne = byOne.download();
  for (int i = 0; i < n; ++i) {
    CHECK(quotient[i] == T(dividends[i] / divisors[i]));
    CHECK(remainder[i] == T(dividends[i] % divisors[i]));
    CHECK(ofOne[i] == (divisors[i] > 3 ? T(dividends[i] / one + divisors[i] % one) : T(0)));
  }
}

int main() {
  test<int8_t>();
  test<uint8_t>();
  test<int16_t>();
  test<uint16_t>();
  test<int32_t>();
  test<uint32_t>();
  test<int64_t>();
  test<uint64_t>();
  return check::finish();
}
