// Stacks for fibers: guarded, carved from large mappings, recycled.
#ifndef HOSTWARP_FIBERS_STACK_POOL_H
#define HOSTWARP_FIBERS_STACK_POOL_H

#include <atomic>
#include <cstddef>
#include <vector>

#include "fibers/mutex.h"

namespace hostwarp::fibers {

// Stack is the usable range [low, high) of one stack. The guard region lies directly below `low`.
struct Stack {
  char *low = nullptr;
  char *high = nullptr;
};

// StackPool owns all stacks of one engine. Workers keep what they have taken until they end, so its lock is cold.
// Thread-safe.
class StackPool {
 public:
  static constexpr size_t kMinimumBytes = 16 * 1024;
  static constexpr size_t kDefaultBytes = 64 * 1024;
  static constexpr size_t kGuardBytes = 16 * 1024;

  StackPool() = default;
  ~StackPool();  // unmaps everything; pre: no fiber runs on a stack of the pool
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;

  // usableBytes() is the stack size that a request for `bytes` (0: the default) gets.
  static size_t usableBytes(size_t bytes);

  // take() gives a stack of usableBytes(bytes) bytes; false when the system grants no more mappings or memory.
  [[nodiscard]] bool take(size_t bytes, Stack &stack);
  void giveBack(const Stack &stack);

  // stacksInUse() counts the stacks taken and not given back.
  size_t stacksInUse() const { return inUse_.load(std::memory_order_relaxed); }

 private:
  struct SizeClass {
    size_t usable = 0;
    std::vector<Stack> free;
    char *next = nullptr;  // of the last slab, what no stack has been made of yet
    size_t left = 0;       // how many stacks that is for
    size_t made = 0;
  };
  struct Slab {
    void *base;
    size_t bytes;
  };
  SizeClass &classOf(size_t usable) HOSTWARP_REQUIRES(mutex_);
  bool make(SizeClass &sizeClass, Stack &stack) HOSTWARP_REQUIRES(mutex_);
  bool addSlab(SizeClass &sizeClass) HOSTWARP_REQUIRES(mutex_);

  Mutex mutex_;
  std::vector<SizeClass> classes_ HOSTWARP_GUARDED_BY(mutex_);
  std::vector<Slab> slabs_ HOSTWARP_GUARDED_BY(mutex_);
  std::atomic<size_t> inUse_{0};
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_STACK_POOL_H
