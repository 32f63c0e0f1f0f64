// Budget: how much memory may still be handed out.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_BUDGET_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_BUDGET_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hostwarp::memory {

// Budget counts bytes in use against a limit. Thread-safe.
class Budget {
 public:
  explicit Budget(uint64_t limit) : limit_(limit) {}

  // take() reserves the bytes; false, with no effect, when they would pass the limit.
  bool take(size_t bytes) {
    uint64_t used = used_.load();
    do {
      if (bytes > limit_ || used > limit_ - bytes) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes));
    return true;
  }
  void give(size_t bytes) { used_.fetch_sub(bytes); }

  uint64_t limit() const { return limit_; }
  uint64_t used() const { return used_.load(); }
  uint64_t left() const { return limit_ - used(); }

  // machine() is the budget of the real memory that all emulated devices share.
  static Budget &machine();

 private:
  const uint64_t limit_;
  std::atomic<uint64_t> used_{0};
};

}  // namespace hostwarp::memory

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_BUDGET_H
