#include "fibers/fault_handler.h"

#include <ucontext.h>

#include <cstdint>
#include <cstring>
#include <mutex>

#include "fibers/division.h"
#include "fibers/fault_guard.h"
#include "fibers/process_copy.h"
#include "fibers/signal_stack.h"
#include "fibers/worker.h"

namespace hostwarp::fibers {
namespace {

constexpr int kInterruptSignal = SIGURG;  // ignored by default, so that a stray one does no harm
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, kInterruptSignal};

struct sigaction previousActions[NSIG];

__attribute__((tls_model("initial-exec"))) constinit thread_local Worker *currentWorker = nullptr;
__attribute__((tls_model("initial-exec"))) constinit thread_local FaultGuard *currentGuard = nullptr;

#if defined(__x86_64__)
uintptr_t instructionOf(const ucontext_t &context) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
}
uintptr_t stackOf(const ucontext_t &context) { return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RSP]); }
void redirect(ucontext_t &context, void (*function)(), char *stackTop) {
  // At a function's first instruction the stack pointer is 8 below a multiple of 16.
  const uintptr_t top = (reinterpret_cast<uintptr_t>(stackTop) & ~uintptr_t{15}) - 8;
  context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(top);
  context.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(reinterpret_cast<uintptr_t>(function));
  context.uc_mcontext.gregs[REG_EFL] &= ~greg_t{0x400};  // the direction flag
}
void resetFloatingPoint() { asm volatile("fninit"); }  // the x87 stack may be half full
#elif defined(__aarch64__)
uintptr_t instructionOf(const ucontext_t &context) { return context.uc_mcontext.pc; }
uintptr_t stackOf(const ucontext_t &context) { return context.uc_mcontext.sp; }
void redirect(ucontext_t &context, void (*function)(), char *stackTop) {
  context.uc_mcontext.sp = reinterpret_cast<uintptr_t>(stackTop) & ~uintptr_t{15};
  context.uc_mcontext.pc = reinterpret_cast<uintptr_t>(function);
}
void resetFloatingPoint() {}
#else
#error "fault_handler.cpp: no register access for this architecture"
#endif

// landAfterFault() and landAfterInterrupt() run on the worker's landing stack after the handler has returned, in place
// of the CUDA thread that was interrupted.
[[noreturn]] void land(BlockStop why) {
  resetFloatingPoint();
  announceStack(currentWorker->landing().low(), currentWorker->landing().top());
  currentFiber()->block->leave(why);
}
[[noreturn]] void landAfterFault() { land(BlockStop::Faulted); }
[[noreturn]] void landAfterInterrupt() { land(BlockStop::Stopped); }

bool inGuard(const Fiber &fiber, uintptr_t address) {
  const uintptr_t low = reinterpret_cast<uintptr_t>(fiber.stack.low);
  return address < low && address >= low - StackPool::kGuardBytes;
}

Fault classify(int signal, const Fiber &fiber, uintptr_t address, uintptr_t stackPointer) {
  switch (signal) {
    case SIGFPE:
      return Fault::DivideByZero;
    case SIGILL:
      return Fault::IllegalInstruction;
    case SIGSEGV:
      if (inGuard(fiber, address) || inGuard(fiber, stackPointer)) return Fault::StackOverflow;
      return Fault::IllegalAddress;
    default:
      return Fault::IllegalAddress;
  }
}

void chain(int signal, siginfo_t *info, void *context) {
  const struct sigaction &previous = previousActions[signal];
  if ((previous.sa_flags & SA_SIGINFO) != 0 && previous.sa_sigaction != nullptr)
    return previous.sa_sigaction(signal, info, context);
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) return previous.sa_handler(signal);
  if (signal == kInterruptSignal) return;
  // The default action comes when the instruction is executed again, or the signal is sent again.
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  if (info->si_code <= 0) raise(signal);
}

void onInterrupt(int signal, siginfo_t *info, ucontext_t &context) {
  Fiber *fiber = currentFiber();
  if (fiber == nullptr || currentWorker == nullptr) return chain(signal, info, &context);
  if (!fiber->block->grid().stopped() || fiber->inEngine != 0 || fiber->guarded != 0) return;
  const uintptr_t instruction = instructionOf(context);
  if (!fiber->block->grid().mayInterruptAt(instruction)) return;
  PendingFault &pending = currentWorker->pending();
  pending.site = reinterpret_cast<const void *>(instruction);
  pending.fiber = fiber;
  redirect(context, landAfterInterrupt, currentWorker->landing().top());
}

void onSignal(int signal, siginfo_t *info, void *rawContext) {
  ucontext_t &context = *static_cast<ucontext_t *>(rawContext);
  if (signal == kInterruptSignal) return onInterrupt(signal, info, context);
  if (currentGuard != nullptr && info->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS))
    siglongjmp(currentGuard->place(), 1);
  const uintptr_t address = reinterpret_cast<uintptr_t>(info->si_addr);
  if (signal == SIGSEGV && info->si_code == SEGV_ACCERR && takePrivatePage(address)) return;
  Fiber *fiber = currentFiber();
  // A signal that somebody sent is not the thread's own fault; and with a lock of the runtime held there is no way on.
  if (fiber == nullptr || currentWorker == nullptr || info->si_code <= 0 || fiber->guarded != 0)
    return chain(signal, info, rawContext);
  if (signal == SIGFPE && !currentWorker->divisionsFault() && completeDivision(context)) return;
  PendingFault &pending = currentWorker->pending();
  pending.fault = classify(signal, *fiber, address, stackOf(context));
  pending.address = address;
  // For an address that no pointer can have the processor does not tell which it was.
  pending.addressKnown = info->si_code != SI_KERNEL;
  pending.site = reinterpret_cast<const void *>(instructionOf(context));
  pending.fiber = fiber;
  redirect(context, landAfterFault, currentWorker->landing().top());
}

}  // namespace

FaultGuard::FaultGuard() : outer_(currentGuard) {
  installFaultHandlers();
  currentGuard = this;
}

FaultGuard::~FaultGuard() { currentGuard = outer_; }

// The handler was left without a return, so its signal is still blocked.
void FaultGuard::landed() {
  sigset_t faults;
  sigemptyset(&faults);
  sigaddset(&faults, SIGSEGV);
  sigaddset(&faults, SIGBUS);
  pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
}

LandingStack::LandingStack() : memory_(std::make_unique<char[]>(kBytes)) {}

void installFaultHandlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (int signal : kSignals) {
      struct sigaction action{};
      action.sa_sigaction = onSignal;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
      sigemptyset(&action.sa_mask);
      sigaction(signal, &action, &previousActions[signal]);
    }
  });
}

void bindWorker(Worker *worker) {
  static thread_local SignalStack stack;
  currentWorker = worker;
}

void bindGuest(Worker *worker) { currentWorker = worker; }

Worker *boundWorker() { return currentWorker; }

void interrupt(pthread_t thread) { pthread_kill(thread, kInterruptSignal); }

}  // namespace hostwarp::fibers
