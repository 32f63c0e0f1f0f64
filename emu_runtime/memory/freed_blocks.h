// FreedBlocks: the memory of small blocks that were freed a moment ago.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_FREED_BLOCKS_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_FREED_BLOCKS_H

#include <atomic>
#include <cstddef>
#include <deque>
#include <map>
#include <utility>

#include "emu_runtime/memory/arena.h"
#include "fibers/mutex.h"

namespace hostwarp::memory {

// FreedBlocks keeps the pages of small blocks for later ones: to give pages back and to take others costs several calls
// of the system, each of which may take longer than a small allocation should. A block is handed out again after
// many others only, so that stale pointers are found as before. Thread-safe.
class FreedBlocks {
 public:
  static FreedBlocks &process();

  // Which blocks are kept, how many of each size, and how many are freed before the first of them is used again.
  static constexpr size_t mostBytes = size_t{32} << 10;
  static constexpr size_t most = 64;
  static constexpr size_t between = 32;

  // keep() takes a freed block of the arena over; false: it is too large, or there are enough. What only kernels touch
  // stays in reach until one of them could run, others go out of reach at once.
  bool keep(const Arena &arena, const Block &block, bool onlyKernelsTouch);
  // take() is a zeroed block of the arena with as much usable memory, empty when there is none.
  Block take(const Arena &arena, size_t usable);
  // seal() takes out of reach what is still within: to be called before kernels run.
  static void seal() {
    if (process().anyInReach_.load(std::memory_order_acquire)) process().sealAll();
  }

 private:
  struct Freed {
    Block block;
    bool isInReach;
  };
  using Key = std::pair<const Arena *, size_t>;

  void sealAll();

  Mutex mutex_;
  std::map<Key, std::deque<Freed>> freed_ HOSTWARP_GUARDED_BY(mutex_);
  std::atomic<bool> anyInReach_{false};
};

}  // namespace hostwarp::memory

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_FREED_BLOCKS_H
