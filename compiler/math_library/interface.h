// What the functions of this folder have in common. They are compiled to bitcode, inlined into loops over threads and
// vectorised there: so they have no loops, tables or early returns; what they cannot do they leave to the C library by
// one branch, which is rarely taken.
//
// Every processor level shares this source. Products and sums may be fused where the processor can, and results must be
// within the bounds either way.
#ifndef HOSTWARP_COMPILER_MATH_LIBRARY_INTERFACE_H
#define HOSTWARP_COMPILER_MATH_LIBRARY_INTERFACE_H

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

// HWMATH begins the function that device code gets in place of the C library's (or the runtime's hw_math_) of the name
// behind hwmath_.
#define HWMATH extern "C" __attribute__((nothrow, const))
// HWMATH_RARE declares what the rare branch calls.
#define HWMATH_RARE extern "C" __attribute__((nothrow, const))
#define HWMATH_UNLIKELY(condition) __builtin_expect(condition, 0)

namespace hostwarp::math {

constexpr double infinity = __builtin_inf(), nan = __builtin_nan("");

template <class To, class From>
inline To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

// polynomial() is c[0] + c[1] x + ..., as two chains: chain() takes every other coefficient.
template <int i, int count>
inline double chain(double square, const double (&c)[count]) {
  if constexpr (i + 2 < count)
    return chain<i + 2>(square, c) * square + c[i];
  else
    return c[i];
}
template <int count>
inline double polynomial(double x, const double (&c)[count]) {
  return chain<1>(x * x, c) * x + chain<0>(x * x, c);
}

// Rounded is x rounded to an integer k, |x| < 2^51, whose low bits are also the low bits of `bits`.
struct Rounded {
  double k;
  u64 bits;
};
// The bits left of the integer's are those of 1.5 * 2^52, to which it was added.
constexpr double rounder = 0x1.8p52;
inline Rounded roundedSum(double shifted) { return {shifted - rounder, bitsAs<u64>(shifted)}; }
inline Rounded rounded(double x) { return roundedSum(x + rounder); }

// powerOfTwo() is 2^k, -1023 < k < 1024.
inline double powerOfTwo(u64 k) { return bitsAs<double>((k + 1023) << 52); }

inline double negatedIf(u64 lowBit, double x) { return bitsAs<double>(bitsAs<u64>(x) ^ (lowBit << 63)); }
inline double clamped(double x, double low, double high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}
inline float withSignOf(float size, float sign) { return __builtin_copysignf(size, sign); }

}  // namespace hostwarp::math

#endif  // HOSTWARP_COMPILER_MATH_LIBRARY_INTERFACE_H
