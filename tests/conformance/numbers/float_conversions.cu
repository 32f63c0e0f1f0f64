// half and bfloat16 from float and double in every rounding, and back: all 65536 patterns, and numbers next to every
// halfway point.
#include <cstring>

#include "sixteen_bits.h"

template <class T>
__global__ void widen(float *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = T::toFloat(T::make(static_cast<unsigned short>(i)));
}

template <class T>
__global__ void narrow(unsigned short *out, const double *in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = static_cast<float>(in[i]);
  out[5 * i] = T::bits(T::fromFloat(x));
  out[5 * i + 1] = T::bits(T::fromFloatRz(x));
  out[5 * i + 2] = T::bits(T::fromFloatRu(x));
  out[5 * i + 3] = T::bits(T::fromFloatRd(x));
  out[5 * i + 4] = T::bits(T::fromDouble(in[i]));
}

template <class T>
static void testWidening() {
  check::DeviceArray<float> out(65536);
  widen<T><<<256, 256>>>(out.get());
  LAUNCH_OK();
  const std::vector<float> values = out.download();
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const double expected = exact::valueOf(T::format, uint16_t(bits));
    const double actual = values[bits], onHost = T::toFloat(T::make(uint16_t(bits)));
    CHECK(std::isnan(expected) ? std::isnan(actual) : actual == expected && std::signbit(actual) == bool(bits >> 15));
    CHECK(std::isnan(expected) ? std::isnan(onHost) : onHost == expected);
  }
}

// Every number, the middle to the next one, and what lies just beside both; far too small and too large ones.
static std::vector<double> samples(exact::Format format) {
  std::vector<double> all = {0.0,         -0.0,   1e-300,   -1e-300,   5e-324, 1e300,    -1e300, 0x1p-149,
                             -0x1.8p-149, 3.4e38, INFINITY, -INFINITY, NAN,    65519.99, 65520,  65536};
  for (unsigned bits = 0; bits < 0x7f80; bits += 3) {
    const double low = exact::valueOf(format, uint16_t(bits)), next = exact::valueOf(format, uint16_t(bits + 1));
    if (!std::isfinite(low)) break;
    const double middle = std::isfinite(next) ? (low + next) / 2 : low * (1 + std::ldexp(1, -format.digits));
    for (double x : {low, middle, std::nextafter(middle, 0), std::nextafter(middle, INFINITY),
                     double(std::nextafterf(float(middle), 0)), double(std::nextafterf(float(middle), INFINITY))}) {
      all.push_back(x);
      all.push_back(-x);
    }
  }
  return all;
}

// keptNan() is what a GPU makes of a NaN in double: sign and first bits stay.
static unsigned short keptNan(exact::Format format, double x) {
  unsigned long long bits;
  memcpy(&bits, &x, sizeof bits);
  const int mantissaBits = format.digits - 1;
  const unsigned first = unsigned((bits & 0xfffffffffffffull) >> (52 - mantissaBits)) | 1u << (mantissaBits - 1);
  return static_cast<unsigned short>((bits >> 63 << 15) | (0x7fffu >> mantissaBits << mantissaBits) | first);
}

template <class T>
static void testNarrowing() {
  const std::vector<double> in = samples(T::format);
  const int n = int(in.size());
  check::DeviceArray<double> device(in);
  check::DeviceArray<unsigned short> out(5 * in.size());
  narrow<T><<<(n + 255) / 256, 256>>>(out.get(), device.get(), n);
  LAUNCH_OK();
  const std::vector<unsigned short> bits = out.download();
  for (int i = 0; i < n; ++i) {
    const float x = float(in[i]);
    for (int mode = 0; mode < 4; ++mode)
      CHECK_EQ(bits[5 * i + mode], exact::bitsOf(T::format, exact::roundTo(T::format, x, modes[mode])));
    const unsigned short fromDouble = exact::bitsOf(T::format, exact::roundTo(T::format, in[i]));
    CHECK_EQ(bits[5 * i + 4], std::isnan(in[i]) ? keptNan(T::format, in[i]) : fromDouble);
    if (!std::isnan(x)) {
      CHECK_EQ(T::bits(T::fromDouble(in[i])), fromDouble);
      CHECK_EQ(T::bits(T::fromFloat(x)), bits[5 * i]);
      CHECK_EQ(T::bits(T::fromFloatRz(x)), bits[5 * i + 1]);
      CHECK_EQ(T::bits(T::fromFloatRu(x)), bits[5 * i + 2]);
      CHECK_EQ(T::bits(T::fromFloatRd(x)), bits[5 * i + 3]);
    }
  }
}

int main() {
  testWidening<Half>();
  testWidening<Brain>();
  testNarrowing<Half>();
  testNarrowing<Brain>();
  return check::finish();
}
