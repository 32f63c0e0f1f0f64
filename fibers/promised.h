#ifndef HOSTWARP_FIBERS_PROMISED_H
#define HOSTWARP_FIBERS_PROMISED_H

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace hostwarp::fibers {

// Promised is a number that is set once. Thread-safe. std::atomic::wait() calls sched_yield() before it sleeps, from
// which threads come back milliseconds later on a busy machine: this one sleeps at once.
class Promised {
 public:
  // get() is the number; 0 until it is set. Acquires what was done before set().
  uint32_t get() const {
    const uint32_t state = state_.load(std::memory_order_acquire);
    return state == kAwaited ? 0 : state;
  }

  // set() wakes those that wait. It may be over, and this object gone, before they are awake. pre: called once, with
  // neither 0 nor UINT32_MAX.
  void set(uint32_t number) {
    if (state_.exchange(number, std::memory_order_acq_rel) == kAwaited) futex(FUTEX_WAKE_PRIVATE, INT_MAX);
  }

  // wait() blocks the OS thread until the number is set, and is it.
  uint32_t wait() const {
    uint32_t state = 0;
    while (!state_.compare_exchange_weak(state, kAwaited, std::memory_order_acquire) && state == 0) {
    }
    while ((state = get()) == 0) futex(FUTEX_WAIT_PRIVATE, kAwaited);
    return state;
  }

 private:
  static constexpr uint32_t kAwaited = UINT32_MAX;  // not set, and threads wait

  void futex(int operation, uint32_t value) const {
    syscall(SYS_futex, &state_, operation, value, nullptr, nullptr, 0);
  }

  mutable std::atomic<uint32_t> state_{0};
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_PROMISED_H
