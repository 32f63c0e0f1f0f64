// What headers and translated PTX leave to hwcc-device of half and bfloat16: the operations that may be fused, and what
// becomes of two (compiler/device/fuse_products.cpp). Half's arithmetic is that of the headers.
#ifndef HOSTWARP_COMPILER_MATH_LIBRARY_SIXTEEN_BITS_H
#define HOSTWARP_COMPILER_MATH_LIBRARY_SIXTEEN_BITS_H

#include "compiler/math_library/interface.h"

#define HOSTWARP_NATIVE_HALF 1
#include "include/hostwarp/numbers/sixteen_bits.h"

namespace hostwarp::math {

using numbers::Brain, numbers::Half;

HWMATH u16 hwmath_fusible_half_add(u16 a, u16 b) { return numbers::add<Half>(a, b); }
HWMATH u16 hwmath_fusible_half_sub(u16 a, u16 b) { return numbers::subtract<Half>(a, b); }
HWMATH u16 hwmath_fusible_half_mul(u16 a, u16 b) { return Half::multiply(a, b); }
HWMATH u16 hwmath_fused_half(u16 a, u16 b, u16 c) { return Half::fma(a, b, c); }

HWMATH u16 hwmath_fusible_brain_add(u16 a, u16 b) { return numbers::add<Brain>(a, b); }
HWMATH u16 hwmath_fusible_brain_sub(u16 a, u16 b) { return numbers::subtract<Brain>(a, b); }

// Products of bfloat16 are exact as floats, but for small ones, and large ones that become part of a sum. Unlike the
// headers' this code comes when all that -ftz=true flushes is flushed: floats may be subnormal.
inline bool isNormal(float product) { return !(__builtin_fabsf(product) < 1 / 0x1p126f); }

HWMATH u16 hwmath_fusible_brain_mul(u16 a, u16 b) {
  const float x = Brain::toFloat(a), y = Brain::toFloat(b), product = x * y;
  const bool isExact = isNormal(product) || Brain::isZero(a) || Brain::isZero(b);
  return Brain::fromFloat(isExact ? product : numbers::toOddFloat(double(x) * double(y)));
}

HWMATH u16 hwmath_fused_brain(u16 a, u16 b, u16 c) {
  const float x = Brain::toFloat(a), y = Brain::toFloat(b), z = Brain::toFloat(c), product = x * y, sum = product + z;
  const bool isExact =
      (isNormal(product) && __builtin_fabsf(product) < 0x1p127f) || Brain::isZero(a) || Brain::isZero(b);
  const bool isHalfway = (bitsAs<u32>(sum) & 0xffff) == 0x8000;
  return Brain::fromFloat(!isExact
                              ? numbers::toOddFloat(numbers::addToOdd<double, u64>(double(x) * double(y), double(z)))
                          : isHalfway ? numbers::addToOdd<float, u32>(product, z)
                                      : sum);
}

}  // namespace hostwarp::math

#endif  // HOSTWARP_COMPILER_MATH_LIBRARY_SIXTEEN_BITS_H
