// half and bfloat16 to integers and from them, in every rounding: saturation, NaN, ties.
#include <algorithm>
#include <type_traits>

#include "sixteen_bits.h"

template <class T, class Integer>
__global__ void toIntegers(Integer (*out)[4]) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  T::convert(T::make(static_cast<unsigned short>(i)), out[i]);
}

template <class T, class Integer>
__global__ void fromIntegers(unsigned short (*out)[4], const Integer *in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  typename T::Number numbers[4];
  T::convert(in[i], numbers);
  for (int mode = 0; mode < 4; ++mode) out[i][mode] = T::bits(numbers[mode]);
}

template <class Integer>
static Integer expectedInteger(double x, exact::Mode mode) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(x)) return sizeof(Integer) == 8 ? Integer(1ull << 63) : 0;
  const double whole = mode == exact::Mode::nearest ? std::nearbyint(x)
                       : mode == exact::Mode::zero  ? std::trunc(x)
                       : mode == exact::Mode::up    ? std::ceil(x)
                                                    : std::floor(x);
  if (whole >= std::ldexp(1, Limits::digits)) return Limits::max();
  if (whole < double(Limits::min())) return Limits::min();
  return Integer(whole);
}

template <class T, class Integer>
static void testTo() {
  using Row = Integer[4];
  Row *out;
  CUDA_OK(cudaMallocManaged(&out, 65536 * sizeof(Row)));
  toIntegers<T, Integer><<<256, 256>>>(out);
  LAUNCH_OK();
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const double x = exact::valueOf(T::format, uint16_t(bits));
    for (int mode = 0; mode < 4; ++mode) CHECK_EQ(out[bits][mode], expectedInteger<Integer>(x, modes[mode]));
  }
  CUDA_OK(cudaFree(out));
}

// The number of the format for an integer of up to 64 bits, of which a double may lose some.
template <class T, class Integer>
static unsigned short expectedNumber(Integer value, exact::Mode mode) {
  bool negative = false;
  if constexpr (std::is_signed_v<Integer>) negative = value < 0;
  const unsigned long long magnitude = negative ? 0 - (unsigned long long)value : (unsigned long long)value;
  double x = double(magnitude >> 11 << 11);
  const unsigned long long low = magnitude & 0x7ff;
  // The low bits lie below anything that the formats keep when there are any above 2^53.
  int more = 0;
  if (magnitude >> 53)
    more = low != 0;
  else
    x = double(magnitude);
  return exact::bitsOf(T::format, exact::roundTo(T::format, negative ? -x : x, mode, negative ? -more : more));
}

template <class T, class Integer>
static void testFrom() {
  using Limits = std::numeric_limits<Integer>;
  std::vector<Integer> in = {0, 1, 2, Limits::max(), Limits::min(), Integer(Limits::max() - 1), Integer(-1)};
  exact::Random random;
  for (int bits = 1; bits <= Limits::digits; ++bits)
    for (int i = 0; i < 40; ++i) {
      const unsigned long long mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
      unsigned long long x = (((unsigned long long)random() << 32 | random()) & mask) | 1ull << (bits - 1);
      if (i % 4 == 1 && bits > 12) x &= ~0ull << (bits - 12);         // halfway for half
      if (i % 4 == 2 && bits > 9) x = (x & ~0ull << (bits - 9)) | 1;  // just above halfway for bfloat16
      if (i % 4 == 3 && bits > 9) x &= ~0ull << (bits - 9);
      in.push_back(Integer(x));
      if (Limits::is_signed) in.push_back(Integer(-Integer(x)));
    }
  const int n = int(in.size());
  check::DeviceArray<Integer> device(in);
  unsigned short(*out)[4];
  CUDA_OK(cudaMallocManaged(&out, n * sizeof *out));
  fromIntegers<T, Integer><<<(n + 63) / 64, 64>>>(out, device.get(), n);
  LAUNCH_OK();
  for (int i = 0; i < n; ++i)
    for (int mode = 0; mode < 4; ++mode) CHECK_EQ(out[i][mode], (expectedNumber<T, Integer>(in[i], modes[mode])));
  CUDA_OK(cudaFree(out));
}

template <class T>
static void testHostCasts() {
  for (unsigned bits = 0; bits < 65536; bits += 7) {
    const typename T::Number number = T::make(uint16_t(bits));
    const double x = exact::valueOf(T::format, uint16_t(bits));
    if (std::isnan(x)) continue;
    CHECK_EQ(static_cast<int>(number), expectedInteger<int>(x, exact::Mode::zero));
    CHECK_EQ(static_cast<unsigned char>(number), expectedInteger<unsigned char>(x, exact::Mode::zero));
    CHECK_EQ(static_cast<signed char>(number), expectedInteger<signed char>(x, exact::Mode::zero));
    CHECK_EQ(static_cast<long>(number), expectedInteger<long>(x, exact::Mode::zero));
    CHECK_EQ(static_cast<bool>(number), x != 0);
  }
  CHECK_EQ(T::toFloat(typename T::Number(3)), 3.0f);
  CHECK_EQ(T::toFloat(typename T::Number(-3l)), -3.0f);
  CHECK_EQ(T::toFloat(typename T::Number(257ull)), T::format.digits > 8 ? 257.0f : 256.0f);
}

template <class T>
static void test() {
  testTo<T, short>();
  testTo<T, unsigned short>();
  testTo<T, int>();
  testTo<T, unsigned>();
  testTo<T, long long>();
  testTo<T, unsigned long long>();
  testFrom<T, short>();
  testFrom<T, unsigned short>();
  testFrom<T, int>();
  testFrom<T, unsigned>();
  testFrom<T, long long>();
  testFrom<T, unsigned long long>();
  testHostCasts<T>();
}

int main() {
  test<Half>();
  test<Brain>();
  return check::finish();
}
