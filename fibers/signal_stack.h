// Room for signal handlers to run in while a thread's own stack is used up.
#ifndef HOSTWARP_FIBERS_SIGNAL_STACK_H
#define HOSTWARP_FIBERS_SIGNAL_STACK_H

#include <signal.h>
#include <sys/mman.h>

#include <cstddef>

namespace hostwarp::fibers {

constexpr size_t kSignalStackBytes = 64 * 1024;

// SignalStack is the calling thread's alternate stack while it exists. The one that was there before comes back after:
// the sanitizers free what they find at a thread's end.
class SignalStack {
 public:
  SignalStack() {
    memory_ = mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) return;
    stack_t stack{};
    stack.ss_sp = memory_;
    stack.ss_size = kSignalStackBytes;
    sigaltstack(&stack, &previous_);
  }
  ~SignalStack() {
    if (memory_ == MAP_FAILED) return;
    sigaltstack(&previous_, nullptr);
    munmap(memory_, kSignalStackBytes);
  }
  SignalStack(const SignalStack &) = delete;
  SignalStack &operator=(const SignalStack &) = delete;

  bool isThere() const { return memory_ != MAP_FAILED; }

 private:
  void *memory_;
  stack_t previous_{};
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_SIGNAL_STACK_H
