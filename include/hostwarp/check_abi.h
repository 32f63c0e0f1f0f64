// What the checked build says to the runtime: compiler/device/check_accesses.cpp puts the calls into the code,
// emu_runtime/check answers them. What is wrong is reported, and the thread goes on.
#ifndef HOSTWARP_CHECK_ABI_H
#define HOSTWARP_CHECK_ABI_H

#include "device_abi.h"

// hw_access_traits is what an access does, as bits. One that neither reads nor writes is a fence.
enum hw_access_traits {
  HW_ACCESS_READS = 1,
  HW_ACCESS_WRITES = 2,
  HW_ACCESS_ATOMIC = 4,
  HW_ACCESS_VOLATILE = 8,
  HW_ACCESS_ACQUIRES = 16,
  HW_ACCESS_RELEASES = 32,
  HW_ACCESS_IN_BLOCK = 64,         // its scope: only threads of the block are meant
  HW_ACCESS_COMPARES = 128,        // writes where memory holds `value`
  HW_ACCESS_VALUE_KNOWN = 256,     // a write of `value`
  HW_ACCESS_RESULT_UNUSED = 512,   // nobody looks at what an atomic update returns
  HW_ACCESS_BOUNDS_KNOWN = 1024,   // hw_check_object() has looked at them, or need not
  HW_ACCESS_ROUNDS = 2048,         // an update of a floating-point number
  HW_ACCESS_COPIES = 4096,         // a write of what is at the address `value`, or the read before it
  HW_ACCESS_POLLS = 8192,          // a volatile read, again and again, until another thread writes
  HW_ACCESS_OF_LIBRARY = 16384,    // by code that stands for an instruction: it synchronises, and is not judged; alone:
                                   // that code accesses memory, which is not told of
  HW_ACCESS_ONLY_BARRIERS = 32768  // in a kernel in which nothing else orders its threads' accesses
};
// The bits from here on say how an atomic update computes: two of one kind may come in any order. 0: none may.
#define HW_ACCESS_UPDATE_SHIFT 16
// hw_access_site is where an access stands in the source: the functions that were inlined there, from the access
// outwards. line 0: not known.
struct hw_source_frame {
  const char *file, *function;
  uint32_t line, column;
};
struct hw_access_site {
  const struct hw_source_frame *frames;
  uint64_t frameCount;
};
// hw_check_access() is called before each access of memory that other threads might touch, and before each fence (of 0
// bytes).
HW_DEVICE_API void hw_check_access(const void *address, uint64_t bytes, uint32_t traits,
                                   const struct hw_access_site *site, uint64_t value) HW_NOEXCEPT;
// hw_check_lanes() says the same of neighbours in a block that go in step: of those of the threads `thread`, `thread` +
// 1
// ... whose bits are in `lanes`. The n-th accesses addresses[n], or, where that is null, `address` + n * `stride`, and
// writes values[n]; null: no values are known.
HW_DEVICE_API void hw_check_lanes(uint32_t thread, uint32_t lanes, const void *address, int64_t stride,
                                  const void *const *addresses, uint64_t bytes, uint32_t traits,
                                  const struct hw_access_site *site, const uint64_t *values) HW_NOEXCEPT;
// hw_check_written() is called by libraries whose host code has written memory of the device.
HW_DEVICE_API void hw_check_written(const void *address, uint64_t bytes) HW_NOEXCEPT;
// hw_check_barrier() is called where a block that runs whole passes a barrier: with all threads but those whose state
// is `ended`. states null: all.
HW_DEVICE_API void hw_check_barrier(const uint32_t *states, uint32_t ended) HW_NOEXCEPT;
// hw_check_object() is called before an access of which the compiler knows the variable that is meant.
// objectBytes of an `extern __shared__` array: as many as the launch has given.
#define HW_DYNAMIC_BYTES UINT64_MAX
HW_DEVICE_API void hw_check_object(const void *address, uint64_t bytes, uint32_t traits,
                                   const struct hw_access_site *site, const void *object, uint64_t objectBytes,
                                   const char *objectName) HW_NOEXCEPT;

#endif  // HOSTWARP_CHECK_ABI_H
