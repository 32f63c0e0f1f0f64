// Warp functions: votes, shuffles, matches and reductions [CUDA 5.6 warp functions].
#ifndef HOSTWARP_WARP_H
#define HOSTWARP_WARP_H

#include "synchronization.h"

// --- Votes ---

HOSTWARP_DEVICE unsigned hw_warp_vote(unsigned mask, int kind, int predicate) {
  unsigned result = hw_vote(mask, kind, predicate);
  HOSTWARP_RESUMED();
  return result;
}

HOSTWARP_DEVICE int __all_sync(unsigned mask, int predicate) { return hw_warp_vote(mask, HW_VOTE_ALL, predicate); }
HOSTWARP_DEVICE int __any_sync(unsigned mask, int predicate) { return hw_warp_vote(mask, HW_VOTE_ANY, predicate); }
HOSTWARP_DEVICE int __uni_sync(unsigned mask, int predicate) { return hw_warp_vote(mask, HW_VOTE_UNI, predicate); }
HOSTWARP_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
  return hw_warp_vote(mask, HW_VOTE_BALLOT, predicate);
}
HOSTWARP_DEVICE unsigned __activemask() { return hw_activemask(); }

// The forms of CUDA 8 and before: every lane of the warp that has not exited takes part.
HOSTWARP_DEVICE int __all(int predicate) { return hw_warp_vote(0, HW_VOTE_ALL, predicate); }
HOSTWARP_DEVICE int __any(int predicate) { return hw_warp_vote(0, HW_VOTE_ANY, predicate); }
HOSTWARP_DEVICE unsigned __ballot(int predicate) { return hw_warp_vote(0, HW_VOTE_BALLOT, predicate); }

// --- Values as the 64 bits that hw_shuffle and hw_match_* take ---

#define HOSTWARP_INTEGER_BITS(type)                                                        \
  HOSTWARP_DEVICE uint64_t hw_bits_of(type value) { return static_cast<uint64_t>(value); } \
  HOSTWARP_DEVICE void hw_from_bits(uint64_t bits, type &value) { value = static_cast<type>(bits); }
#define HOSTWARP_FLOATING_BITS(type, integer)                       \
  HOSTWARP_DEVICE uint64_t hw_bits_of(type value) {                 \
    integer bits;                                                   \
    __builtin_memcpy(&bits, &value, sizeof bits);                   \
    return bits;                                                    \
  }                                                                 \
  HOSTWARP_DEVICE void hw_from_bits(uint64_t bits64, type &value) { \
    integer bits = static_cast<integer>(bits64);                    \
    __builtin_memcpy(&value, &bits, sizeof bits);                   \
  }
HOSTWARP_INTEGER_BITS(int)
HOSTWARP_INTEGER_BITS(unsigned)
HOSTWARP_INTEGER_BITS(long)
HOSTWARP_INTEGER_BITS(unsigned long)
HOSTWARP_INTEGER_BITS(long long)
HOSTWARP_INTEGER_BITS(unsigned long long)
HOSTWARP_FLOATING_BITS(float, uint32_t)
HOSTWARP_FLOATING_BITS(double, uint64_t)
#undef HOSTWARP_INTEGER_BITS
#undef HOSTWARP_FLOATING_BITS

template <class T>
HOSTWARP_DEVICE T hw_shuffle_value(unsigned mask, int kind, T value, unsigned laneOrDelta, int width) {
  T result;
  hw_from_bits(hw_shuffle(mask, kind, hw_bits_of(value), laneOrDelta, static_cast<uint32_t>(width), nullptr), result);
  HOSTWARP_RESUMED();
  return result;
}

// --- Shuffles and matches, one set per type ---

