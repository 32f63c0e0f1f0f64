// Conversions to and from small floating-point formats.
#include "compiler/ptx/library/formats.h"

// tf32 lives in the upper bits of a 32-bit register.
static inline u32 place(int format, u32 bits) {
  return format == 2 ? bits << 13 | (bits == 0x3ffff ? 0x1fff : 0) : bits;
}

HWPTX u32 hwptx_encode(double value, int format, int mode, int satfinite, int relu) {
  if (relu && value <= 0) return 0;
  return place(format, encode(formats[format], value, mode, satfinite));
}

HWPTX u32 hwptx_encode_integer(u64 value, int isSigned, int format, int mode) {
  const bool negative = isSigned && s64(value) < 0;
  const u64 magnitude = negative ? -value : value;
  const u32 sign = u32(negative) << formats[format].signShift();
  return sign | roundTo(formats[format], magnitude, 0, negative, mode, false);
}

HWPTX float hwptx_decode(u32 bits, int format) {
  return float(decode(formats[format], format == 2 ? bits >> 13 : bits));
}

// ue8m0 is a power of two without sign; 255 is NaN. Rounding goes to zero or up (mode `upward`).
HWPTX unsigned char hwptx_encode_ue8m0(double value, int mode, int satfinite) {
  if (value != value) return 255;
  const u64 bits = bitsAs<u64>(value) & ~(u64(1) << 63);
  const int biased = int(bits >> 52) - 1023 + 127;
  const bool exact = !(bits & 0xfffffffffffffull);
  int result = biased + (mode == upward && !exact);
  if (bits == 0 || result < 0) result = 0;
  if (result > 254) result = satfinite ? 254 : 255;
  return (unsigned char)result;
}

HWPTX float hwptx_decode_ue8m0(u32 bits) {
  if (bits == 255) return bitsAs<float>(0x7fffffffu);
  return bits ? bitsAs<float>(bits << 23) : bitsAs<float>(0x00400000u);
}
