// DeviceHeap: what malloc() and free() in device code use.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_DEVICE_HEAP_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_DEVICE_HEAP_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "emu_runtime/memory/arena.h"
#include "fibers/mutex.h"

namespace hostwarp::memory {

// DeviceHeap is one context's heap of a fixed size [CUDA 5.6 dynamic global memory allocation]. Lives until the
// context does, across kernels. Thread-safe.
class DeviceHeap {
 public:
  explicit DeviceHeap(Arena &arena) : arena_(arena) {}
  ~DeviceHeap();
  DeviceHeap(const DeviceHeap &) = delete;
  DeviceHeap &operator=(const DeviceHeap &) = delete;

  // setSize() sets the size; false once the heap is in use, when the size cannot change any more.
  bool setSize(size_t bytes);
  size_t size() const;

  // allocate() returns memory aligned to 16 bytes, or to `alignment`, a power of two, if that is more; null when the
  // heap is exhausted or the alignment no power of two.
  void *allocate(size_t bytes, size_t alignment = 0);

  // free() takes back memory; false when `pointer` is not the start of a live allocation. Null is ignored.
  bool free(void *pointer);

 private:
  bool openOnce() HOSTWARP_REQUIRES(mutex_);

  Arena &arena_;
  mutable Mutex mutex_;
  size_t size_ HOSTWARP_GUARDED_BY(mutex_) = size_t{8} << 20;
  Block block_ HOSTWARP_GUARDED_BY(mutex_);  // empty until the first allocation
  RangeAllocator ranges_ HOSTWARP_GUARDED_BY(mutex_);
  std::unordered_map<uintptr_t, size_t> live_ HOSTWARP_GUARDED_BY(mutex_);  // bytes taken, by start
};

}  // namespace hostwarp::memory

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_DEVICE_HEAP_H
