// Arithmetic on bf16, and read-modify-write of 16-bit floats in memory.
#include "compiler/ptx/library/formats.h"

static inline double widen(u16 bf16) { return bitsAs<float>(u32(bf16) << 16); }

// addToOdd() adds and rounds to odd: rounding the result once more, to fewer digits, gives the correctly rounded sum.
static inline double addToOdd(double a, double b) {
  const double sum = a + b;
  const double fromB = sum - a;
  const double error = (a - (sum - fromB)) + (b - fromB);
  u64 bits = bitsAs<u64>(sum);
  if (!(error != 0) || (bits & 1) || (bits & 0x7ff0000000000000ull) == 0x7ff0000000000000ull) return sum;
  bits += (error > 0) == (sum > 0) ? 1 : -1ull;
  return bitsAs<double>(bits);
}

// `operation` is a ptx::FloatOperation. Products of two bf16 are exact in double; quotients and roots have enough
// digits for rounding twice.
HWPTX u16 hwptx_bf16(int operation, u16 a, u16 b, u16 c) {
  const double x = widen(a), y = widen(b);
  double result;
  switch (operation) {
    case 0:
      result = addToOdd(x, y);
      break;
    case 1:
      result = addToOdd(x, -y);
      break;
    case 2:
      result = x * y;
      break;
    case 3:
      result = x / y;
      break;
    case 4:
      result = addToOdd(x * y, widen(c));
      break;
    default:
      result = __builtin_sqrt(x);
      break;
  }
  return u16(encode(formats[1], result, toNearestEven, false));
}

static inline double valueOf(u16 bits, int brain) { return brain ? widen(bits) : decode(formats[0], bits); }

// combine(): 0 adds, 1 and 2 take the minimum and maximum, NaN losing.
static inline u16 combine(u16 a, u16 b, int operation, int brain) {
  const double x = valueOf(a, brain), y = valueOf(b, brain);
  if (operation == 0) return u16(encode(formats[brain], addToOdd(x, y), toNearestEven, false));
  if (y != y) return x != x ? 0x7fff : a;
  if (x != x) return b;
  if (x == y) return operation == 1 ? a | b : a & b;
  return (x < y) == (operation == 1) ? a : b;
}

HWPTX u16 hwptx_atomic_half1(u16 *address, u16 value, int operation, int brain) {
  u16 old = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(address, &old, combine(old, value, operation, brain), true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
  }
  return old;
}

HWPTX u32 hwptx_atomic_half2(u32 *address, u32 value, int operation, int brain) {
  u32 old = __atomic_load_n(address, __ATOMIC_RELAXED), desired;
  do {
    desired = combine(u16(old), u16(value), operation, brain) |
              u32(combine(u16(old >> 16), u16(value >> 16), operation, brain)) << 16;
  } while (!__atomic_compare_exchange_n(address, &old, desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}
