// Arithmetic on bf16, and read-modify-write of 16-bit floats in memory.
#include "compiler/ptx/library/formats.h"

using numbers::Brain;
using numbers::Half;

// `operation` is a ptx::FloatOperation. A double has digits enough for rounding a root twice.
HWPTX u16 hwptx_bf16(int operation, u16 a, u16 b, u16 c) {
  switch (operation) {
    case 0:
      return numbers::add<Brain>(a, b);
    case 1:
      return numbers::subtract<Brain>(a, b);
    case 2:
      return Brain::multiply(a, b);
    case 3:
      return Brain::divide(a, b);
    case 4:
      return Brain::fma(a, b, c);
    default:
      return Brain::fromDouble(__builtin_sqrt(Brain::toFloat(a)));
  }
}

// combine(): 0 adds, 1 and 2 take the minimum and maximum, NaN losing.
template <class Traits>
static inline u16 combine(u16 a, u16 b, int operation) {
  return operation == 0   ? numbers::add<Traits>(a, b)
         : operation == 1 ? numbers::least<Traits>(a, b, false)
                          : numbers::greatest<Traits>(a, b, false);
}
static inline u16 combine(u16 a, u16 b, int operation, int brain) {
  return brain ? combine<Brain>(a, b, operation) : combine<Half>(a, b, operation);
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
