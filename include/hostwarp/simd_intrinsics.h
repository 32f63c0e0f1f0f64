// SIMD within a word: two 16-bit or four 8-bit lanes [CUDA math API, SIMD intrinsics], and the fused minimum/maximum
// functions [CUDA math API, DPX].
#ifndef HOSTWARP_SIMD_INTRINSICS_H
#define HOSTWARP_SIMD_INTRINSICS_H

#include "integer_intrinsics.h"

// hw_clamp() is `value` brought into the range of T.
template <class T>
HOSTWARP_DEVICE T hw_clamp(int value) {
  const bool isSigned = static_cast<T>(-1) < static_cast<T>(0);
  const int high = isSigned ? (1 << (8 * sizeof(T) - 1)) - 1 : (1 << (8 * sizeof(T))) - 1;
  const int low = isSigned ? -high - 1 : 0;
  return static_cast<T>(value < low ? low : value > high ? high : value);
}

// The lane expressions see the operands x and y, widened to int.
#define HOSTWARP_LANES(name, lane, count, parameters, second, expression)                       \
  HOSTWARP_DEVICE unsigned name parameters {                                                    \
    unsigned result = 0;                                                                        \
    for (unsigned i = 0; i < count; ++i) {                                                      \
      const int x = hw_lane<lane>(a, i);                                                        \
      const int y = hw_lane<lane>(second, i);                                                   \
      static_cast<void>(y);                                                                     \
      const unsigned bits = static_cast<unsigned>(expression) & (count == 2 ? 0xffffu : 0xffu); \
      result |= bits << (i * 32 / count);                                                       \
    }                                                                                           \
    return result;                                                                              \
  }
#define HOSTWARP_SIMD_1(name, lane, count, expression) HOSTWARP_LANES(name, lane, count, (unsigned a), a, expression)
#define HOSTWARP_SIMD_2(name, lane, count, expression) \
  HOSTWARP_LANES(name, lane, count, (unsigned a, unsigned b), b, expression)
#define HOSTWARP_SIMD_SUM(name, lane, count)               \
  HOSTWARP_DEVICE unsigned name(unsigned a, unsigned b) {  \
    unsigned sum = 0;                                      \
    for (unsigned i = 0; i < count; ++i) {                 \
      const int x = hw_lane<lane>(a, i);                   \
      const int y = hw_lane<lane>(b, i);                   \
      sum += static_cast<unsigned>(x < y ? y - x : x - y); \
    }                                                      \
    return sum;                                            \
  }
