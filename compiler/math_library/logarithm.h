// Logarithms and powers.
#ifndef HOSTWARP_COMPILER_MATH_LIBRARY_LOGARITHM_H
#define HOSTWARP_COMPILER_MATH_LIBRARY_LOGARITHM_H

#include "compiler/math_library/exponential.h"

HWMATH_RARE double log(double);
HWMATH_RARE double log2(double);
HWMATH_RARE double pow(double, double);
HWMATH_RARE float powf(float, float);

namespace hostwarp::math {

// Split: x = 2^k (1 + f) with 1 + f between the roots of 1/2 and 2. pre: x is positive, finite and not subnormal.
struct Split {
  double k, f;
};
inline Split split(double x) {
  // Seen from the root of 1/2, the exponent changes where k does; 1024 more keeps it from being negative.
  const u64 bits = bitsAs<u64>(x), above = bits - bitsAs<u64>(0x1.6a09e667f3bcdp-1);
  const u64 exponent = (above + (1024ul << 52)) >> 52;
  const double k = bitsAs<double>(exponent | bitsAs<u64>(0x1p52)) - (0x1p52 + 1024);
  return {k, bitsAs<double>(bits - (above & 0xffful << 52)) - 1};
}

// log1pForFloat() is log(1 + f), -0.3 < f < 0.42, with a relative error below 2^-32.
inline double log1pForFloat(double f) {
  return f * f *
             polynomial(f, {-0x1.00000024e5891p-1, 0x1.55555568d1cb3p-2, -0x1.ffff921e910dap-3, 0x1.999942c1d5e3dp-3,
                            -0x1.556c45234bfd5p-3, 0x1.24b03a4bc0c86p-3, -0x1.fc21e2cd07507p-4, 0x1.c0127840f337ep-4,
                            -0x1.bc091c3a46b96p-4, 0x1.c80b723b03d02p-4, -0x1.0ae89546f00d5p-4}) +
         f;
}
// logOfFloat() is k unit + log(1 + f) unit / ln 2, for a positive finite float, with special values.
inline float logOfFloat(float x, double perPower, double perLog) {
  const Split parts = split(x);
  const float value = float(log1pForFloat(parts.f) * perLog + parts.k * perPower);
  return x > 0 ? (x < __builtin_inff() ? value : x) : x == 0 ? -__builtin_inff() : __builtin_nanf("");
}

// LogSeries: log(1 + f) = f - (half - s (half + series)) for s = f / (2 + f).
struct LogSeries {
  double half, s, series;
};
inline LogSeries logSeries(double f) {
  const double s = f / (2 + f), z = s * s;
  const double tail =
      polynomial(z, {0x1.5555555555592p-2, 0x1.999999997fd77p-3, 0x1.24924941f4fb5p-3, 0x1.c71c52060803ep-4,
                     0x1.74663fa2250b8p-4, 0x1.39a1a6f733f89p-4, 0x1.2f0634870fe1dp-4});
  return {0.5 * f * f, s, 2 * z * tail};
}

inline bool isOrdinary(double x) { return x >= 0x1p-1022 && x < infinity; }

// upperHalf() has 26 digits: products of two such are exact.
inline double upperHalf(double x) { return bitsAs<double>(bitsAs<u64>(x) & 0xfffffffff8000000ul); }

// Pair is a number in two parts; the high one has 26 digits.
struct Pair {
  double high, low;
};
inline Pair pair(double high, double low) {
  const double upper = upperHalf(high + low);
  return {upper, low - (upper - high)};
}

// log2Pair() has a relative error below 2^-62: 2/(3 ln 2) s (3 + z + z^2 q(z)) with the first terms in pairs.
inline Pair log2Pair(double x) {
  const Split parts = split(x);
  const double f = parts.f, sum = 2 + f, inverse = 1 / sum, s = f * inverse;
  const double sHigh = upperHalf(s), sumHigh = upperHalf(sum), sumLow = f - (sumHigh - 2);
  const double sLow = ((f - sHigh * sumHigh) - sHigh * sumLow) * inverse;
  const double z = s * s;
  const double q =
      polynomial(z, {0x1.3333333333330p-1, 0x1.b6db6db6dc851p-2, 0x1.555555542035ep-2, 0x1.1745d225c9ad2p-2,
                     0x1.d89d140aeeb44p-3, 0x1.99b1115b9335ap-3, 0x1.66a6823559ac2p-3, 0x1.704d6ff1b56b9p-3});
  const double square = sHigh * sHigh, rest = sLow * (sHigh + s) + z * z * q;
  const Pair series = pair(3 + square, rest + (square - ((3 + square) - 3)));
  const Pair product = pair(sHigh * series.high, sLow * series.high + series.low * s);
  // 2/(3 ln 2)
  const double factor = 0x1.ec709dc3a03fdp-1, factorHigh = 0x1.ec709d8p-1, factorLow = 0x1.0e80ff5d27f05p-27;
  const double high = product.high * factorHigh, low = product.high * factorLow + product.low * factor;
  const double whole = parts.k + high;
  return pair(whole, ((parts.k - whole) + high) + low);
}

}  // namespace hostwarp::math

