// The one private interface to machine contexts: create one on a stack, switch to one. Boost.Context does the register
// work; builds under the address or thread sanitizer announce each switch.
#ifndef HOSTWARP_FIBERS_CONTEXT_H
#define HOSTWARP_FIBERS_CONTEXT_H

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

#include "fibers/sanitizers.h"

#if defined(HOSTWARP_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(HOSTWARP_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace hostwarp::fibers {

// Context is a suspended flow of control. It must not move while suspended: the switch away from it stores through its
// address.
struct Context {
  void *handle = nullptr;
#if defined(HOSTWARP_ASAN)
  void *fakeStack = nullptr;
  const void *stackLow = nullptr;
  size_t stackBytes = 0;
#elif defined(HOSTWARP_TSAN)
  // What the sanitizer calls a fiber: call stack and clock. Its call stack cannot be emptied, so each beginning of the
  // context gets a new one; the one before may be running still, and goes at the beginning after.
  void *announced = nullptr;
  void *before = nullptr;
  bool owned = false;  // not that of an OS thread

  Context() = default;
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;
  ~Context() {
    destroy(before);
    if (owned) destroy(announced);
  }
  void renew() {
    destroy(before);
    before = owned ? announced : nullptr;
    announced = __tsan_create_fiber(0);
    owned = true;
  }
  static void destroy(void *fiber) {
    if (fiber != nullptr) __tsan_destroy_fiber(fiber);
  }
#endif
};

namespace detail {

// announceSwitch() and announceArrival() bracket a switch for the sanitizers. `keep` is null when the departing context
// will never run again.
inline void announceSwitch([[maybe_unused]] Context *keep, [[maybe_unused]] const Context &to) {
#if defined(HOSTWARP_ASAN)
  __sanitizer_start_switch_fiber(keep ? &keep->fakeStack : nullptr, to.stackLow, to.stackBytes);
#elif defined(HOSTWARP_TSAN)
  if (keep != nullptr) keep->announced = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.announced, 0);
#endif
}

inline void announceArrival([[maybe_unused]] void *fakeStack, [[maybe_unused]] Context &from) {
#if defined(HOSTWARP_ASAN)
  __sanitizer_finish_switch_fiber(fakeStack, &from.stackLow, &from.stackBytes);
#endif
}

// HOSTWARP_WIDE_REGISTERS are those that only a build for AVX-512 has. Whoever is resumed may have changed them.
#if defined(__AVX512F__)
#define HOSTWARP_WIDE_REGISTERS                                                                                 \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", \
      "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define HOSTWARP_WIDE_REGISTERS
#endif

// jump() is boost's jump_fcontext(). On x86-64 it is entered without a call instruction: jump_fcontext() leaves by an
// indirect jump, so the call would put one entry too many on the processor's return stack, and every return of the
// resumed fiber would be mispredicted, which costs several times the switch itself.
inline boost::context::detail::transfer_t jump(void *to, void *data) {
#if defined(__x86_64__) && !defined(HOSTWARP_ASAN)
  void *from;
  void *result;
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"  // step over the red zone
      "leaq 1f(%%rip), %%r8\n\t"
      "pushq %%r8\n\t"
      "jmp jump_fcontext@PLT\n"
      "1:\n\t"
      "leaq 128(%%rsp), %%rsp"
      : "=a"(from), "=d"(result), "+D"(to), "+S"(data)
      :
      : "rcx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
        "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc" HOSTWARP_WIDE_REGISTERS);
  return {from, result};
#else
  return boost::context::detail::jump_fcontext(to, data);
#endif
}

template <void (*Entry)()>
void contextMain(boost::context::detail::transfer_t transfer) {
  Context &from = *static_cast<Context *>(transfer.data);
  from.handle = transfer.fctx;
  announceArrival(nullptr, from);
  Entry();
}

}  // namespace detail

// prepareContext() makes `context` begin with Entry() on the stack [low, top) at the first switch to it. Entry must not
// return. Whatever the context was before is forgotten, without unwinding.
template <void (*Entry)()>
void prepareContext(Context &context, [[maybe_unused]] char *low, char *top) {
  context.handle =
      boost::context::detail::make_fcontext(top, static_cast<size_t>(top - low), &detail::contextMain<Entry>);
#if defined(HOSTWARP_ASAN)
  context.fakeStack = nullptr;
  context.stackLow = low;
  context.stackBytes = static_cast<size_t>(top - low);
  __asan_unpoison_memory_region(low, static_cast<size_t>(top - low));
#elif defined(HOSTWARP_TSAN)
  context.renew();
#endif
}

// switchContext() suspends the caller as `from` and resumes `to`; it returns when somebody switches to `from`.
inline void switchContext(Context &from, Context &to) {
  detail::announceSwitch(&from, to);
  const boost::context::detail::transfer_t back = detail::jump(to.handle, &from);
  Context &previous = *static_cast<Context *>(back.data);
  previous.handle = back.fctx;
#if defined(HOSTWARP_ASAN)
  detail::announceArrival(from.fakeStack, previous);
#endif
}

// leaveContext() resumes `to` and never comes back; `scratch` receives what is left of the caller.
[[noreturn]] inline void leaveContext(Context &scratch, Context &to) {
  detail::announceSwitch(nullptr, to);
  boost::context::detail::jump_fcontext(to.handle, &scratch);
  __builtin_unreachable();
}

// announceStack() tells the address sanitizer that the running context has been moved to the stack [low, top) and will
// not come back to the frames it left.
inline void announceStack([[maybe_unused]] const char *low, [[maybe_unused]] const char *top) {
#if defined(HOSTWARP_ASAN)
  __sanitizer_start_switch_fiber(nullptr, low, static_cast<size_t>(top - low));
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_CONTEXT_H
