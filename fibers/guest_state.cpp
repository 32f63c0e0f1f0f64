#include "fibers/guest_state.h"

#include "fibers/fiber.h"

namespace hostwarp::fibers {

namespace {

constexpr size_t kGuestSignalStackBytes = 64 * 1024;

sigset_t faultSignals() {
  sigset_t faults;
  sigemptyset(&faults);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGURG}) sigaddset(&faults, signal);
  return faults;
}

}  // namespace

stack_t SignalMemory::install() {
  if (!memory_) memory_ = std::make_unique_for_overwrite<char[]>(kGuestSignalStackBytes);
  stack_t stack{}, previous{};
  stack.ss_sp = memory_.get();
  stack.ss_size = kGuestSignalStackBytes;
  sigaltstack(&stack, &previous);
  return previous;
}

GuestState::GuestState(SignalMemory &memory) : signalStack_(memory.install()) {
  static const sigset_t faults = faultSignals();
  pthread_sigmask(SIG_UNBLOCK, &faults, &signals_);
  std::fegetenv(&environment_);
  std::fesetenv(FE_DFL_ENV);
}

GuestState::~GuestState() {
  hw_current = nullptr;
  std::fesetenv(&environment_);
  pthread_sigmask(SIG_SETMASK, &signals_, nullptr);
  sigaltstack(&signalStack_, nullptr);
}

}  // namespace hostwarp::fibers
