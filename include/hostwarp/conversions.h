// Conversions between number types with a chosen rounding, and bit casts [CUDA math API, type casting intrinsics].
//
// What does not fit saturates. NaN becomes 0 when both types have 32 bits or less, else the integer with only its top
// bit set [PTX cvt].
#ifndef HOSTWARP_CONVERSIONS_H
#define HOSTWARP_CONVERSIONS_H

#include "rounding.h"

// --- Bit casts ---

HOSTWARP_DEVICE int __float_as_int(float x) { return static_cast<int>(hw_float_bits(x)); }
HOSTWARP_DEVICE unsigned __float_as_uint(float x) { return hw_float_bits(x); }
HOSTWARP_DEVICE float __int_as_float(int x) { return hw_bits_float(static_cast<uint32_t>(x)); }
HOSTWARP_DEVICE float __uint_as_float(unsigned x) { return hw_bits_float(x); }
HOSTWARP_DEVICE long long __double_as_longlong(double x) { return static_cast<long long>(hw_double_bits(x)); }
HOSTWARP_DEVICE double __longlong_as_double(long long x) { return hw_bits_double(static_cast<uint64_t>(x)); }
HOSTWARP_DEVICE int __double2hiint(double x) { return static_cast<int>(hw_double_bits(x) >> 32); }
HOSTWARP_DEVICE int __double2loint(double x) { return static_cast<int>(hw_double_bits(x)); }
HOSTWARP_DEVICE double __hiloint2double(int high, int low) {
  return hw_bits_double((static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32) | static_cast<uint32_t>(low));
}

// --- Floating point to integer ---

// hw_to_integer() converts a value that is whole already. `limit` is 2 to the power of the integer's value bits.
template <class Integer, class Floating>
HOSTWARP_DEVICE Integer hw_to_integer(Floating whole, Floating limit, Integer nan) {
  const bool isSigned = static_cast<Integer>(-1) < static_cast<Integer>(0);
  const Integer top = static_cast<Integer>(static_cast<Integer>(1) << (8 * sizeof(Integer) - 1));
  if (whole != whole) return nan;
  if (whole >= limit) return isSigned ? static_cast<Integer>(~top) : static_cast<Integer>(-1);
  if (whole < (isSigned ? -limit : static_cast<Floating>(0))) return isSigned ? top : static_cast<Integer>(0);
  return static_cast<Integer>(whole);
}

#define HOSTWARP_TO_INTEGER_1(name, Integer, Floating, round, limit, nan)                \
  HOSTWARP_DEVICE Integer name(Floating x) {                                             \
    return hw_to_integer<Integer, Floating>(round(x), limit, static_cast<Integer>(nan)); \
  }
