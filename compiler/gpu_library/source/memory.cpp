// The device heap, output, and atomic operations that the language has no builtin for.
#include "compiler/gpu_library/source/interface.h"

// The GPU's own: the driver knows them by name.
GPU_FUNCTION int vprintf(const char *format, const void *arguments);
GPU_FUNCTION void *malloc(size_t bytes);
GPU_FUNCTION void free(void *pointer);
GPU_FUNCTION void *__cuda_syscall_aligned_malloc(size_t bytes, size_t alignment);
GPU_FUNCTION void __assertfail(const char *message, const char *file, unsigned line, const char *function,
                               size_t charSize);

GPU_FUNCTION int hw_vprintf(const char *format, const void *arguments) noexcept { return vprintf(format, arguments); }
// Not inlined: LLVM takes a function of the name malloc for one that always has memory, where nobody uses it.
GPU_FUNCTION __attribute__((noinline)) void *hw_malloc(size_t bytes) noexcept { return malloc(bytes); }
GPU_FUNCTION void *hw_malloc_aligned(size_t bytes, size_t alignment) noexcept {
  return __cuda_syscall_aligned_malloc(bytes, alignment);
}
GPU_FUNCTION void hw_free(void *pointer) noexcept { free(pointer); }

GPU_FUNCTION void hw_assert_fail(const char *message, const char *file, uint32_t line, const char *function,
                                 size_t charSize) noexcept {
  __assertfail(message, file, line, function, charSize);
  __builtin_trap();
}

GPU_FUNCTION void hw_host_function_called(const char *) noexcept {}

GPU_FUNCTION uint32_t hw_atomic_inc_u32(uint32_t *address, uint32_t limit) noexcept {
  uint32_t old;
  asm volatile("atom.inc.u32 %0, [%1], %2;" : "=r"(old) : "l"(address), "r"(limit) : "memory");
  return old;
}

GPU_FUNCTION uint32_t hw_atomic_dec_u32(uint32_t *address, uint32_t limit) noexcept {
  uint32_t old;
  asm volatile("atom.dec.u32 %0, [%1], %2;" : "=r"(old) : "l"(address), "r"(limit) : "memory");
  return old;
}

struct Pair {
  uint64_t first, second;
};

GPU_FUNCTION void hw_atomic_exchange_128(void *address, const void *value, void *old) noexcept {
  const Pair &mine = *static_cast<const Pair *>(value);
  Pair &before = *static_cast<Pair *>(old);
  asm volatile("{ .reg .b128 v, r; mov.b128 v, {%2, %3}; atom.exch.relaxed.gpu.b128 r, [%4], v; mov.b128 {%0, %1}, r; }"
               : "=l"(before.first), "=l"(before.second)
               : "l"(mine.first), "l"(mine.second), "l"(address)
               : "memory");
}

GPU_FUNCTION void hw_atomic_cas_128(void *address, const void *expected, const void *value, void *old) noexcept {
  const Pair &mine = *static_cast<const Pair *>(value), &wanted = *static_cast<const Pair *>(expected);
  Pair &before = *static_cast<Pair *>(old);
  asm volatile(
      "{ .reg .b128 v, w, r; mov.b128 w, {%2, %3}; mov.b128 v, {%4, %5}; "
      "atom.cas.relaxed.gpu.b128 r, [%6], w, v; mov.b128 {%0, %1}, r; }"
      : "=l"(before.first), "=l"(before.second)
      : "l"(wanted.first), "l"(wanted.second), "l"(mine.first), "l"(mine.second), "l"(address)
      : "memory");
}