HWMATH float hwmath_logf(float x) { return hostwarp::math::logOfFloat(x, hostwarp::math::ln2, 1); }
HWMATH float hwmath_log2f(float x) { return hostwarp::math::logOfFloat(x, 1, hostwarp::math::log2OfE); }
HWMATH float hwmath_log10f(float x) {
  return hostwarp::math::logOfFloat(x, 0x1.34413509f79ffp-2, 0x1.bcb7b1526e50ep-2);
}
HWMATH float hwmath_log1pf(float x) {
  using namespace hostwarp::math;
  const double sum = 1 + double(x);
  const Split parts = split(sum);
  // What 1 + x has lost shows where x is small.
  const double lost = __builtin_fabsf(x) < 0.5f ? x - (sum - 1) : 0;
  const double value = log1pForFloat(parts.f) + parts.k * ln2 + lost;
  const float special = x == -1 ? -__builtin_inff() : x > 0 ? x : __builtin_nanf("");
  return x > -1 && x < __builtin_inff() ? (x == 0 ? x : float(value)) : special;
}

HWMATH double hwmath_log(double x) {
  using namespace hostwarp::math;
  const Split parts = split(x);
  const LogSeries t = logSeries(parts.f);
  double value = parts.k * ln2High - ((t.half - (t.s * (t.half + t.series) + parts.k * ln2Low)) - parts.f);
  if (HWMATH_UNLIKELY(!isOrdinary(x))) value = log(x);
  return value;
}
HWMATH double hwmath_log2(double x) {
  using namespace hostwarp::math;
  const Split parts = split(x);
  const LogSeries t = logSeries(parts.f);
  const double high = upperHalf(parts.f - t.half), low = ((parts.f - high) - t.half) + t.s * (t.half + t.series);
  const double unitHigh = 0x1.7154760p+0, unitLow = 0x1.4ae0bf85ddf44p-26;  // 1 / ln 2
  const double product = high * unitHigh, whole = parts.k + product;
  double value = whole + (((parts.k - whole) + product) + ((low + high) * unitLow + low * unitHigh));
  if (HWMATH_UNLIKELY(!isOrdinary(x))) value = log2(x);
  return value;
}

HWMATH float hwmath_powf(float x, float y) {
  using namespace hostwarp::math;
  const Split parts = split(x);
  const LogSeries t = logSeries(parts.f);
  const double log2OfX = parts.k + (parts.f - (t.half - t.s * (t.half + t.series))) * log2OfE;
  float value = float(exp2ForFloat(clamped(y * log2OfX, -200, 200)));
  if (HWMATH_UNLIKELY(!(x > 0 && x < __builtin_inff() && y - y == 0))) value = powf(x, y);
  return value;
}
HWMATH double hwmath_pow(double x, double y) {
  using namespace hostwarp::math;
  const Pair exponent = log2Pair(x);
  const double yHigh = upperHalf(y), high = yHigh * exponent.high;
  const double low = (y - yHigh) * exponent.high + y * exponent.low;
  const bool outside = __builtin_fabs(high) > 1100;
  const double whole = clamped(high, -1100, 1025);
  const Rounded k = rounded(whole);
  double value = scaled(expNear0((whole - k.k) * ln2, (outside ? 0 : low) * ln2), k);
  if (HWMATH_UNLIKELY(!(isOrdinary(x) && __builtin_fabs(y) < 0x1p60))) value = pow(x, y);
  return value;
}

#endif  // HOSTWARP_COMPILER_MATH_LIBRARY_LOGARITHM_H
