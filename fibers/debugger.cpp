#include "fibers/debugger.h"

#include <cstddef>

#include "fibers/dispatcher.h"
#include "fibers/worker.h"

#if defined(__GNUC__)
// offsetof() of types that are no C structures is what GCC and clang take it to be.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#endif

namespace hostwarp::fibers {
namespace {

const char *threadPointer() {
  const char *pointer;
#if defined(__x86_64__)
  asm("movq %%fs:0, %0" : "=r"(pointer));
#elif defined(__aarch64__)
  asm("mrs %0, tpidr_el0" : "=r"(pointer));
#endif
  return pointer;
}

}  // namespace

// DebuggerView may look at members that are private.
struct DebuggerView {
  static constexpr hw_debugger_value values[] = {
#define FIELD(type, member) {#type "." #member, offsetof(type, member)},
#define SIZE(type) {"sizeof(" #type ")", sizeof(type)},
#define NAMED(type, enumerator) {#type "." #enumerator, static_cast<uint64_t>(type::enumerator)},
#include "fibers/debugger.def"
#undef FIELD
#undef SIZE
#undef NAMED
      {nullptr, 0}};
};

void showToDebuggers(const Dispatcher &dispatcher) {
  // The same for all threads: the variable has its place from the program's start.
  hw_debugger_current_offset = reinterpret_cast<const char *>(&hw_current) - threadPointer();
  hw_debugger_dispatcher = &dispatcher;
}

void hideFromDebuggers(const Dispatcher &dispatcher) {
  if (hw_debugger_dispatcher == &dispatcher) hw_debugger_dispatcher = nullptr;
}

}  // namespace hostwarp::fibers

using namespace hostwarp::fibers;

// The empty assembly keeps the functions, and calls of them, from being optimised away.
extern "C" {
const hw_debugger_value *const hw_debugger_values = DebuggerView::values;
const Dispatcher *hw_debugger_dispatcher = nullptr;
int64_t hw_debugger_current_offset = 0;

[[gnu::noinline]] void hw_debugger_launch(const Grid *grid) { asm volatile("" : : "r"(grid)); }
[[gnu::noinline]] void hw_debugger_fault(uint32_t fault, const char *what) {
  asm volatile("" : : "r"(fault), "r"(what));
}
[[gnu::noinline]] void hw_debugger_finding(const char *what) { asm volatile("" : : "r"(what)); }
}