#define HOSTWARP_WARP_FUNCTIONS(type)                                                                 \
  HOSTWARP_DEVICE type __shfl_sync(unsigned mask, type value, int srcLane, int width = 32) {          \
    return hw_shuffle_value<type>(mask, HW_SHFL_IDX, value, static_cast<unsigned>(srcLane), width);   \
  }                                                                                                   \
  HOSTWARP_DEVICE type __shfl_up_sync(unsigned mask, type value, unsigned delta, int width = 32) {    \
    return hw_shuffle_value<type>(mask, HW_SHFL_UP, value, delta, width);                             \
  }                                                                                                   \
  HOSTWARP_DEVICE type __shfl_down_sync(unsigned mask, type value, unsigned delta, int width = 32) {  \
    return hw_shuffle_value<type>(mask, HW_SHFL_DOWN, value, delta, width);                           \
  }                                                                                                   \
  HOSTWARP_DEVICE type __shfl_xor_sync(unsigned mask, type value, int laneMask, int width = 32) {     \
    return hw_shuffle_value<type>(mask, HW_SHFL_BFLY, value, static_cast<unsigned>(laneMask), width); \
  }                                                                                                   \
  HOSTWARP_DEVICE type __shfl(type value, int srcLane, int width = 32) {                              \
    return hw_shuffle_value<type>(0, HW_SHFL_IDX, value, static_cast<unsigned>(srcLane), width);      \
  }                                                                                                   \
  HOSTWARP_DEVICE type __shfl_up(type value, unsigned delta, int width = 32) {                        \
    return hw_shuffle_value<type>(0, HW_SHFL_UP, value, delta, width);                                \
  }                                                                                                   \
  HOSTWARP_DEVICE type __shfl_down(type value, unsigned delta, int width = 32) {                      \
    return hw_shuffle_value<type>(0, HW_SHFL_DOWN, value, delta, width);                              \
  }                                                                                                   \
  HOSTWARP_DEVICE type __shfl_xor(type value, int laneMask, int width = 32) {                         \
    return hw_shuffle_value<type>(0, HW_SHFL_BFLY, value, static_cast<unsigned>(laneMask), width);    \
  }                                                                                                   \
  HOSTWARP_DEVICE unsigned __match_any_sync(unsigned mask, type value) {                              \
    unsigned result = hw_match_any(mask, hw_bits_of(value));                                          \
    HOSTWARP_RESUMED();                                                                               \
    return result;                                                                                    \
  }                                                                                                   \
  HOSTWARP_DEVICE unsigned __match_all_sync(unsigned mask, type value, int *predicate) {              \
    unsigned result = hw_match_all(mask, hw_bits_of(value), predicate);                               \
    HOSTWARP_RESUMED();                                                                               \
    return result;                                                                                    \
  }
HOSTWARP_WARP_FUNCTIONS(int)
HOSTWARP_WARP_FUNCTIONS(unsigned)
HOSTWARP_WARP_FUNCTIONS(long)
HOSTWARP_WARP_FUNCTIONS(unsigned long)
HOSTWARP_WARP_FUNCTIONS(long long)
HOSTWARP_WARP_FUNCTIONS(unsigned long long)
HOSTWARP_WARP_FUNCTIONS(float)
HOSTWARP_WARP_FUNCTIONS(double)
#undef HOSTWARP_WARP_FUNCTIONS

// --- Reductions ---

HOSTWARP_DEVICE unsigned hw_warp_reduction(unsigned mask, int operation, unsigned value) {
  unsigned result = hw_warp_reduce(mask, operation, value);
  HOSTWARP_RESUMED();
  return result;
}

#define HOSTWARP_REDUCE(name, type, operation)                                                  \
  HOSTWARP_DEVICE type name(unsigned mask, type value) {                                        \
    return static_cast<type>(hw_warp_reduction(mask, operation, static_cast<unsigned>(value))); \
  }
HOSTWARP_REDUCE(__reduce_add_sync, unsigned, HW_REDUCE_ADD)
HOSTWARP_REDUCE(__reduce_add_sync, int, HW_REDUCE_ADD)
HOSTWARP_REDUCE(__reduce_min_sync, unsigned, HW_REDUCE_MIN_U)
HOSTWARP_REDUCE(__reduce_min_sync, int, HW_REDUCE_MIN_S)
HOSTWARP_REDUCE(__reduce_max_sync, unsigned, HW_REDUCE_MAX_U)
HOSTWARP_REDUCE(__reduce_max_sync, int, HW_REDUCE_MAX_S)
HOSTWARP_REDUCE(__reduce_and_sync, unsigned, HW_REDUCE_AND)
HOSTWARP_REDUCE(__reduce_or_sync, unsigned, HW_REDUCE_OR)
HOSTWARP_REDUCE(__reduce_xor_sync, unsigned, HW_REDUCE_XOR)
#undef HOSTWARP_REDUCE

#endif  // HOSTWARP_WARP_H
