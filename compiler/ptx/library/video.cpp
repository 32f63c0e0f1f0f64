// The video instructions. Operands come extended by their own signs.
#include "compiler/ptx/library/interface.h"

static inline s64 clampTo(s64 value, int bits, int isSigned) {
  const s64 low = isSigned ? -(s64(1) << (bits - 1)) : 0;
  const s64 high = isSigned ? (s64(1) << (bits - 1)) - 1 : (s64(1) << bits) - 1;
  return value < low ? low : value > high ? high : value;
}

static inline bool compare(s64 a, s64 b, int comparison) {
  switch (comparison) {
    case 0:
      return a == b;
    case 1:
      return a != b;
    case 2:
      return a < b;
    case 3:
      return a <= b;
    case 4:
      return a > b;
    default:
      return a >= b;
  }
}

// The order of ptx's VideoOperation.
static inline s64 compute(s64 a, s64 b, int operation, int comparison) {
  switch (operation) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a > b ? a - b : b - a;
    case 3:
      return a < b ? a : b;
    case 4:
      return a > b ? a : b;
    case 5:
      return (a + b + (a + b >= 0)) >> 1;
    default:
      return compare(a, b, comparison);
  }
}

HWPTX s64 hwptx_video(s64 a, s64 b, int operation, int comparison, int saturates, int bits, int isSigned) {
  const s64 value = compute(a, b, operation, comparison);
  return saturates ? clampTo(value, bits, isSigned) : value;
}

HWPTX s64 hwptx_video_shift(s64 a, s64 amount, int left, int wraps, int saturates, int bits, int isSigned) {
  if (wraps) amount &= 31;
  if (amount > 32) amount = 32;
  const s64 value = left ? s64(u64(a) << amount) : a >> amount;
  return saturates ? clampTo(value, bits, isSigned) : value;
}

// video_finish: kind 0 puts the value into a part of c; 1 to 3 add, or take the minimum or maximum.
HWPTX u32 hwptx_video_finish(u32 value, u32 c, int kind, u32 shift, u32 bits, int isSigned) {
  if (kind == 0) {
    const u32 mask = (bits == 32 ? ~0u : (1u << bits) - 1) << shift;
    return (c & ~mask) | (value << shift & mask);
  }
  if (kind == 1) return value + c;
  const bool less = isSigned ? s32(value) < s32(c) : value < c;
  return less == (kind == 2) ? value : c;
}

HWPTX u32 hwptx_video_mad(s64 a, s64 b, s64 c, int inverts, int more, int shift, int saturates, int isSigned) {
  const __int128 product = static_cast<__int128>(a) * b;
  const __int128 value = ((inverts ? ~product : product) + c + more) >> shift;
  const __int128 limit = static_cast<__int128>(1) << 40;
  if (!saturates) return u32(value);
  return u32(clampTo(value > limit ? s64(limit) : value < -limit ? -s64(limit) : s64(value), 32, isSigned));
}

static inline s64 laneOf(u64 both, u32 index, int bits, int isSigned) {
  const u64 value = both >> index * u32(bits) & ((u64(1) << bits) - 1);
  return isSigned && (value >> (bits - 1) & 1) ? s64(value) - (s64(1) << bits) : s64(value);
}

// video_simd: `signs` has a's, b's and the result's from bit 0; selectors have a nibble per lane that counts through
// both sources. Lanes outside of `mask` keep c's, or add nothing.
HWPTX u32 hwptx_video_simd(u32 a, u32 b, u32 c, int operation, int comparison, int lanes, u32 signs, int saturates,
                           int adds, u32 selectA, u32 selectB, u32 mask) {
  const int bits = 32 / lanes;
  const u64 both = u64(b) << 32 | a;
  const u32 laneMask = (1u << bits) - 1;
  u32 result = adds ? c : 0;
  for (int i = 0; i < lanes; ++i) {
    const u32 shift = u32(i * bits);
    if (!(mask >> i & 1)) {
      if (!adds) result |= c & laneMask << shift;
      continue;
    }
    s64 value = compute(laneOf(both, selectA >> 4 * i & 15, bits, signs & 1),
                        laneOf(both, selectB >> 4 * i & 15, bits, signs >> 1 & 1), operation, comparison);
    if (saturates) value = clampTo(value, bits, signs >> 2 & 1);
    if (adds)
      result += signs >> 2 & 1 ? u32(s32(u32(value) << (32 - bits)) >> (32 - bits)) : u32(value) & laneMask;
    else
      result |= (u32(value) & laneMask) << shift;
  }
  return result;
}
