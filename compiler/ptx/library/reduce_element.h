// Reductions of one element in memory, atomically, for bulk reductions.
#ifndef HOSTWARP_COMPILER_PTX_LIBRARY_REDUCE_ELEMENT_H
#define HOSTWARP_COMPILER_PTX_LIBRARY_REDUCE_ELEMENT_H

#include "compiler/ptx/bulk_operations.h"
#include "compiler/ptx/library/formats.h"
#include "compiler/ptx/library/in_flight.h"

namespace ptx = hostwarp::compiler::ptx;

// update() replaces the word at `place` by what `change` makes of it.
template <class Word, class Change>
static inline void update(void *place, Change change) {
  auto *word = static_cast<Word *>(place);
  Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old, change(old), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

template <class T>
static inline T combineIntegers(u32 operation, T old, T value) {
  switch (operation) {
    case ptx::BulkAdd:
      return T(old + value);
    case ptx::BulkMin:
      return value < old ? value : old;
    case ptx::BulkMax:
      return value > old ? value : old;
    case ptx::BulkInc:
      return old >= value ? T(0) : T(old + 1);
    case ptx::BulkDec:
      return old == 0 || old > value ? value : T(old - 1);
    case ptx::BulkAnd:
      return old & value;
    case ptx::BulkOr:
      return old | value;
    case ptx::BulkXor:
      return old ^ value;
    default:
      return value;
  }
}

template <class Traits>
static inline u16 combineHalves(u32 operation, u16 old, u16 value) {
  return operation == ptx::BulkAdd   ? numbers::add<Traits>(old, value)
         : operation == ptx::BulkMin ? numbers::least<Traits>(old, value, false)
                                     : numbers::greatest<Traits>(old, value, false);
}

template <class T>
static inline void reduceInteger(u32 operation, void *to, const void *from) {
  T value;
  __builtin_memcpy(&value, from, sizeof value);
  update<T>(to, [&](T old) { return combineIntegers(operation, old, value); });
}

template <class Traits>
static inline void reduceHalf(u32 operation, void *to, const void *from) {
  u16 value;
  __builtin_memcpy(&value, from, sizeof value);
  update<u16>(to, [&](u16 old) { return combineHalves<Traits>(operation, old, value); });
}

template <class T, class Word>
static inline void addFloat(void *to, const void *from) {
  T value;
  __builtin_memcpy(&value, from, sizeof value);
  update<Word>(to, [&](Word old) { return bitsAs<Word>(bitsAs<T>(old) + value); });
}

constexpr bool isBitwise(u32 operation) { return operation >= ptx::BulkAnd; }

// updateEvent() is what the checked build calls such a reduction.
static inline hw_async_event updateEvent(u32 operation, u32 element) {
  const bool isFloat = element >= ptx::BulkF16;
  return isFloat && operation == ptx::BulkAdd ? HW_ASYNC_SUMS : HW_ASYNC_UPDATES;
}

// reduceElement() reduces `from` into `to`. Floating-point numbers wider than 16 bits can only be added.
static inline void reduceElement(u32 operation, u32 element, void *to, const void *from) {
  switch (element) {
    case ptx::BulkU8:
      return reduceInteger<u8>(operation, to, from);
    case ptx::BulkU16:
      return reduceInteger<u16>(operation, to, from);
    case ptx::BulkU32:
      return reduceInteger<u32>(operation, to, from);
    case ptx::BulkS32:
      return reduceInteger<s32>(operation, to, from);
    case ptx::BulkU64:
      return reduceInteger<u64>(operation, to, from);
    case ptx::BulkS64:
      return reduceInteger<s64>(operation, to, from);
    case ptx::BulkF16:
      return isBitwise(operation) ? reduceInteger<u16>(operation, to, from)
                                  : reduceHalf<numbers::Half>(operation, to, from);
    case ptx::BulkBF16:
      return isBitwise(operation) ? reduceInteger<u16>(operation, to, from)
                                  : reduceHalf<numbers::Brain>(operation, to, from);
    case ptx::BulkF64:
      return isBitwise(operation) ? reduceInteger<u64>(operation, to, from) : addFloat<double, u64>(to, from);
    default:
      return isBitwise(operation) ? reduceInteger<u32>(operation, to, from) : addFloat<float, u32>(to, from);
  }
}

#endif  // HOSTWARP_COMPILER_PTX_LIBRARY_REDUCE_ELEMENT_H
