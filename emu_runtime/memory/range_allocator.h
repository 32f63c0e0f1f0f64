// RangeAllocator: which parts of an address range are free. Bookkeeping only; touches no memory in the range.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_RANGE_ALLOCATOR_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_RANGE_ALLOCATOR_H

#include <cstddef>
#include <cstdint>
#include <map>

namespace hostwarp::memory {

// RangeAllocator hands out pieces of [base, base + bytes). It searches from where the last piece ended, so an address
// is reused as late as possible: a pointer to freed memory then faults instead of hitting its successor. Not
// thread-safe.
class RangeAllocator {
 public:
  RangeAllocator() = default;
  RangeAllocator(uintptr_t base, size_t bytes) : cursor_(base) { free_.emplace(base, bytes); }

  // take() returns the start of `bytes` free addresses; 0 when there are none. What is `lead` behind the start is
  // aligned to the power of two `alignment`.
  uintptr_t take(size_t bytes, size_t alignment, size_t lead = 0);

  // give() returns a range; it merges with its free neighbours. pre: the range was taken.
  void give(uintptr_t start, size_t bytes);

 private:
  using FreeRanges = std::map<uintptr_t, size_t>;  // start -> bytes; never adjacent
  uintptr_t takeFrom(FreeRanges::iterator range, uintptr_t atLeast, size_t bytes, size_t alignment, size_t lead);

  FreeRanges free_;
  uintptr_t cursor_ = 0;
};

}  // namespace hostwarp::memory

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_RANGE_ALLOCATOR_H
