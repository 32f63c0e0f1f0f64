// What of a program's own thread is set aside while the thread runs blocks.
#ifndef HOSTWARP_FIBERS_GUEST_STATE_H
#define HOSTWARP_FIBERS_GUEST_STATE_H

#include <signal.h>

#include <cfenv>
#include <memory>

namespace hostwarp::fibers {

// SignalMemory is room for signal handlers to run in, from its first use on.
class SignalMemory {
 public:
  // install() makes it the calling thread's alternate stack and returns what was there before.
  stack_t install();

 private:
  std::unique_ptr<char[]> memory_;
};

// GuestState gives the calling thread what blocks expect, and its own back: the floating-point environment, in which a
// program may have asked for other rounding, the alternate signal stack, and the signals of faults, which must not be
// held back.
class GuestState {
 public:
  explicit GuestState(SignalMemory &memory);
  ~GuestState();
  GuestState(const GuestState &) = delete;
  GuestState &operator=(const GuestState &) = delete;

 private:
  std::fenv_t environment_;
  stack_t signalStack_;
  sigset_t signals_;
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_GUEST_STATE_H
