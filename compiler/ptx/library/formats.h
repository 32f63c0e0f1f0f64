// Small floating-point formats: rounding a number to them and reading them.
#ifndef HOSTWARP_COMPILER_PTX_LIBRARY_FORMATS_H
#define HOSTWARP_COMPILER_PTX_LIBRARY_FORMATS_H

#include "compiler/ptx/library/interface.h"

// Specials says what the largest exponent means.
enum class Specials { Ieee, OneNan, None };

struct Format {
  int exponentBits, mantissaBits;
  Specials specials;
  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  constexpr int signShift() const { return exponentBits + mantissaBits; }
  constexpr u32 infinity() const { return ((1u << exponentBits) - 1) << mantissaBits; }
  constexpr u32 largest() const {
    return specials == Specials::Ieee     ? infinity() - 1
           : specials == Specials::OneNan ? (1u << signShift()) - 2
                                          : (1u << signShift()) - 1;
  }
  constexpr u32 nan() const { return (1u << signShift()) - 1; }
};

// The emitter numbers the formats in this order.
constexpr Format formats[] = {
    {5, 10, Specials::Ieee},   // 0: f16
    {8, 7, Specials::Ieee},    // 1: bf16
    {8, 10, Specials::Ieee},   // 2: tf32, without its 13 low zeros
    {4, 3, Specials::OneNan},  // 3: e4m3
    {5, 2, Specials::Ieee},    // 4: e5m2
    {2, 3, Specials::None},    // 5: e2m3
    {3, 2, Specials::None},    // 6: e3m2
    {2, 1, Specials::None},    // 7: e2m1
};

// The values of ptx::Rounding.
enum RoundingMode { toZero = 0, toNearestEven = 1, upward = 2, downward = 3, toNearestAway = 4 };

static inline bool roundsUp(u64 rest, u64 half, bool odd, bool negative, int mode) {
  switch (mode) {
    case toNearestEven:
      return rest > half || (rest == half && odd);
    case toNearestAway:
      return rest >= half;
    case upward:
      return rest && !negative;
    case downward:
      return rest && negative;
    default:
      return false;
  }
}

static inline u32 overflow(const Format &format, bool negative, int mode, bool satfinite) {
  const bool inward = mode == toZero || (mode == upward && negative) || (mode == downward && !negative);
  if (satfinite || inward || format.specials == Specials::None) return format.largest();
  return format.specials == Specials::Ieee ? format.infinity() : format.nan();
}

// roundTo() gives the bits without sign of mantissa * 2^exponent.
static inline u32 roundTo(const Format &format, u64 mantissa, int exponent, bool negative, int mode, bool satfinite) {
  if (!mantissa) return 0;
  const int shift = __builtin_clzl(mantissa);
  mantissa <<= shift;
  const int top = exponent - shift + 63, least = 1 - format.bias();
  const bool normal = top >= least;
  const int drop = 63 - format.mantissaBits + (normal ? 0 : least - top);
  u64 kept = drop >= 64 ? 0 : mantissa >> drop;
  // Far below the smallest number only "something is left" counts.
  const u64 rest = drop > 64 ? 1 : drop == 64 ? mantissa : mantissa & ((u64(1) << drop) - 1);
  const u64 half = drop > 64 ? 2 : u64(1) << (drop - 1);
  kept += roundsUp(rest, half, kept & 1, negative, mode);
  if (normal && top > format.bias() + 1) return overflow(format, negative, mode, satfinite);
  const u64 bits = normal ? (u64(top + format.bias() - 1) << format.mantissaBits) + kept : kept;
  return bits > format.largest() ? overflow(format, negative, mode, satfinite) : u32(bits);
}

static inline u32 encode(const Format &format, double value, int mode, bool satfinite) {
  const u64 bits = bitsAs<u64>(value);
  const bool negative = bits >> 63;
  const u64 fraction = bits & 0xfffffffffffffull;
  const int biased = int(bits >> 52 & 0x7ff);
  if (biased == 0x7ff && fraction) return format.specials == Specials::None ? format.largest() : format.nan();
  const u32 sign = u32(negative) << format.signShift();
  if (biased == 0x7ff)
    return sign | (satfinite || format.specials != Specials::Ieee ? format.largest() : format.infinity());
  const u64 mantissa = biased ? fraction | u64(1) << 52 : fraction;
  return sign | roundTo(format, mantissa, (biased ? biased : 1) - 1075, negative, mode, satfinite);
}

static inline double powerOfTwo(int exponent) { return bitsAs<double>(u64(exponent + 1023) << 52); }

static inline double decode(const Format &format, u32 bits) {
  const u32 magnitude = bits & ((1u << format.signShift()) - 1);
  const bool negative = bits >> format.signShift() & 1;
  double value;
  if (format.specials == Specials::Ieee && magnitude >= format.infinity())
    value = magnitude == format.infinity() ? __builtin_inf() : __builtin_nan("");
  else if (format.specials == Specials::OneNan && magnitude == format.nan())
    value = __builtin_nan("");
  else {
    const int biased = int(magnitude >> format.mantissaBits);
    const u32 fraction = magnitude & ((1u << format.mantissaBits) - 1);
    const u32 mantissa = biased ? fraction | 1u << format.mantissaBits : fraction;
    value = mantissa * powerOfTwo((biased ? biased : 1) - format.bias() - format.mantissaBits);
  }
  return negative ? -value : value;
}

#endif  // HOSTWARP_COMPILER_PTX_LIBRARY_FORMATS_H
