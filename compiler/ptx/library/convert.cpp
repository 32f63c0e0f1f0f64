// Conversions to and from small floating-point formats.
#include "compiler/ptx/library/formats.h"

// tf32 lives in the upper bits of a 32-bit register.
static inline u32 place(int format, u32 bits) {
  return format == 2 ? bits << 13 | (bits == 0x3ffff ? 0x1fff : 0) : bits;
}

HWPTX u32 hwptx_encode(double value, int format, int mode, int satfinite, int relu) {
  if (relu && value <= 0) return 0;
  return place(format, numbers::encode(formats[format], value, mode, satfinite));
}

HWPTX u32 hwptx_encode_integer(u64 value, int isSigned, int format, int mode) {
  const bool negative = isSigned && s64(value) < 0;
  return numbers::encodeInteger(formats[format], negative ? -value : value, negative, mode);
}

HWPTX float hwptx_decode(u32 bits, int format) {
  return float(numbers::decode(formats[format], format == 2 ? bits >> 13 : bits));
}

HWPTX unsigned char hwptx_encode_ue8m0(double value, int mode, int satfinite) {
  return numbers::encodeE8m0(value, mode, satfinite);
}

HWPTX float hwptx_decode_ue8m0(u32 bits) { return numbers::decodeE8m0(bits); }
