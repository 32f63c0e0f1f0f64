// Operations on half and bfloat16 that may be fused: PTX's without .rn, for which ptxas decides, and the headers' own
// code for architectures without them. An operation that is a fused one with 1 or -0 is exact as well.
#include "include/hostwarp/numbers/sixteen_bits.h"
#include "compiler/gpu_library/source/interface.h"

namespace numbers = hostwarp::numbers;

#define INLINED GPU_FUNCTION __attribute__((always_inline))
#define BINARY(instruction) asm(instruction " %0, %1, %2;" : "=h"(result) : "h"(a), "h"(b))
#define FUSED(a, b, c) asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(result) : "h"(a), "h"(b), "h"(c))

#define HALF(name, ...)                                                           \
  INLINED uint16_t hw_math_fusible_half_##name(uint16_t a, uint16_t b) noexcept { \
    if (hw_gpu_architecture < 53) return __VA_ARGS__;                             \
    uint16_t result;                                                              \
    BINARY(#name ".f16");                                                         \
    return result;                                                                \
  }
HALF(add, numbers::add<numbers::Half>(a, b))
HALF(sub, numbers::subtract<numbers::Half>(a, b))
HALF(mul, numbers::Half::multiply(a, b))

#define BRAIN(name, first, second, third, ...)                                     \
  INLINED uint16_t hw_math_fusible_brain_##name(uint16_t a, uint16_t b) noexcept { \
    if (hw_gpu_architecture < 80) return __VA_ARGS__;                              \
    uint16_t result;                                                               \
    if (hw_gpu_architecture < 90)                                                  \
      FUSED(first, second, third);                                                 \
    else                                                                           \
      BINARY(#name ".bf16");                                                       \
    return result;                                                                 \
  }
constexpr uint16_t one = 0x3f80, minusOne = 0xbf80, minusZero = 0x8000;
BRAIN(add, a, one, b, numbers::add<numbers::Brain>(a, b))
BRAIN(sub, b, minusOne, a, numbers::subtract<numbers::Brain>(a, b))
BRAIN(mul, a, b, minusZero, numbers::Brain::multiply(a, b))
