#include "fibers/guest_state.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>

#include "fibers/fiber.h"
#include "fibers/signal_stack.h"

namespace hostwarp::fibers {

namespace {

constexpr int kFaultSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGURG};

sigset_t faultSignals() {
  sigset_t faults;
  sigemptyset(&faults);
  for (int signal : kFaultSignals) sigaddset(&faults, signal);
  return faults;
}

bool hasFaults(const sigset_t &signals) {
  return std::ranges::any_of(kFaultSignals, [&](int signal) { return sigismember(&signals, signal) == 1; });
}

// hasStackForGood(): the calling thread had no alternate stack when it first helped, and has one of ours since, until
// it ends. A call of the system before and after each kernel that a thread waits for would cost more than a short
// kernel.
bool hasStackForGood() {
  thread_local bool isThere = false;
  if (isThere) return true;
  stack_t now{};
  if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return false;
  static thread_local const SignalStack stack;
  return isThere = stack.isThere();
}

// kNothingToBringBack stands for what the thread keeps.
constexpr stack_t kNothingToBringBack{nullptr, -1, 0};

// setAside() gives the calling thread the floating-point environment that blocks begin with, and returns its own.
// bringBack() undoes it. Most threads have changed nothing but, at most, the exceptions that vector instructions note:
// to load all of the environment takes longer than everything else here.
#if defined(__x86_64__)
constexpr unsigned short kControlWord = 0x37f;
constexpr unsigned kVectorControl = 0x1f80;

std::fenv_t setAside() {
  std::fenv_t environment{};
  asm volatile("fnstcw %0" : "=m"(environment.__control_word));
  if (environment.__control_word == kControlWord) {
    environment.__mxcsr = _mm_getcsr();
    _mm_setcsr(kVectorControl);
  } else {
    std::fegetenv(&environment);
    std::fesetenv(FE_DFL_ENV);
  }
  return environment;
}

void bringBack(const std::fenv_t &environment) {
  if (environment.__control_word == kControlWord)
    _mm_setcsr(environment.__mxcsr);
  else
    std::fesetenv(&environment);
}
#else
std::fenv_t setAside() {
  std::fenv_t environment;
  std::fegetenv(&environment);
  std::fesetenv(FE_DFL_ENV);
  return environment;
}
void bringBack(const std::fenv_t &environment) { std::fesetenv(&environment); }
#endif

}  // namespace

stack_t SignalMemory::install() {
  if (!memory_) memory_ = std::make_unique_for_overwrite<char[]>(kSignalStackBytes);
  stack_t stack{}, previous{};
  stack.ss_sp = memory_.get();
  stack.ss_size = kSignalStackBytes;
  sigaltstack(&stack, &previous);
  return previous;
}

GuestState::GuestState(SignalMemory &memory)
    : signalStack_(hasStackForGood() ? kNothingToBringBack : memory.install()) {
  static const sigset_t faults = faultSignals();
  pthread_sigmask(SIG_UNBLOCK, &faults, &signals_);
  environment_ = setAside();
}

GuestState::~GuestState() {
  hw_current = nullptr;
  bringBack(environment_);
  if (hasFaults(signals_)) pthread_sigmask(SIG_SETMASK, &signals_, nullptr);
  if (signalStack_.ss_flags != kNothingToBringBack.ss_flags) sigaltstack(&signalStack_, nullptr);
}

}  // namespace hostwarp::fibers
