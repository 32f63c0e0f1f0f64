// Warp collectives. The kinds of collective are constants wherever headers call.
#include "compiler/gpu_library/source/interface.h"

#define INLINED GPU_FUNCTION __attribute__((always_inline))

// Mask 0 is that of the forms without a mask.
GPU_INLINE unsigned membersOf(unsigned mask) {
  if (mask) return mask;
  unsigned active;
  asm volatile("activemask.b32 %0;" : "=r"(active)::"memory");
  return active;
}

INLINED void hw_syncwarp(uint32_t mask) noexcept {
  asm volatile("bar.warp.sync %0;" ::"r"(membersOf(mask)) : "memory");
}

INLINED uint32_t hw_activemask() noexcept { return membersOf(0); }

#define SHUFFLE(mode)                                                                                 \
  asm volatile("{ .reg .pred p; shfl.sync." mode ".b32 %0|p, %2, %3, %4, %5; selp.s32 %1, 1, 0, p; }" \
               : "=r"(result), "=r"(inRange)                                                          \
               : "r"(value), "r"(lane), "r"(clamp), "r"(mask));

GPU_INLINE unsigned shuffleWord(unsigned mask, int kind, unsigned value, unsigned lane, unsigned clamp, int &inRange) {
  unsigned result = 0;
  if (kind == HW_SHFL_IDX) {
    SHUFFLE("idx")
  } else if (kind == HW_SHFL_UP) {
    SHUFFLE("up")
  } else if (kind == HW_SHFL_DOWN) {
    SHUFFLE("down")
  } else {
    SHUFFLE("bfly")
  }
  return result;
}

// A 32-bit value comes with zeros above, which nobody has to exchange.
INLINED uint64_t hw_shuffle(uint32_t mask, int kind, uint64_t value, uint32_t laneOrDelta, uint32_t width,
                            int *inRange) noexcept {
  const unsigned members = membersOf(mask);
  const unsigned clamp = (32 - width) << 8 | (kind == HW_SHFL_UP ? 0u : 31u);
  int isInRange = 0;
  const unsigned first = shuffleWord(members, kind, low(value), laneOrDelta, clamp, isInRange);
  const unsigned above = high(value);
  unsigned second = 0;
  if (!(__builtin_constant_p(above) && above == 0))
    second = shuffleWord(members, kind, above, laneOrDelta, clamp, isInRange);
  if (inRange) *inRange = isInRange;
  return join(first, second);
}

#define VOTE(mode)                                                                                                  \
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync." mode ".pred q, p, %2; selp.u32 %0, 1, 0, q; }" \
               : "=r"(result)                                                                                       \
               : "r"(predicate), "r"(members)                                                                       \
               : "memory");

INLINED uint32_t hw_vote(uint32_t mask, int kind, int predicate) noexcept {
  const unsigned members = membersOf(mask);
  uint32_t result = 0;
  if (kind == HW_VOTE_ALL) {
    VOTE("all")
  } else if (kind == HW_VOTE_ANY) {
    VOTE("any")
  } else if (kind == HW_VOTE_UNI) {
    VOTE("uni")
  } else {
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(result)
                 : "r"(predicate), "r"(members)
                 : "memory");
  }
  return result;
}

INLINED uint32_t hw_match_any(uint32_t mask, uint64_t value) noexcept {
  uint32_t result;
  asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(result) : "l"(value), "r"(membersOf(mask)) : "memory");
  return result;
}

INLINED uint32_t hw_match_all(uint32_t mask, uint64_t value, int *predicate) noexcept {
  uint32_t result;
  int isSame;
  asm volatile("{ .reg .pred p; match.all.sync.b64 %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"
               : "=r"(result), "=r"(isSame)
               : "l"(value), "r"(membersOf(mask))
               : "memory");
  if (predicate) *predicate = isSame;
  return result;
}

GPU_INLINE unsigned combine(int operation, unsigned a, unsigned b) {
  switch (operation) {
    case HW_REDUCE_ADD:
      return a + b;
    case HW_REDUCE_MIN_S:
      return static_cast<int>(a) < static_cast<int>(b) ? a : b;
    case HW_REDUCE_MAX_S:
      return static_cast<int>(a) > static_cast<int>(b) ? a : b;
    case HW_REDUCE_MIN_U:
      return a < b ? a : b;
    case HW_REDUCE_MAX_U:
      return a > b ? a : b;
    case HW_REDUCE_AND:
      return a & b;
    case HW_REDUCE_OR:
      return a | b;
    default:
      return a ^ b;
  }
}

// Before 8.0 each lane of the mask shows its value to the others in turn.
static __attribute__((device, noinline)) unsigned reduceInTurns(unsigned mask, int operation, unsigned value) {
  unsigned result = 0;
  bool isFirst = true;
  for (unsigned left = mask; left; left &= left - 1) {
    int inRange;
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    const unsigned other = shuffleWord(mask, HW_SHFL_IDX, value, lane, 31, inRange);
    result = isFirst ? other : combine(operation, result, other);
    isFirst = false;
  }
  return result;
}

#define REDUCE(number, name)                                                                              \
  case number:                                                                                            \
    asm volatile("redux.sync." name " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(members) : "memory"); \
    break;

INLINED uint32_t hw_warp_reduce(uint32_t mask, int operation, uint32_t value) noexcept {
  const unsigned members = membersOf(mask);
  if (hw_gpu_architecture < 80) return reduceInTurns(members, operation, value);
  uint32_t result = 0;
  switch (operation) {
    REDUCE(HW_REDUCE_ADD, "add.u32")
    REDUCE(HW_REDUCE_MIN_S, "min.s32")
    REDUCE(HW_REDUCE_MAX_S, "max.s32")
    REDUCE(HW_REDUCE_MIN_U, "min.u32")
    REDUCE(HW_REDUCE_MAX_U, "max.u32")
    REDUCE(HW_REDUCE_AND, "and.b32")
    REDUCE(HW_REDUCE_OR, "or.b32")
    REDUCE(HW_REDUCE_XOR, "xor.b32")
  }
  return result;
}
