// Small floating-point formats in general: rounding a number to one, and reading one. Headers and translated PTX share
// this; common conversions of half and bfloat16 have faster ways in sixteen_bits.h.
#ifndef HOSTWARP_NUMBERS_FORMATS_H
#define HOSTWARP_NUMBERS_FORMATS_H

#include <stdint.h>

#include "../device_qualifiers.h"

namespace hostwarp {
namespace numbers {

// Specials says what the largest exponent means: infinity and NaN, NaN for all ones only, or numbers like any other.
enum Specials { ieee, oneNan, noSpecials };

struct Format {
  int exponentBits, mantissaBits;
  Specials specials;

  HOSTWARP_HOST_DEVICE int bias() const { return (1 << (exponentBits - 1)) - 1; }
  HOSTWARP_HOST_DEVICE int signShift() const { return exponentBits + mantissaBits; }
  HOSTWARP_HOST_DEVICE uint32_t sign() const { return 1u << signShift(); }
  HOSTWARP_HOST_DEVICE uint32_t infinity() const { return ((1u << exponentBits) - 1) << mantissaBits; }
  // nan() is what conversions give for NaN; a format without NaN gives its largest number.
  HOSTWARP_HOST_DEVICE uint32_t nan() const { return sign() - 1; }
  HOSTWARP_HOST_DEVICE uint32_t largest() const {
    return specials == ieee ? infinity() - 1 : specials == oneNan ? nan() - 1 : nan();
  }
};

HOSTWARP_HOST_DEVICE Format formatOf(int exponentBits, int mantissaBits, Specials specials) {
  Format format = {exponentBits, mantissaBits, specials};
  return format;
}
HOSTWARP_HOST_DEVICE Format binary16() { return formatOf(5, 10, ieee); }
HOSTWARP_HOST_DEVICE Format bfloat16() { return formatOf(8, 7, ieee); }
HOSTWARP_HOST_DEVICE Format tf32() { return formatOf(8, 10, ieee); }  // without the 13 low zeros of its register
HOSTWARP_HOST_DEVICE Format e4m3() { return formatOf(4, 3, oneNan); }
HOSTWARP_HOST_DEVICE Format e5m2() { return formatOf(5, 2, ieee); }
HOSTWARP_HOST_DEVICE Format e2m3() { return formatOf(2, 3, noSpecials); }
HOSTWARP_HOST_DEVICE Format e3m2() { return formatOf(3, 2, noSpecials); }
HOSTWARP_HOST_DEVICE Format e2m1() { return formatOf(2, 1, noSpecials); }

// The values are those of PTX's modifiers in compiler/ptx/rounding.h.
enum Rounding { toZero = 0, toNearestEven = 1, upward = 2, downward = 3, toNearestAway = 4 };

template <class To, class From>
HOSTWARP_HOST_DEVICE To bitsAs(From from) {
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

HOSTWARP_HOST_DEVICE bool roundsUp(uint64_t rest, uint64_t half, bool odd, bool negative, int mode) {
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

HOSTWARP_HOST_DEVICE uint32_t overflowOf(Format format, bool negative, int mode, bool saturate) {
  const bool inward = mode == toZero || (mode == upward && negative) || (mode == downward && !negative);
  if (saturate || inward || format.specials == noSpecials) return format.largest();
  return format.specials == ieee ? format.infinity() : format.nan();
}

// roundTo() gives the bits, without sign, of mantissa * 2^exponent.
HOSTWARP_HOST_DEVICE uint32_t roundTo(Format format, uint64_t mantissa, int exponent, bool negative, int mode,
                                      bool saturate) {
  if (!mantissa) return 0;
  const int shift = __builtin_clzll(mantissa);
  mantissa <<= shift;
  const int top = exponent - shift + 63, least = 1 - format.bias();
  const bool normal = top >= least;
  if (normal && top > format.bias() + 1) return overflowOf(format, negative, mode, saturate);
  const int drop = 63 - format.mantissaBits + (normal ? 0 : least - top);
  uint64_t kept = drop >= 64 ? 0 : mantissa >> drop;
  // Far below the smallest number only "something is left" counts.
  const uint64_t rest = drop > 64 ? 1 : drop == 64 ? mantissa : mantissa & ((static_cast<uint64_t>(1) << drop) - 1);
  const uint64_t half = drop > 64 ? 2 : static_cast<uint64_t>(1) << (drop - 1);
  kept += roundsUp(rest, half, kept & 1, negative, mode);
  const uint64_t bits = normal ? (static_cast<uint64_t>(top + format.bias() - 1) << format.mantissaBits) + kept : kept;
  return bits > format.largest() ? overflowOf(format, negative, mode, saturate) : static_cast<uint32_t>(bits);
}

// encode() rounds `value`. saturate: too large numbers and infinity become the largest number, not infinity or NaN.
HOSTWARP_HOST_DEVICE uint32_t encode(Format format, double value, int mode, bool saturate = false) {
  const uint64_t bits = bitsAs<uint64_t>(value);
  const bool negative = bits >> 63;
  const uint64_t fraction = bits & 0xfffffffffffffull;
  const int biased = static_cast<int>(bits >> 52 & 0x7ff);
  if (biased == 0x7ff && fraction) return format.nan();
  const uint32_t sign = negative ? format.sign() : 0;
  if (biased == 0x7ff)
    return sign | (saturate || format.specials == noSpecials ? format.largest()
                   : format.specials == ieee                 ? format.infinity()
                                                             : format.nan());
  const uint64_t mantissa = biased ? fraction | static_cast<uint64_t>(1) << 52 : fraction;
  return sign | roundTo(format, mantissa, (biased ? biased : 1) - 1075, negative, mode, saturate);
}

HOSTWARP_HOST_DEVICE uint32_t encodeInteger(Format format, uint64_t magnitude, bool negative, int mode) {
  return (negative ? format.sign() : 0) | roundTo(format, magnitude, 0, negative, mode, false);
}

HOSTWARP_HOST_DEVICE double powerOfTwo(int exponent) {
  return bitsAs<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

HOSTWARP_HOST_DEVICE double decode(Format format, uint32_t bits) {
  const uint32_t magnitude = bits & (format.sign() - 1);
  double value;
  if (format.specials == ieee && magnitude >= format.infinity())
    value = magnitude == format.infinity() ? __builtin_inf() : __builtin_nan("");
  else if (format.specials == oneNan && magnitude == format.nan())
    value = __builtin_nan("");
  else {
    const int biased = static_cast<int>(magnitude >> format.mantissaBits);
    const uint32_t fraction = magnitude & ((1u << format.mantissaBits) - 1);
    const uint32_t mantissa = biased ? fraction | 1u << format.mantissaBits : fraction;
    value = mantissa * powerOfTwo((biased ? biased : 1) - format.bias() - format.mantissaBits);
  }
  return bits & format.sign() ? -value : value;
}

// e8m0 is a power of two without sign; 255 is NaN. Rounding goes to zero or up (mode `upward`).
HOSTWARP_HOST_DEVICE unsigned char encodeE8m0(double value, int mode, bool saturate) {
  if (value != value) return 255;
  const uint64_t bits = bitsAs<uint64_t>(value) & ~(static_cast<uint64_t>(1) << 63);
  const int biased = static_cast<int>(bits >> 52) - 1023 + 127;
  const bool exact = !(bits & 0xfffffffffffffull);
  int result = biased + (mode == upward && !exact);
  if (bits == 0 || result < 0) result = 0;
  if (result > 254) result = saturate ? 254 : 255;
  return static_cast<unsigned char>(result);
}

// encodeE8m0() of an integer goes up to the next power of two.
template <class Integer>
HOSTWARP_HOST_DEVICE unsigned char encodeE8m0Integer(Integer value) {
  uint64_t magnitude = static_cast<uint64_t>(value);
  if (value < static_cast<Integer>(0)) magnitude = 0 - magnitude;
  // What a double would lose shows in its last bit.
  if (magnitude >> 53) magnitude = (magnitude >> 11 | ((magnitude & 0x7ff) != 0)) << 11;
  return encodeE8m0(static_cast<double>(magnitude), upward, true);
}

HOSTWARP_HOST_DEVICE float decodeE8m0(uint32_t bits) {
  if (bits == 255) return bitsAs<float>(0x7fffffffu);
  return bitsAs<float>(bits ? bits << 23 : 0x00400000u);
}

}  // namespace numbers
}  // namespace hostwarp

#endif  // HOSTWARP_NUMBERS_FORMATS_H
