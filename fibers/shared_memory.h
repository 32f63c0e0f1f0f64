// Storage for the shared memory of resident blocks.
#ifndef HOSTWARP_FIBERS_SHARED_MEMORY_H
#define HOSTWARP_FIBERS_SHARED_MEMORY_H

#include <cstddef>
#include <vector>

namespace hostwarp::fibers {

// SharedMemoryPool recycles one worker's buffers. Contents are left as they are: CUDA does not initialise shared
// memory. Not thread-safe.
class SharedMemoryPool {
 public:
  // Swizzled tensor copies and matrix descriptors look at the low bits of addresses: their patterns repeat after 1024
  // bytes, and the shared memory of every block begins one.
  static constexpr size_t kAlignment = 1024;

  SharedMemoryPool() = default;
  ~SharedMemoryPool();
  SharedMemoryPool(const SharedMemoryPool &) = delete;
  SharedMemoryPool &operator=(const SharedMemoryPool &) = delete;

  // take() gives at least `bytes` bytes at a multiple of `alignment` (a power of two); null when there is no memory.
  char *take(size_t bytes, size_t alignment);
  void giveBack(char *memory, size_t bytes, size_t alignment);

 private:
  struct Buffer {
    char *memory;
    size_t bytes;
    size_t alignment;
  };
  std::vector<Buffer> free_;
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_SHARED_MEMORY_H
