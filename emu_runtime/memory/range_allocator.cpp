#include "emu_runtime/memory/range_allocator.h"

#include <algorithm>
#include <iterator>

namespace hostwarp::memory {

uintptr_t RangeAllocator::take(size_t bytes, size_t alignment, size_t lead) {
  auto first = free_.upper_bound(cursor_);
  if (first != free_.begin()) {
    if (uintptr_t start = takeFrom(std::prev(first), cursor_, bytes, alignment, lead)) return start;
  }
  for (auto range = first; range != free_.end(); ++range) {
    if (uintptr_t start = takeFrom(range, 0, bytes, alignment, lead)) return start;
  }
  for (auto range = free_.begin(); range != first; ++range) {
    if (uintptr_t start = takeFrom(range, 0, bytes, alignment, lead)) return start;
  }
  return 0;
}

uintptr_t RangeAllocator::takeFrom(FreeRanges::iterator range, uintptr_t atLeast, size_t bytes, size_t alignment,
                                   size_t lead) {
  const uintptr_t begin = range->first;
  const uintptr_t end = begin + range->second;
  const uintptr_t start = ((std::max(begin, atLeast) + lead + alignment - 1) & ~(alignment - 1)) - lead;
  if (start >= end || end - start < bytes) return 0;
  // What needs memory comes first: where there is none, nothing has changed.
  if (start + bytes != end) free_.emplace(start + bytes, end - start - bytes);
  if (start == begin) {
    free_.erase(range);
  } else {
    range->second = start - begin;
  }
  cursor_ = start + bytes;
  return start;
}

void RangeAllocator::give(uintptr_t start, size_t bytes) {
  auto next = free_.lower_bound(start);
  if (next != free_.end() && start + bytes == next->first) {
    bytes += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == start) {
      previous->second += bytes;
      return;
    }
  }
  free_.emplace(start, bytes);
}

}  // namespace hostwarp::memory
