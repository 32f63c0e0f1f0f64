// Arithmetic on the bits of half and bfloat16. Every operation is rounded once, to nearest even, and every NaN that an
// operation makes is 0x7fff, as on a GPU.
#ifndef HOSTWARP_NUMBERS_SIXTEEN_BITS_H
#define HOSTWARP_NUMBERS_SIXTEEN_BITS_H

#include "formats.h"

namespace hostwarp {
namespace numbers {

// toOddFloat() and addToOdd() round to odd: what was lost shows in the last bit, so that rounding the result once more,
// to fewer digits, is as good as rounding the exact number.
HOSTWARP_HOST_DEVICE float toOddFloat(double x) {
  const float near = static_cast<float>(x);
  const double back = static_cast<double>(near);
  if (back == x || x != x) return near;
  uint32_t bits = bitsAs<uint32_t>(near);
  if (__builtin_fabs(back) > __builtin_fabs(x)) --bits;
  return bitsAs<float>(bits | 1);
}

// Both terms of the error have its sign or are zero, and that of the larger number is exact. With an infinite summand
// it is no number. Of a sum that is too large comes the largest number, which is infinite when it is rounded again.
template <class Float, class Bits>
HOSTWARP_HOST_DEVICE Float addToOdd(Float a, Float b) {
  const Float sum = a + b;
  const Float error = (a - (sum - b)) + (b - (sum - a));
  const Bits bits = bitsAs<Bits>(sum), isAbove = (bits ^ bitsAs<Bits>(error)) >> (8 * sizeof(Bits) - 1);
  const Bits odd = (bits - isAbove) | 1;  // beforehand: no branch
  return bitsAs<Float>(error < 0 || error > 0 ? odd : bits);
}

// Half and Brain have the same members: the format, conversions of the bits, and what differs in arithmetic.
struct Half {
  static HOSTWARP_HOST_DEVICE Format format() { return binary16(); }
  static HOSTWARP_HOST_DEVICE float toFloat(uint16_t bits);
  static HOSTWARP_HOST_DEVICE uint16_t fromFloat(float x);
  static HOSTWARP_HOST_DEVICE uint16_t fromDouble(double x) { return fromFloat(toOddFloat(x)); }

