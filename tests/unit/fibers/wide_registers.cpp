// What a build for AVX-512 keeps in registers that no other build has outlives a switch to another context, which has
// filled them all. Not a part of fibers_test: inline functions of this build must not be taken for the others.
#include <immintrin.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "fibers/context.h"

namespace hostwarp::fibers {
namespace {

constexpr int kVectors = 32, kMasks = 8, kSkipped = 77;

Context here, other;

__attribute__((noinline)) void fillRegisters() {
  asm volatile(
      "vpternlogd $255, %%zmm16, %%zmm16, %%zmm16\n\t"
      "kxnorw %%k0, %%k0, %%k0\n\t"
      ".irp n,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
      "vmovdqa64 %%zmm16, %%zmm\\n\n\t"
      ".endr\n\t"
      ".irp n,1,2,3,4,5,6,7\n\t"
      "kmovw %%k0, %%k\\n\n\t"
      ".endr" ::
          : "memory" HOSTWARP_WIDE_REGISTERS);
}

void otherContext() {
  for (;;) {
    fillRegisters();
    switchContext(other, here);
  }
}

// inRegister() has the compiler keep the value in a register of its kind until here.
template <class Value>
Value inRegister(Value value) {
  if constexpr (sizeof value == sizeof(__m512i))
    asm volatile("" : "+v"(value));
  else
    asm volatile("" : "+k"(value));
  return value;
}

// switchWithFullRegisters() has as many values alive across the switch as there are registers for them.
__attribute__((noinline)) void switchWithFullRegisters(const __m512i *vectors, const __mmask16 *masks,
                                                       __m512i *vectorsAfter, __mmask16 *masksAfter) {
  __m512i vector[kVectors];
  __mmask16 mask[kMasks];
#pragma GCC unroll 32
  for (int i = 0; i < kVectors; ++i) vector[i] = inRegister(vectors[i]);
#pragma GCC unroll 8
  for (int i = 0; i < kMasks; ++i) mask[i] = inRegister(masks[i]);
  switchContext(here, other);
#pragma GCC unroll 32
  for (int i = 0; i < kVectors; ++i) vectorsAfter[i] = inRegister(vector[i]);
#pragma GCC unroll 8
  for (int i = 0; i < kMasks; ++i) masksAfter[i] = inRegister(mask[i]);
}

int run() {
  constexpr size_t stackBytes = 64 * 1024;
  char *stack = static_cast<char *>(std::aligned_alloc(4096, stackBytes));
  prepareContext<otherContext>(other, stack, stack + stackBytes);
  alignas(64) __m512i vectors[kVectors], vectorsAfter[kVectors];
  __mmask16 masks[kMasks], masksAfter[kMasks];
  for (int i = 0; i < kVectors; ++i) vectors[i] = _mm512_set1_epi32(i + 1);
  for (int i = 0; i < kMasks; ++i) masks[i] = static_cast<__mmask16>(257 * (i + 1));
  switchWithFullRegisters(vectors, masks, vectorsAfter, masksAfter);
  const bool vectorsKept = std::memcmp(vectors, vectorsAfter, sizeof vectors) == 0;
  const bool masksKept = std::memcmp(masks, masksAfter, sizeof masks) == 0;
  std::printf("vectors %s, masks %s\n", vectorsKept ? "kept" : "lost", masksKept ? "kept" : "lost");
  return vectorsKept && masksKept ? 0 : 1;
}

}  // namespace
}  // namespace hostwarp::fibers

int main() {
  if (!__builtin_cpu_supports("avx512f")) {
    std::puts("SKIP: this processor has no AVX-512");
    return hostwarp::fibers::kSkipped;
  }
  return hostwarp::fibers::run();
}