#define HOSTWARP_TO_INTEGER(name, Integer, Floating, suffix, limit, nan)                   \
  HOSTWARP_TO_INTEGER_1(name##_rn, Integer, Floating, __builtin_rint##suffix, limit, nan)  \
  HOSTWARP_TO_INTEGER_1(name##_rz, Integer, Floating, __builtin_trunc##suffix, limit, nan) \
  HOSTWARP_TO_INTEGER_1(name##_ru, Integer, Floating, __builtin_ceil##suffix, limit, nan)  \
  HOSTWARP_TO_INTEGER_1(name##_rd, Integer, Floating, __builtin_floor##suffix, limit, nan)
HOSTWARP_TO_INTEGER(__float2int, int, float, f, 0x1p31f, 0)
HOSTWARP_TO_INTEGER(__float2uint, unsigned, float, f, 0x1p32f, 0)
HOSTWARP_TO_INTEGER(__float2ll, long long, float, f, 0x1p63f, 1ull << 63)
HOSTWARP_TO_INTEGER(__float2ull, unsigned long long, float, f, 0x1p64f, 1ull << 63)
HOSTWARP_TO_INTEGER(__double2int, int, double, , 0x1p31, 1u << 31)
HOSTWARP_TO_INTEGER(__double2uint, unsigned, double, , 0x1p32, 1u << 31)
HOSTWARP_TO_INTEGER(__double2ll, long long, double, , 0x1p63, 1ull << 63)
HOSTWARP_TO_INTEGER(__double2ull, unsigned long long, double, , 0x1p64, 1ull << 63)
#undef HOSTWARP_TO_INTEGER
#undef HOSTWARP_TO_INTEGER_1

// --- Integer to floating point ---

HOSTWARP_DEVICE float hw_step(float x, bool upwards) { return hw_bits_float(hw_next(hw_float_bits(x), upwards)); }
HOSTWARP_DEVICE double hw_step(double x, bool upwards) { return hw_bits_double(hw_next(hw_double_bits(x), upwards)); }

// hw_magnitude_to_real() rounds an unsigned integer towards zero, or away from it. The leading bits are exact in
// Floating.
template <class Floating>
HOSTWARP_DEVICE_FUNCTION Floating hw_magnitude_to_real(unsigned long long magnitude, bool away) {
  const int digits = sizeof(Floating) == sizeof(float) ? 24 : 53;
  const int length = magnitude ? 64 - __builtin_clzll(magnitude) : 0;
  if (length <= digits) return static_cast<Floating>(magnitude);
  const unsigned long long rest = (1ull << (length - digits)) - 1;
  const Floating truncated = static_cast<Floating>(magnitude & ~rest);
  return away && (magnitude & rest) ? hw_step(truncated, true) : truncated;
}

template <class Floating>
HOSTWARP_DEVICE Floating hw_unsigned_to_real(unsigned long long x, int rounding) {
  return hw_magnitude_to_real<Floating>(x, rounding == HW_ROUND_UP);
}

template <class Floating>
HOSTWARP_DEVICE Floating hw_signed_to_real(long long x, int rounding) {
  if (x >= 0) return hw_magnitude_to_real<Floating>(static_cast<unsigned long long>(x), rounding == HW_ROUND_UP);
  return -hw_magnitude_to_real<Floating>(0ull - static_cast<unsigned long long>(x), rounding == HW_ROUND_DOWN);
}

#define HOSTWARP_FROM_INTEGER(name, Floating, Integer, sign)                                                \
  HOSTWARP_DEVICE Floating name##_rn(Integer x) { return static_cast<Floating>(x); }                        \
  HOSTWARP_DEVICE Floating name##_rz(Integer x) { return hw_##sign##_to_real<Floating>(x, HW_ROUND_ZERO); } \
  HOSTWARP_DEVICE Floating name##_ru(Integer x) { return hw_##sign##_to_real<Floating>(x, HW_ROUND_UP); }   \
  HOSTWARP_DEVICE Floating name##_rd(Integer x) { return hw_##sign##_to_real<Floating>(x, HW_ROUND_DOWN); }
HOSTWARP_FROM_INTEGER(__int2float, float, int, signed)
HOSTWARP_FROM_INTEGER(__uint2float, float, unsigned, unsigned)
HOSTWARP_FROM_INTEGER(__ll2float, float, long long, signed)
HOSTWARP_FROM_INTEGER(__ull2float, float, unsigned long long, unsigned)
HOSTWARP_FROM_INTEGER(__ll2double, double, long long, signed)
HOSTWARP_FROM_INTEGER(__ull2double, double, unsigned long long, unsigned)
#undef HOSTWARP_FROM_INTEGER
HOSTWARP_DEVICE double __int2double_rn(int x) { return x; }
HOSTWARP_DEVICE double __uint2double_rn(unsigned x) { return x; }

// --- double to float ---

HOSTWARP_DEVICE float __double2float_rn(double x) { return static_cast<float>(x); }
HOSTWARP_DEVICE float __double2float_rz(double x) { return hw_round_to_float(x, HW_ROUND_ZERO); }
HOSTWARP_DEVICE float __double2float_ru(double x) { return hw_round_to_float(x, HW_ROUND_UP); }
HOSTWARP_DEVICE float __double2float_rd(double x) { return hw_round_to_float(x, HW_ROUND_DOWN); }

#endif  // HOSTWARP_CONVERSIONS_H
