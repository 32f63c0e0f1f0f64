#include "fibers/shared_memory.h"

#include <algorithm>
#include <cstdlib>

#include "fibers/context.h"

namespace hostwarp::fibers {
namespace {

constexpr size_t kMostKept = 64;

size_t roundedUp(size_t bytes, size_t alignment) {
  return (std::max<size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
}

}  // namespace

SharedMemoryPool::~SharedMemoryPool() {
  for (const Buffer &buffer : free_) std::free(buffer.memory);
}

char *SharedMemoryPool::take(size_t bytes, size_t alignment) {
  alignment = std::max(alignment, kAlignment);
  bytes = roundedUp(bytes, alignment);
  for (size_t i = free_.size(); i-- > 0;) {
    if (free_[i].bytes != bytes || free_[i].alignment < alignment) continue;
    char *memory = free_[i].memory;
    free_.erase(free_.begin() + static_cast<ptrdiff_t>(i));
    return memory;
  }
  return static_cast<char *>(std::aligned_alloc(alignment, bytes));
}

void SharedMemoryPool::giveBack(char *memory, size_t bytes, size_t alignment) {
#if defined(HOSTWARP_ASAN)
  return std::free(memory);  // so that the sanitizer sees the end of each buffer and its use after the block's end
#endif
  alignment = std::max(alignment, kAlignment);
  if (free_.size() == kMostKept) {
    std::free(free_.front().memory);
    free_.erase(free_.begin());
  }
  free_.push_back({memory, roundedUp(bytes, alignment), alignment});
}

}  // namespace hostwarp::fibers
