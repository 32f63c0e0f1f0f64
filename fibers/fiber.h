// A fiber runs CUDA threads: one after the other as long as none of them blocks.
#ifndef HOSTWARP_FIBERS_FIBER_H
#define HOSTWARP_FIBERS_FIBER_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "fibers/context.h"
#include "fibers/lane_exchange.h"
#include "fibers/stack_pool.h"
#include "fibers/sync_observer.h"
#include "include/hostwarp/device_abi.h"

// hw_current is the running CUDA thread of this OS thread; null outside kernels. Retargeted kernels load it directly.
extern "C" {
#if defined(__clang__) || defined(__GNUC__)
__attribute__((visibility("default"), tls_model("initial-exec"))) extern constinit thread_local hw_thread *hw_current;
#endif
}

namespace hostwarp::fibers {

class Block;
class FiberPool;

// WaitKind says where a thread that is not running stands. Ready threads keep the kind of their last wait.
enum class WaitKind : uint8_t { None, Barrier, Warp, Tile, Cluster, Grid, Spin };

// Wait is what a suspended thread waits for; diagnoses read it.
struct Wait {
  const void *site = nullptr;  // return address of the ABI call
  uint32_t detail = 0;         // barrier id, lane mask or threads of a tile
  uint32_t count = 0;          // of a counted barrier
  WaitKind kind = WaitKind::None;
  Collective collective = Collective::SyncWarp;
  uint8_t operation = 0;  // hw_reduction + 1 (0: plain barrier), hw_shuffle, hw_vote, hw_warp_reduction
};

// Fiber lies at the high end of its own stack, beside the first frames it will touch. `thread` comes first: hw_current
// points at it; then what makes it an ObservedThread.
struct alignas(64) Fiber {
  hw_thread thread{};
  void *blockState = nullptr;
  Context context;
  Fiber *next = nullptr;  // link of the one list the fiber is in
  Block *block = nullptr;
  LaneExchange exchange;
  uint32_t inEngine = 1;                 // the engine's own code runs: the watchdog must not abandon the thread here
  uint32_t guarded = 0;                  // depth of RuntimeSection: nor here, and a fault here is fatal
  uint64_t clusterPhase = ~uint64_t{0};  // of the cluster barrier, at the thread's last arrival
  uint64_t gridRound = 0;                // Block's count of grid barriers, at the thread's last arrival
  Wait wait;
  FiberPool *pool = nullptr;
  Stack stack;

  // setWait() writes field by field: an aggregate would go through memory, and reading it back in wider pieces stalls.
  void setWait(WaitKind kind, Collective collective, uint8_t operation, const void *site, uint32_t detail,
               uint32_t count) {
    wait.site = site;
    wait.detail = detail;
    wait.count = count;
    wait.kind = kind;
    wait.collective = collective;
    wait.operation = operation;
  }

  // stackTop() is where the fiber's frames begin.
  char *stackTop() { return reinterpret_cast<char *>(this); }
};

inline Fiber *currentFiber() { return reinterpret_cast<Fiber *>(hw_current); }

static_assert(offsetof(Fiber, blockState) == offsetof(ObservedThread, blockState));

// FiberQueue holds suspended fibers: first in first out, or, for random schedules, with access to each.
class FiberQueue {
 public:
  void setRandom(bool random, size_t capacity) {
    random_ = random;
    if (random) array_.reserve(capacity);  // no allocation on a fiber
  }
  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }

  [[gnu::always_inline]] void push(Fiber *fiber) {
    ++size_;
    if (random_) [[unlikely]]
      return pushAnywhere(fiber);
    fiber->next = nullptr;
    (head_ != nullptr ? tail_->next : head_) = fiber;
    tail_ = fiber;
  }

  // pop() removes the oldest fiber, null when there is none. pre: not random.
  Fiber *pop() {
    Fiber *fiber = head_;
    if (fiber == nullptr) return nullptr;
    head_ = fiber->next;
    --size_;
    return fiber;
  }

  // takeAt() removes any fiber; pre: random, index < size().
  Fiber *takeAt(size_t index) {
    --size_;
    std::swap(array_[index], array_.back());
    Fiber *fiber = array_.back();
    array_.pop_back();
    return fiber;
  }

  // append() moves all fibers of `other` to the end of this queue.
  void append(FiberQueue &other) {
    if (random_) [[unlikely]] {
      array_.insert(array_.end(), other.array_.begin(), other.array_.end());
      other.array_.clear();
    } else if (other.head_ != nullptr) {
      (head_ != nullptr ? tail_->next : head_) = other.head_;
      tail_ = other.tail_;
      other.head_ = nullptr;
    }
    size_ += std::exchange(other.size_, 0);
  }

  // forEach() visits all fibers in order; pre: `visit` does not change the queue.
  template <typename Visit>
  void forEach(Visit visit) const {
    if (random_)
      for (Fiber *fiber : array_) visit(fiber);
    else
      for (Fiber *fiber = size_ != 0 ? head_ : nullptr; fiber != nullptr; fiber = fiber->next) visit(fiber);
  }

  void clear() {
    head_ = nullptr;
    size_ = 0;
    array_.clear();
  }

 private:
  friend struct DebuggerView;

  [[gnu::noinline]] void pushAnywhere(Fiber *fiber) { array_.push_back(fiber); }

  Fiber *head_ = nullptr;
  Fiber *tail_ = nullptr;  // meaningless while empty
  size_t size_ = 0;
  bool random_ = false;
  std::vector<Fiber *> array_;
};

// FiberPool keeps one worker's idle fibers of one stack size, last used first. Not thread-safe.
class FiberPool {
 public:
  FiberPool(StackPool &stacks, size_t stackBytes) : stacks_(stacks), stackBytes_(StackPool::usableBytes(stackBytes)) {}
  ~FiberPool();  // gives the stacks back; pre: no fiber is out
  FiberPool(const FiberPool &) = delete;
  FiberPool &operator=(const FiberPool &) = delete;

  size_t stackBytes() const { return stackBytes_; }
  // fibersOut() counts fibers that are running or suspended inside a CUDA thread.
  size_t fibersOut() const { return out_; }

  // take() gives an idle fiber, which will begin threads of `block` when switched to; null when none is left: then only
  // the worker's own context may make() another one, so that no lock is ever taken on a fiber.
  Fiber *take(Block *block) {
    Fiber *fiber = idle_;
    if (fiber == nullptr) return nullptr;
    idle_ = fiber->next;
    ++out_;
    fiber->block = block;
    return fiber;
  }

  // giveBack() takes a fiber whose thread has ended and whose context stands in its main loop, or soon will.
  void giveBack(Fiber *fiber) {
    --out_;
    fiber->next = idle_;
    idle_ = fiber;
  }

  // make() adds an idle fiber; false when there is no memory for a stack.
  [[nodiscard]] bool make();

  // reclaim() takes a fiber that was abandoned in the middle of a thread: its frames are forgotten.
  void reclaim(Fiber *fiber);

 private:
  StackPool &stacks_;
  size_t stackBytes_;
  Fiber *idle_ = nullptr;
  size_t out_ = 0;
  size_t made_ = 0;
};

// fiberMain() is the body of every fiber: runs threads of currentFiber()->block, retires, and does so again when the
// pool hands it out the next time.
void fiberMain();

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_FIBER_H
