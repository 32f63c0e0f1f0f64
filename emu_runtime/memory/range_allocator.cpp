#include "emu_runtime/memory/range_allocator.h"

#include <algorithm>
#include <iterator>
#include <utility>

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

// When the host's memory has run out no more is lost than the range.
void RangeAllocator::give(uintptr_t start, size_t bytes) {
  const auto next = free_.lower_bound(start);
  const bool joinsNext = next != free_.end() && start + bytes == next->first;
  if (next != free_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == start) {
      previous->second += bytes + (joinsNext ? next->second : 0);
      if (joinsNext) free_.erase(next);
      return;
    }
  }
  if (!joinsNext) {
    free_.emplace(start, bytes);
    return;
  }
  // The neighbour's entry is moved, which needs no memory: the neighbour may be almost all that there is.
  auto entry = free_.extract(next);
  entry.key() = start;
  entry.mapped() += bytes;
  free_.insert(std::move(entry));
}

}  // namespace hostwarp::memory
