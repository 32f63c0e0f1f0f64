// Atomic operations that neither the CPU nor the compiler offers as one instruction. None of them ever blocks.
#include <cstdint>
#include <cstring>

#include "emu_runtime/abi/exports.h"

namespace {

// update() replaces *address by next(old) and returns what was there.
template <class Next>
uint32_t update(uint32_t *address, Next next) {
  uint32_t old = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(address, &old, next(old), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
}

// The __sync forms become one instruction (cmpxchg16b, ldxp/stxp); the __atomic ones would need libatomic.
unsigned __int128 compareAndSwap(void *address, unsigned __int128 expected, unsigned __int128 value) {
  return __sync_val_compare_and_swap(static_cast<unsigned __int128 *>(address), expected, value);
}

unsigned __int128 wordAt(const void *address) {
  unsigned __int128 word;
  std::memcpy(&word, address, sizeof word);
  return word;
}

}  // namespace

HOSTWARP_ABI uint32_t hw_atomic_inc_u32(uint32_t *address, uint32_t limit) noexcept {
  return update(address, [limit](uint32_t old) { return old >= limit ? 0 : old + 1; });
}

HOSTWARP_ABI uint32_t hw_atomic_dec_u32(uint32_t *address, uint32_t limit) noexcept {
  return update(address, [limit](uint32_t old) { return old == 0 || old > limit ? limit : old - 1; });
}

HOSTWARP_ABI void hw_atomic_cas_128(void *address, const void *expected, const void *value, void *old) noexcept {
  const unsigned __int128 found = compareAndSwap(address, wordAt(expected), wordAt(value));
  std::memcpy(old, &found, sizeof found);
}

HOSTWARP_ABI void hw_atomic_exchange_128(void *address, const void *value, void *old) noexcept {
  const unsigned __int128 desired = wordAt(value);
  unsigned __int128 seen = 0;
  for (;;) {
    const unsigned __int128 found = compareAndSwap(address, seen, desired);
    if (found == seen) break;
    seen = found;
  }
  std::memcpy(old, &seen, sizeof seen);
}