  // A float has more than twice the digits of a half and two more: rounding to float first does no harm.
  static HOSTWARP_HOST_DEVICE uint16_t multiply(uint16_t a, uint16_t b) { return fromFloat(toFloat(a) * toFloat(b)); }
  static HOSTWARP_HOST_DEVICE uint16_t divide(uint16_t a, uint16_t b) { return fromFloat(toFloat(a) / toFloat(b)); }
  // The product is exact.
  static HOSTWARP_HOST_DEVICE uint16_t fma(uint16_t a, uint16_t b, uint16_t c) {
    return fromFloat(addToOdd<float, uint32_t>(toFloat(a) * toFloat(b), toFloat(c)));
  }
  static HOSTWARP_HOST_DEVICE uint16_t fusibleAdd(uint16_t a, uint16_t b);
  static HOSTWARP_HOST_DEVICE uint16_t fusibleSubtract(uint16_t a, uint16_t b);
  static HOSTWARP_HOST_DEVICE uint16_t fusibleMultiply(uint16_t a, uint16_t b);
  // These are of __hadd_sat() and __hsub_sat().
  static HOSTWARP_HOST_DEVICE uint16_t addToSaturate(uint16_t a, uint16_t b);
  static HOSTWARP_HOST_DEVICE uint16_t subtractToSaturate(uint16_t a, uint16_t b);
};

// Wherever a float would be subnormal Brain computes with integers and doubles: -ftz=true is not for bfloat16.
struct Brain {
  static HOSTWARP_HOST_DEVICE Format format() { return bfloat16(); }
  static HOSTWARP_HOST_DEVICE float toFloat(uint16_t bits) { return bitsAs<float>(static_cast<uint32_t>(bits) << 16); }
  static HOSTWARP_HOST_DEVICE uint16_t fromFloat(float x) {
    const uint32_t bits = bitsAs<uint32_t>(x);
    return x != x ? 0x7fff : static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  static HOSTWARP_HOST_DEVICE double toDouble(uint16_t bits) {
    const uint64_t magnitude = bits & 0x7fff, sign = static_cast<uint64_t>(bits >> 15) << 63;
    const uint64_t subnormal = bitsAs<uint64_t>(static_cast<double>(static_cast<int>(magnitude)) * (1 / 0x1p133));
    const uint64_t finite =
        magnitude < 0x80 ? subnormal : (magnitude << 45) + (static_cast<uint64_t>(1023 - 127) << 52);
    return bitsAs<double>(sign | (magnitude < 0x7f80 ? finite : (magnitude << 45) | 0x7ff0000000000000ull));
  }
  // 2^-81 and less than 2^-126 have a sum whose last digit is that of a subnormal number.
  static HOSTWARP_HOST_DEVICE uint16_t fromDouble(double x) {
    const double size = __builtin_fabs(x);
    const uint64_t bits = bitsAs<uint64_t>(size), sign = bitsAs<uint64_t>(x) >> 63 << 15;
    const uint64_t subnormal = bitsAs<uint64_t>(size + (1 / 0x1p81)) - bitsAs<uint64_t>(1 / 0x1p81);
    const uint64_t normal =
        ((bits + 0xfffffffffffull + (bits >> 45 & 1)) >> 45) - (static_cast<uint64_t>(1023 - 127) << 7);
    const uint64_t rounded = size < (1 / 0x1p126) ? subnormal : normal < 0x7f80 ? normal : 0x7f80;
    return static_cast<uint16_t>(x != x ? 0x7fff : sign | rounded);
  }

  // isExact(): the float is no product of digits that were lost, and no infinity that another summand could prevent.
  static HOSTWARP_HOST_DEVICE bool isExact(float product) {
    return __builtin_fabsf(product) >= (1 / 0x1p100f) && __builtin_fabsf(product) < 0x1p127f;
  }
  static HOSTWARP_HOST_DEVICE bool isZero(uint16_t bits) { return (bits & 0x7fff) == 0; }
  static HOSTWARP_HOST_DEVICE uint16_t multiply(uint16_t a, uint16_t b) {
    const float product = toFloat(a) * toFloat(b);
    return isExact(product) || isZero(a) || isZero(b) ? fromFloat(product) : fromDouble(toDouble(a) * toDouble(b));
  }
  static HOSTWARP_HOST_DEVICE uint16_t divide(uint16_t a, uint16_t b) { return fromDouble(toDouble(a) / toDouble(b)); }
  static HOSTWARP_HOST_DEVICE uint16_t fma(uint16_t a, uint16_t b, uint16_t c) {
    const float product = toFloat(a) * toFloat(b), addend = toFloat(c), sum = product + addend;
    const bool isHalfway = (bitsAs<uint32_t>(sum) & 0xffff) == 0x8000;
    const bool isRight =
        (isExact(product) || isZero(a) || isZero(b)) && (__builtin_fabsf(sum) >= (1 / 0x1p100f) || isZero(c));
    if (isRight) return fromFloat(isHalfway ? addToOdd<float, uint32_t>(product, addend) : sum);
    return fromDouble(addToOdd<double, uint64_t>(toDouble(a) * toDouble(b), toDouble(c)));
  }
  static HOSTWARP_HOST_DEVICE uint16_t fusibleAdd(uint16_t a, uint16_t b);
  static HOSTWARP_HOST_DEVICE uint16_t fusibleSubtract(uint16_t a, uint16_t b);
  static HOSTWARP_HOST_DEVICE uint16_t fusibleMultiply(uint16_t a, uint16_t b);
  // These are of __hadd_sat() and __hsub_sat().
  static HOSTWARP_HOST_DEVICE uint16_t addToSaturate(uint16_t a, uint16_t b);
  static HOSTWARP_HOST_DEVICE uint16_t subtractToSaturate(uint16_t a, uint16_t b);
};

// convertDouble() is the conversion that programs ask for. On a GPU it keeps a NaN's sign and first bits, on the host
// and from float it does not.
template <class Traits>
HOSTWARP_HOST_DEVICE uint16_t convertDouble(double x) {
#if defined(__CUDA_ARCH__)
  if (x != x) {
    const Format format = Traits::format();
    const uint64_t bits = bitsAs<uint64_t>(x);
    const uint64_t first = (bits & 0xfffffffffffffull) >> (52 - format.mantissaBits);
    const uint64_t quiet = static_cast<uint64_t>(1) << (format.mantissaBits - 1);
    return static_cast<uint16_t>((bits >> 63 << 15) | format.infinity() | first | quiet);
  }
#endif
  return Traits::fromDouble(x);
}

// widenHalf() converts by operations on 32 bits alone, which many halves side by side are quickest with. Bits beyond
// the 16 are ignored.
HOSTWARP_HOST_DEVICE float widenHalf(uint32_t bits) {
  const uint32_t magnitude = (bits & 0x7fff) << 13, sign = (bits & 0x8000) << 16;
  const uint32_t value =
      magnitude >= 0x0f800000u ? magnitude + 0x70000000u : bitsAs<uint32_t>(bitsAs<float>(magnitude) * 0x1p112f);
  return bitsAs<float>(value | sign);
}

// In device code (HOSTWARP_NATIVE_HALF: the translated PTX) the compiler's own type becomes the CPU's conversion
// instructions; elsewhere it may be missing, or need a library.
#if (HOSTWARP_CUDA_MODE && defined(__CUDA_ARCH__)) || defined(HOSTWARP_NATIVE_HALF)
#if defined(__CUDA_ARCH__) && __clang_major__ < 19
typedef __fp16 NativeHalf;
#else
typedef _Float16 NativeHalf;
#endif
HOSTWARP_HOST_DEVICE float Half::toFloat(uint16_t bits) {
  NativeHalf half;
  __builtin_memcpy(&half, &bits, sizeof half);
  return half;
}
HOSTWARP_HOST_DEVICE uint16_t Half::fromFloat(float x) {
  const NativeHalf half = static_cast<NativeHalf>(x);
  uint16_t bits;
  __builtin_memcpy(&bits, &half, sizeof bits);
  return x != x ? 0x7fff : bits;
}
#else
HOSTWARP_HOST_DEVICE float Half::toFloat(uint16_t bits) { return widenHalf(bits); }
HOSTWARP_HOST_DEVICE uint16_t Half::fromFloat(float x) {
  return static_cast<uint16_t>(encode(binary16(), x, toNearestEven));
}
#endif

// --- What both have, by traits ---

// A float has digits enough for rounding a sum twice, and sums too small for all its digits are exact.
template <class Traits>
HOSTWARP_HOST_DEVICE uint16_t add(uint16_t a, uint16_t b) {
  return Traits::fromFloat(Traits::toFloat(a) + Traits::toFloat(b));
}
template <class Traits>
HOSTWARP_HOST_DEVICE uint16_t subtract(uint16_t a, uint16_t b) {
  return Traits::fromFloat(Traits::toFloat(a) - Traits::toFloat(b));
}

// The fusible operations: of a product and the sum that takes it in, nvcc makes one operation of device code, which
// rounds once. Here hwcc-device does, which knows them by name until it has decided: they are declared only, and the
// code comes last (compiler/device/fuse_products.cpp). HOSTWARP_UNFUSED: not with -fmad=false.
#define HOSTWARP_ROUNDED(Traits, function, name, ...) \
  HOSTWARP_HOST_DEVICE uint16_t Traits::function(uint16_t a, uint16_t b) { return __VA_ARGS__; }
#if HOSTWARP_CUDA_MODE && defined(__CUDA_ARCH__) && !defined(HOSTWARP_UNFUSED)
#define HOSTWARP_FUSIBLE(Traits, function, name, ...)                                                         \
  HOSTWARP_HOST_DEVICE_C uint16_t hw_math_fusible_##name(uint16_t, uint16_t) HOSTWARP_NOEXCEPT HOSTWARP_PURE; \
  HOSTWARP_HOST_DEVICE uint16_t Traits::function(uint16_t a, uint16_t b) { return hw_math_fusible_##name(a, b); }
#else
#define HOSTWARP_FUSIBLE HOSTWARP_ROUNDED
#endif
// Before compute capability 9.0 a GPU has no sums and products of bfloat16 but by fma.rn, or in float; those that
// saturate are by fma.rn on all.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define HOSTWARP_FUSIBLE_BRAIN HOSTWARP_FUSIBLE
#else
#define HOSTWARP_FUSIBLE_BRAIN HOSTWARP_ROUNDED
#endif
HOSTWARP_FUSIBLE(Half, fusibleAdd, half_add, add<Half>(a, b))
HOSTWARP_FUSIBLE(Half, fusibleSubtract, half_sub, subtract<Half>(a, b))
HOSTWARP_FUSIBLE(Half, fusibleMultiply, half_mul, multiply(a, b))
HOSTWARP_FUSIBLE_BRAIN(Brain, fusibleAdd, brain_add, add<Brain>(a, b))
HOSTWARP_FUSIBLE_BRAIN(Brain, fusibleSubtract, brain_sub, subtract<Brain>(a, b))
HOSTWARP_FUSIBLE_BRAIN(Brain, fusibleMultiply, brain_mul, multiply(a, b))
HOSTWARP_ROUNDED(Half, addToSaturate, half_add, fusibleAdd(a, b))
HOSTWARP_ROUNDED(Half, subtractToSaturate, half_sub, fusibleSubtract(a, b))
HOSTWARP_ROUNDED(Brain, addToSaturate, brain_add, add<Brain>(a, b))
HOSTWARP_ROUNDED(Brain, subtractToSaturate, brain_sub, subtract<Brain>(a, b))
#undef HOSTWARP_FUSIBLE_BRAIN
#undef HOSTWARP_ROUNDED
#undef HOSTWARP_FUSIBLE

// saturate() clamps to [0, 1]; NaN becomes 0. relu() clamps to [0, infinity]; NaN stays.
template <class Traits>
HOSTWARP_HOST_DEVICE uint16_t saturate(uint16_t bits) {
  const float x = Traits::toFloat(bits);
  return x > 0.0f ? (x < 1.0f ? bits : Traits::fromFloat(1.0f)) : 0;
}
template <class Traits>
HOSTWARP_HOST_DEVICE uint16_t relu(uint16_t bits) {
  const float x = Traits::toFloat(bits);
  return x != x ? 0x7fff : x > 0.0f ? bits : 0;
}

// least() and greatest(): -0 is below +0; a NaN loses against a number, unless nanWins.
template <class Traits>
HOSTWARP_HOST_DEVICE uint16_t least(uint16_t a, uint16_t b, bool nanWins) {
  const float x = Traits::toFloat(a), y = Traits::toFloat(b);
  if (x != x) return nanWins || y != y ? 0x7fff : b;
  if (y != y) return nanWins ? 0x7fff : a;
  return x < y || (x == y && a >> 15) ? a : b;
}
template <class Traits>
HOSTWARP_HOST_DEVICE uint16_t greatest(uint16_t a, uint16_t b, bool nanWins) {
  const float x = Traits::toFloat(a), y = Traits::toFloat(b);
  if (x != x) return nanWins || y != y ? 0x7fff : b;
  if (y != y) return nanWins ? 0x7fff : a;
  return x > y || (x == y && b >> 15) ? a : b;
}

// wholeNumber() converts a float that is whole, or infinite, and saturates; `nan` is the result for NaN.
template <class Integer>
HOSTWARP_HOST_DEVICE Integer wholeNumber(float whole, Integer nan) {
  const bool isSigned = static_cast<Integer>(-1) < static_cast<Integer>(0);
  const Integer top = static_cast<Integer>(static_cast<Integer>(1) << (8 * sizeof(Integer) - 1));
  const float limit = static_cast<float>(powerOfTwo(8 * static_cast<int>(sizeof(Integer)) - isSigned));
  if (whole != whole) return nan;
  if (whole >= limit) return static_cast<Integer>(isSigned ? ~top : static_cast<Integer>(-1));
  if (whole < (isSigned ? -limit : 0.0f)) return static_cast<Integer>(isSigned ? top : 0);
  return static_cast<Integer>(whole);
}

// toInteger() rounds by `mode` and saturates.
template <class Traits, class Integer>
HOSTWARP_HOST_DEVICE Integer toInteger(uint16_t bits, int mode, Integer nan) {
  const float x = Traits::toFloat(bits);
  return wholeNumber<Integer>(mode == toZero     ? __builtin_truncf(x)
                              : mode == upward   ? __builtin_ceilf(x)
                              : mode == downward ? __builtin_floorf(x)
                                                 : __builtin_rintf(x),
                              nan);
}

template <class Traits, class Integer>
HOSTWARP_HOST_DEVICE uint16_t fromInteger(Integer value, int mode) {
  const bool negative = value < static_cast<Integer>(0);
  const uint64_t wide = static_cast<uint64_t>(value);
  return static_cast<uint16_t>(encodeInteger(Traits::format(), negative ? 0 - wide : wide, negative, mode));
}

template <class Traits>
HOSTWARP_HOST_DEVICE uint16_t fromFloat(float x, int mode) {
  return static_cast<uint16_t>(encode(Traits::format(), x, mode));
}

}  // namespace numbers
}  // namespace hostwarp

#endif  // HOSTWARP_NUMBERS_SIXTEEN_BITS_H