// __vcmp* fill the lane with ones, __vset* store a 1.
#define HOSTWARP_SIMD_COMPARE(suffix, lane, count, operation)                 \
  HOSTWARP_SIMD_2(__vcmp##suffix##count, lane, count, x operation y ? -1 : 0) \
  HOSTWARP_SIMD_2(__vset##suffix##count, lane, count, x operation y ? 1 : 0)

#define HOSTWARP_SIMD(count, narrow, unsignedNarrow)                                       \
  HOSTWARP_SIMD_1(__vabs##count, narrow, count, x < 0 ? -x : x)                            \
  HOSTWARP_SIMD_1(__vabsss##count, narrow, count, hw_clamp<narrow>(x < 0 ? -x : x))        \
  HOSTWARP_SIMD_1(__vneg##count, narrow, count, -x)                                        \
  HOSTWARP_SIMD_1(__vnegss##count, narrow, count, hw_clamp<narrow>(-x))                    \
  HOSTWARP_SIMD_2(__vadd##count, unsignedNarrow, count, x + y)                             \
  HOSTWARP_SIMD_2(__vaddss##count, narrow, count, hw_clamp<narrow>(x + y))                 \
  HOSTWARP_SIMD_2(__vaddus##count, unsignedNarrow, count, hw_clamp<unsignedNarrow>(x + y)) \
  HOSTWARP_SIMD_2(__vsub##count, unsignedNarrow, count, x - y)                             \
  HOSTWARP_SIMD_2(__vsubss##count, narrow, count, hw_clamp<narrow>(x - y))                 \
  HOSTWARP_SIMD_2(__vsubus##count, unsignedNarrow, count, hw_clamp<unsignedNarrow>(x - y)) \
  HOSTWARP_SIMD_2(__vabsdiffs##count, narrow, count, x < y ? y - x : x - y)                \
  HOSTWARP_SIMD_2(__vabsdiffu##count, unsignedNarrow, count, x < y ? y - x : x - y)        \
  HOSTWARP_SIMD_2(__vavgs##count, narrow, count, (x + y + (x + y >= 0)) >> 1)              \
  HOSTWARP_SIMD_2(__vavgu##count, unsignedNarrow, count, (x + y + 1) >> 1)                 \
  HOSTWARP_SIMD_2(__vhaddu##count, unsignedNarrow, count, (x + y) >> 1)                    \
  HOSTWARP_SIMD_2(__vmaxs##count, narrow, count, x < y ? y : x)                            \
  HOSTWARP_SIMD_2(__vmaxu##count, unsignedNarrow, count, x < y ? y : x)                    \
  HOSTWARP_SIMD_2(__vmins##count, narrow, count, x < y ? x : y)                            \
  HOSTWARP_SIMD_2(__vminu##count, unsignedNarrow, count, x < y ? x : y)                    \
  HOSTWARP_SIMD_SUM(__vsads##count, narrow, count)                                         \
  HOSTWARP_SIMD_SUM(__vsadu##count, unsignedNarrow, count)                                 \
  HOSTWARP_SIMD_COMPARE(eq, narrow, count, ==)                                             \
  HOSTWARP_SIMD_COMPARE(ne, narrow, count, !=)                                             \
  HOSTWARP_SIMD_COMPARE(ges, narrow, count, >=)                                            \
  HOSTWARP_SIMD_COMPARE(geu, unsignedNarrow, count, >=)                                    \
  HOSTWARP_SIMD_COMPARE(gts, narrow, count, >)                                             \
  HOSTWARP_SIMD_COMPARE(gtu, unsignedNarrow, count, >)                                     \
  HOSTWARP_SIMD_COMPARE(les, narrow, count, <=)                                            \
  HOSTWARP_SIMD_COMPARE(leu, unsignedNarrow, count, <=)                                    \
  HOSTWARP_SIMD_COMPARE(lts, narrow, count, <)                                             \
  HOSTWARP_SIMD_COMPARE(ltu, unsignedNarrow, count, <)
HOSTWARP_SIMD(2, short, unsigned short)
HOSTWARP_SIMD(4, signed char, unsigned char)
#undef HOSTWARP_SIMD
#undef HOSTWARP_SIMD_COMPARE
#undef HOSTWARP_SIMD_SUM
#undef HOSTWARP_SIMD_2
#undef HOSTWARP_SIMD_1
#undef HOSTWARP_LANES

// --- DPX: callable from host code too ---

template <class T>
HOSTWARP_HOST_DEVICE T hw_min_of(T x, T y) {
  return x < y ? x : y;
}
template <class T>
HOSTWARP_HOST_DEVICE T hw_max_of(T x, T y) {
  return x < y ? y : x;
}
// Sums wrap around.
template <class T>
HOSTWARP_HOST_DEVICE T hw_wrapping_sum(T x, T y) {
  return static_cast<T>(static_cast<unsigned>(x) + static_cast<unsigned>(y));
}

// The s32 and u32 functions; T is int or unsigned.
#define HOSTWARP_DPX_32(suffix, T)                                                                          \
  HOSTWARP_HOST_DEVICE T __viaddmax_##suffix(T a, T b, T c) { return hw_max_of(hw_wrapping_sum(a, b), c); } \
  HOSTWARP_HOST_DEVICE T __viaddmin_##suffix(T a, T b, T c) { return hw_min_of(hw_wrapping_sum(a, b), c); } \
  HOSTWARP_HOST_DEVICE T __vimax3_##suffix(T a, T b, T c) { return hw_max_of(hw_max_of(a, b), c); }         \
  HOSTWARP_HOST_DEVICE T __vimin3_##suffix(T a, T b, T c) { return hw_min_of(hw_min_of(a, b), c); }         \
  HOSTWARP_HOST_DEVICE T __vibmax_##suffix(T a, T b, bool *first) {                                         \
    *first = a >= b;                                                                                        \
    return hw_max_of(a, b);                                                                                 \
  }                                                                                                         \
  HOSTWARP_HOST_DEVICE T __vibmin_##suffix(T a, T b, bool *first) {                                         \
    *first = a <= b;                                                                                        \
    return hw_min_of(a, b);                                                                                 \
  }
HOSTWARP_DPX_32(s32, int)
HOSTWARP_DPX_32(u32, unsigned)
#undef HOSTWARP_DPX_32

#define HOSTWARP_RELU_32(name, parameters, ...) \
  HOSTWARP_HOST_DEVICE int name##_s32_relu parameters { return hw_max_of(name##_s32(__VA_ARGS__), 0); }
HOSTWARP_RELU_32(__viaddmax, (int a, int b, int c), a, b, c)
HOSTWARP_RELU_32(__viaddmin, (int a, int b, int c), a, b, c)
HOSTWARP_RELU_32(__vimax3, (int a, int b, int c), a, b, c)
HOSTWARP_RELU_32(__vimin3, (int a, int b, int c), a, b, c)
#undef HOSTWARP_RELU_32
HOSTWARP_HOST_DEVICE int __vimax_s32_relu(int a, int b) { return hw_max_of(hw_max_of(a, b), 0); }
HOSTWARP_HOST_DEVICE int __vimin_s32_relu(int a, int b) { return hw_max_of(hw_min_of(a, b), 0); }

// hw_half() and hw_halves() take a word apart into 16-bit lanes and put it together.
template <class T>
HOSTWARP_HOST_DEVICE T hw_half(unsigned word, int i) {
  return static_cast<T>(word >> (16 * i));
}
HOSTWARP_HOST_DEVICE unsigned hw_halves(unsigned high, unsigned low) { return (high << 16) | (low & 0xffffu); }

#define HOSTWARP_DPX_16_3(name, T, expression)                                  \
  HOSTWARP_HOST_DEVICE unsigned name(unsigned a, unsigned b, unsigned c) {      \
    unsigned lanes[2];                                                          \
    for (int i = 0; i < 2; ++i) {                                               \
      const T x = hw_half<T>(a, i), y = hw_half<T>(b, i), z = hw_half<T>(c, i); \
      lanes[i] = static_cast<unsigned>(expression);                             \
    }                                                                           \
    return hw_halves(lanes[1], lanes[0]);                                       \
  }
#define HOSTWARP_DPX_16_2(name, T, expression)                 \
  HOSTWARP_HOST_DEVICE unsigned name(unsigned a, unsigned b) { \
    unsigned lanes[2];                                         \
    for (int i = 0; i < 2; ++i) {                              \
      const T x = hw_half<T>(a, i), y = hw_half<T>(b, i);      \
      lanes[i] = static_cast<unsigned>(expression);            \
    }                                                          \
    return hw_halves(lanes[1], lanes[0]);                      \
  }
#define HOSTWARP_DPX_16_PREDICATE(name, T, operation, function)                            \
  HOSTWARP_HOST_DEVICE unsigned name(unsigned a, unsigned b, bool *high, bool *low) {      \
    *high = hw_half<T>(a, 1) operation hw_half<T>(b, 1);                                   \
    *low = hw_half<T>(a, 0) operation hw_half<T>(b, 0);                                    \
    return hw_halves(static_cast<unsigned>(function(hw_half<T>(a, 1), hw_half<T>(b, 1))),  \
                     static_cast<unsigned>(function(hw_half<T>(a, 0), hw_half<T>(b, 0)))); \
  }
#define HOSTWARP_DPX_16(suffix, T)                                               \
  HOSTWARP_DPX_16_3(__viaddmax_##suffix, T, hw_max_of(hw_wrapping_sum(x, y), z)) \
  HOSTWARP_DPX_16_3(__viaddmin_##suffix, T, hw_min_of(hw_wrapping_sum(x, y), z)) \
  HOSTWARP_DPX_16_3(__vimax3_##suffix, T, hw_max_of(hw_max_of(x, y), z))         \
  HOSTWARP_DPX_16_3(__vimin3_##suffix, T, hw_min_of(hw_min_of(x, y), z))         \
  HOSTWARP_DPX_16_PREDICATE(__vibmax_##suffix, T, >=, hw_max_of)                 \
  HOSTWARP_DPX_16_PREDICATE(__vibmin_##suffix, T, <=, hw_min_of)
HOSTWARP_DPX_16(s16x2, short)
HOSTWARP_DPX_16(u16x2, unsigned short)
#define HOSTWARP_ZERO static_cast<short>(0)
HOSTWARP_DPX_16_3(__viaddmax_s16x2_relu, short, hw_max_of(hw_max_of(hw_wrapping_sum(x, y), z), HOSTWARP_ZERO))
HOSTWARP_DPX_16_3(__viaddmin_s16x2_relu, short, hw_max_of(hw_min_of(hw_wrapping_sum(x, y), z), HOSTWARP_ZERO))
HOSTWARP_DPX_16_3(__vimax3_s16x2_relu, short, hw_max_of(hw_max_of(hw_max_of(x, y), z), HOSTWARP_ZERO))
HOSTWARP_DPX_16_3(__vimin3_s16x2_relu, short, hw_max_of(hw_min_of(hw_min_of(x, y), z), HOSTWARP_ZERO))
HOSTWARP_DPX_16_2(__vimax_s16x2_relu, short, hw_max_of(hw_max_of(x, y), HOSTWARP_ZERO))
HOSTWARP_DPX_16_2(__vimin_s16x2_relu, short, hw_max_of(hw_min_of(x, y), HOSTWARP_ZERO))
#undef HOSTWARP_ZERO
#undef HOSTWARP_DPX_16
#undef HOSTWARP_DPX_16_PREDICATE
#undef HOSTWARP_DPX_16_2
#undef HOSTWARP_DPX_16_3

#endif  // HOSTWARP_SIMD_INTRINSICS_H
