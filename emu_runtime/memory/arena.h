// Arena: a reserved range of addresses that memory is allocated from.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_ARENA_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_ARENA_H

#include <cstddef>
#include <cstdint>

#include "emu_runtime/memory/range_allocator.h"
#include "fibers/mutex.h"

namespace hostwarp::memory {

// Block is a piece of an arena: `bytes` usable bytes at `start`, with the `moat` addresses in front of them and
// `reserved` from there on.
struct Block {
  uintptr_t start = 0;
  size_t bytes = 0;
  size_t reserved = 0;
  size_t moat = 0;

  explicit operator bool() const { return start != 0; }
};

// Arena gives out whole pages, each block between addresses that can only be read, and takes freed blocks out of reach.
// Addresses are reserved at first use. Thread-safe.
class Arena {
 public:
  // The arena lies at `wanted` where that is free.
  Arena(uintptr_t wanted, size_t bytes) : wanted_(wanted), bytes_(bytes) {}

  // usable() is how many bytes of whole pages stand behind a block of `bytes`.
  static size_t usable(size_t bytes);

  // allocate() returns zeroed memory aligned to at least a page; an empty block when addresses or memory run out.
  Block allocate(size_t bytes, size_t alignment = 1);

  // free() gives the block's memory back to the system; later accesses fault.
  void free(const Block &block);

  // reserve() takes addresses alone. commit() puts memory behind them, which reads as zero; false when there is none.
  // decommit() takes it away. free() ends a reserved block too.
  Block reserve(size_t bytes, size_t alignment = 1);
  bool commit(const Block &block);
  void decommit(const Block &block);

 private:
  bool reserveOnce() HOSTWARP_REQUIRES(mutex_);
  // take() returns 0 also when the bookkeeping finds no memory.
  uintptr_t take(size_t bytes, size_t alignment, size_t lead) HOSTWARP_REQUIRES(mutex_);

  const uintptr_t wanted_;
  const size_t bytes_;
  Mutex mutex_;
  bool reserved_ HOSTWARP_GUARDED_BY(mutex_) = false;
  RangeAllocator ranges_ HOSTWARP_GUARDED_BY(mutex_);
  size_t blocks_ HOSTWARP_GUARDED_BY(mutex_) = 0;
};

}  // namespace hostwarp::memory

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_ARENA_H
