// Double arithmetic rounded towards zero, up or down, computed exactly in 128-bit integers.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "emu_runtime/abi/exports.h"

namespace {

using Wide = unsigned __int128;

// The values of hw_rounding in include/hostwarp/rounding.h, less HW_ROUND_NEAREST: that is the CPU's own operation.
enum Rounding { TowardsZero = 1, Up = 2, Down = 3 };

// Exact is (-1)^negative * (mantissa + rest) * 2^exponent, where 0 < rest < 1 if `inexact`, else rest is 0.
struct Exact {
  bool negative;
  Wide mantissa;
  int exponent;
  bool inexact;
};

int bitLength(Wide value) {
  const uint64_t high = static_cast<uint64_t>(value >> 64);
  return high ? 128 - std::countl_zero(high) : 64 - std::countl_zero(static_cast<uint64_t>(value));
}

// unpack() takes a finite number apart.
Exact unpack(double x) {
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  const int biased = static_cast<int>((bits >> 52) & 0x7ff);
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  if (biased == 0) return {(bits >> 63) != 0, fraction, -1074, false};
  return {(bits >> 63) != 0, fraction | (uint64_t{1} << 52), biased - 1075, false};
}

double withSign(double magnitude, bool negative) { return negative ? -magnitude : magnitude; }

bool awayFromZero(int rounding, bool negative) { return rounding == (negative ? Down : Up); }

// pack() rounds to double. pre: an inexact value has at least 55 bits.
double pack(const Exact &value, int rounding) {
  const int lowest = std::numeric_limits<double>::min_exponent - std::numeric_limits<double>::digits;  // 2^-1074
  int exponent = value.exponent + bitLength(value.mantissa) - std::numeric_limits<double>::digits;
  if (exponent < lowest) exponent = lowest;
  const int shift = exponent - value.exponent;
  Wide kept = value.mantissa;
  bool lost = value.inexact;
  if (shift >= 128) {
    lost |= kept != 0;
    kept = 0;
  } else if (shift > 0) {
    lost |= (kept & ((Wide{1} << shift) - 1)) != 0;
    kept >>= shift;
  } else {
    kept <<= -shift;
  }
  const bool away = awayFromZero(rounding, value.negative);
  if (lost && away) ++kept;
  const double magnitude = std::scalbn(static_cast<double>(static_cast<uint64_t>(kept)), exponent);
  if (std::isinf(magnitude) && !away) return withSign(std::numeric_limits<double>::max(), value.negative);
  return withSign(magnitude, value.negative);
}

// raise() moves the mantissa's highest bit to bit 125, leaving room for a carry and a sign.
void raise(Exact &value) {
  const int shift = 126 - bitLength(value.mantissa);
  value.mantissa <<= shift;
  value.exponent -= shift;
}

// add() is a + b. pre: both exact and not zero.
Exact add(Exact a, Exact b) {
  if (a.exponent + bitLength(a.mantissa) < b.exponent + bitLength(b.mantissa)) std::swap(a, b);
  raise(a);
  raise(b);
  // b has the smaller highest bit. What is shifted out of it lies so far below a that no cancellation reaches it.
  const int shift = a.exponent - b.exponent;
  const bool lost = shift >= 128 || (b.mantissa & ((Wide{1} << shift) - 1)) != 0;
  const Wide aligned = shift >= 128 ? 0 : b.mantissa >> shift;
  if (a.negative == b.negative) return {a.negative, a.mantissa + aligned, a.exponent, lost};
  if (a.mantissa >= aligned + lost) return {a.negative, a.mantissa - aligned - lost, a.exponent, lost};
  return {b.negative, aligned - a.mantissa, a.exponent, false};
}

// sum() rounds a + b. An exact zero is -0 when rounding down, unless both operands are +0.
double sum(const Exact &a, const Exact &b, int rounding) {
  if (a.mantissa == 0 && b.mantissa == 0)
    return withSign(0.0, a.negative == b.negative ? a.negative : rounding == Down);
  if (a.mantissa == 0) return pack(b, rounding);
  if (b.mantissa == 0) return pack(a, rounding);
  const Exact total = add(a, b);
  if (total.mantissa == 0 && !total.inexact) return withSign(0.0, rounding == Down);
  return pack(total, rounding);
}

Exact product(double a, double b) {
  const Exact x = unpack(a), y = unpack(b);
  return {x.negative != y.negative, x.mantissa * y.mantissa, x.exponent + y.exponent, false};
}

uint64_t squareRoot(Wide value) {
  uint64_t root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const uint64_t candidate = root | (uint64_t{1} << bit);
    if (static_cast<Wide>(candidate) * candidate <= value) root = candidate;
  }
  return root;
}

}  // namespace

HOSTWARP_ABI double hw_math_add_rounded(double a, double b, int rounding) noexcept {
  if (!std::isfinite(a) || !std::isfinite(b)) return a + b;
  return sum(unpack(a), unpack(b), rounding);
}

HOSTWARP_ABI double hw_math_mul_rounded(double a, double b, int rounding) noexcept {
  if (!std::isfinite(a) || !std::isfinite(b) || a == 0 || b == 0) return a * b;
  return pack(product(a, b), rounding);
}

HOSTWARP_ABI double hw_math_fma_rounded(double a, double b, double c, int rounding) noexcept {
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) return std::fma(a, b, c);
  return sum(product(a, b), unpack(c), rounding);
}

HOSTWARP_ABI double hw_math_div_rounded(double a, double b, int rounding) noexcept {
  if (!std::isfinite(a) || !std::isfinite(b) || a == 0 || b == 0) return a / b;
  Exact dividend = unpack(a), divisor = unpack(b);
  raise(dividend);
  const Wide quotient = dividend.mantissa / divisor.mantissa;
  const bool inexact = quotient * divisor.mantissa != dividend.mantissa;
  return pack({dividend.negative != divisor.negative, quotient, dividend.exponent - divisor.exponent, inexact},
              rounding);
}

HOSTWARP_ABI double hw_math_sqrt_rounded(double a, int rounding) noexcept {
  if (!(a > 0) || std::isinf(a)) return std::sqrt(a);
  Exact radicand = unpack(a);
  raise(radicand);
  if (radicand.exponent & 1) {
    radicand.mantissa >>= 1;  // the lowest bits are zero: a mantissa has 53
    ++radicand.exponent;
  }
  const uint64_t root = squareRoot(radicand.mantissa);
  const bool inexact = static_cast<Wide>(root) * root != radicand.mantissa;
  return pack({false, root, radicand.exponent / 2, inexact}, rounding);
}
