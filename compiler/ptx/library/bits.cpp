// Integer instructions on bit fields and bytes. Operands of 32-bit forms come extended to 64 bits by their sign.
#include "compiler/ptx/library/interface.h"

// bfe: `length` bits from `start`. Above the value lies its sign (signed) or 0.
HWPTX u64 hwptx_bfe(u64 value, u32 start, u32 length, int width, int isSigned) {
  start &= 255;
  length &= 255;
  if (!length) return 0;
  u32 last = start + length - 1;
  if (last > u32(width) - 1) last = u32(width) - 1;
  const u64 sign = isSigned && (value >> last & 1) ? ~u64(0) : 0;
  const u64 field = start < u32(width) ? (isSigned ? u64(s64(value) >> start) : value >> start) : sign;
  const u64 mask = length >= 64 ? ~u64(0) : (u64(1) << length) - 1;
  return (field & mask) | (sign & ~mask);
}

// bfi: the low `length` bits of `field` at `start` of `value`.
HWPTX u64 hwptx_bfi(u64 field, u64 value, u32 start, u32 length, int width) {
  start &= 255;
  length &= 255;
  if (start >= u32(width) || !length) return value;
  const u64 mask = (length >= 64 ? ~u64(0) : (u64(1) << length) - 1) << start;
  return (value & ~mask) | (field << start & mask);
}

// bfind: the position of the highest bit that differs from the sign, or how far to shift it to the top; all ones if
// there is none.
HWPTX u32 hwptx_bfind(u64 value, int width, int isSigned, int shiftAmount) {
  if (isSigned && s64(value) < 0) value = ~value;
  if (!value) return ~0u;
  const u32 position = 63 - u32(__builtin_clzl(value));
  return shiftAmount ? u32(width) - 1 - position : position;
}

// fns: the position of the n-th set bit of `mask` seen from `base`, upward for n > 0, downward for n < 0.
HWPTX u32 hwptx_fns(u32 mask, u32 base, s32 n) {
  if (n == 0) return base < 32 && (mask >> base & 1) ? base : ~0u;
  const int step = n > 0 ? 1 : -1;
  s32 left = n > 0 ? n : -n;
  for (s32 at = s32(base); at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) && --left == 0) return u32(at);
  return ~0u;
}

HWPTX u32 hwptx_bmsk(u32 start, u32 length, int wraps) {
  if (wraps) {
    start &= 31;
    length &= 31;
  }
  if (start >= 32) return 0;
  const u32 ones = length >= 32 ? ~0u : (1u << length) - 1;
  return ones << start;
}

// szext: the low `length` bits, extended by their sign or with zeros.
HWPTX u32 hwptx_szext(u32 value, u32 length, int wraps, int isSigned) {
  if (wraps) length &= 31;
  if (length >= 32) return value;
  if (!length) return 0;
  const u32 shift = 32 - length;
  return isSigned ? u32(s32(value << shift) >> shift) : value << shift >> shift;
}

static inline u32 byteOf(u64 both, u32 index) { return u32(both >> (index & 7) * 8) & 0xff; }

// prmt: `mode` 0 takes each byte by a nibble of the selector (bit 3: its sign instead); the others are fixed patterns
// that start at the selector's low two bits.
HWPTX u32 hwptx_prmt(u32 a, u32 b, u32 selector, int mode) {
  const u64 both = u64(b) << 32 | a;
  const u32 from = selector & 3;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    u32 byte;
    switch (mode) {
      case 1:
        byte = byteOf(both, from + i);
        break;  // f4e
      case 2:
        byte = byteOf(both, from - i);
        break;  // b4e
      case 3:
        byte = byteOf(both, from);
        break;  // rc8
      case 4:
        byte = byteOf(both, i > from ? i : from);
        break;  // ecl
      case 5:
        byte = byteOf(both, i < from ? i : from);
        break;  // ecr
      case 6:
        byte = byteOf(both, (from & 1) * 2 + (i & 1));
        break;  // rc16
      default: {
        const u32 nibble = selector >> i * 4 & 15;
        byte = byteOf(both, nibble);
        if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
      }
    }
    result |= byte << i * 8;
  }
  return result;
}
