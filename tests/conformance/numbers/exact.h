// Numbers of small formats by exact means: rounding in double arithmetic that loses nothing, and decoding.
#ifndef HOSTWARP_CONFORMANCE_EXACT_H
#define HOSTWARP_CONFORMANCE_EXACT_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace exact {

enum class Mode { nearest, zero, up, down };

// Format: `digits` of precision (the leading one included), exponents of normal numbers, the largest number, and the
// bits of what lies beyond.
struct Format {
  int digits, exponentBits;
  double largest;
  bool hasInfinity;
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  int leastExponent() const { return 1 - bias(); }
};

constexpr Format half = {11, 5, 65504.0, true};
constexpr Format brain = {8, 8, 0x1.fep127, true};

// roundTo() gives the number of the format that `x` rounds to, as a double; infinity where it overflows. `more` is the
// sign of what is missing in x (-1, 0, 1): the exact number is a tiny bit more or less.
inline double roundTo(Format format, double x, Mode mode = Mode::nearest, int more = 0) {
  if (x == 0 || std::isnan(x) || std::isinf(x)) return x;
  const int exponent = std::max(std::ilogb(x), format.leastExponent()) - (format.digits - 1);
  const double scaled = std::ldexp(x, -exponent);
  const double below = std::floor(scaled), rest = scaled - below;
  bool upwards = false;
  const bool exact = rest == 0 && more == 0;
  switch (mode) {
    case Mode::nearest:
      upwards = rest > 0.5 || (rest == 0.5 && (more > 0 || (more == 0 && std::fmod(below, 2) != 0)));
      break;
    case Mode::zero:
      upwards = x < 0 && !exact;
      break;
    case Mode::up:
      upwards = !exact;
      break;
    case Mode::down:
      break;
  }
  // Just below a number of the format.
  double result = std::ldexp(below + (upwards ? 1 : 0), exponent);
  if (rest == 0 && more < 0 && mode != Mode::nearest) result = std::ldexp(below - (upwards ? 0 : 1), exponent);
  if (std::fabs(result) > format.largest) {
    const bool inward = mode == Mode::zero || (mode == Mode::up && x < 0) || (mode == Mode::down && x > 0);
    result = inward ? format.largest : std::numeric_limits<double>::infinity();
  }
  return std::copysign(result, x);
}

// bitsOf() gives the bits of a number that the format has; NaN is 0x7fff.
inline uint16_t bitsOf(Format format, double x) {
  const int mantissaBits = format.digits - 1;
  const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x)) return 0x7fff;
  if (std::isinf(x)) return uint16_t(sign | ((1 << format.exponentBits) - 1) << mantissaBits);
  if (x == 0) return sign;
  const int exponent = std::max(std::ilogb(x), format.leastExponent());
  const int mantissa = int(std::ldexp(std::fabs(x), mantissaBits - exponent));
  const bool normal = mantissa >> mantissaBits;
  return uint16_t(sign | ((normal ? exponent + format.bias() - 1 : 0) << mantissaBits) + mantissa);
}

inline double valueOf(Format format, uint16_t bits) {
  const int mantissaBits = format.digits - 1, top = (1 << format.exponentBits) - 1;
  const int biased = bits >> mantissaBits & top, fraction = bits & ((1 << mantissaBits) - 1);
  double value;
  if (biased == top)
    value = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else
    value = std::ldexp(biased ? fraction | 1 << mantissaBits : fraction,
                       (biased ? biased : 1) - format.bias() - mantissaBits);
  return bits & 0x8000 ? -value : value;
}

inline bool isNan(Format format, uint16_t bits) { return std::isnan(valueOf(format, bits)); }

// A pseudo-random sequence.
struct Random {
  uint64_t state = 0x9e3779b97f4a7c15ull;
  uint32_t operator()() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return uint32_t(state >> 32);
  }
};

}  // namespace exact

#endif
