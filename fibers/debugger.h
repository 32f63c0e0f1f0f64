// What a debugger sees of the engine. It reads the process's memory from outside, so that nothing has to run for it:
// hw_debugger_values says where the members of the engine's objects lie. tools/gdb reads them.
#ifndef HOSTWARP_FIBERS_DEBUGGER_H
#define HOSTWARP_FIBERS_DEBUGGER_H

#include <cstdint>

namespace hostwarp::fibers {
class Dispatcher;
class Grid;
}  // namespace hostwarp::fibers

#define HOSTWARP_SEEN __attribute__((visibility("default")))

extern "C" {

// hw_debugger_value is a row of debugger.def: "Block.live_" and its offset, "sizeof(Warp)", "WaitKind.Barrier" and its
// number.
struct hw_debugger_value {
  const char *name;
  uint64_t value;
};
// The last row has no name.
HOSTWARP_SEEN extern const hw_debugger_value *const hw_debugger_values;

// hw_debugger_dispatcher is the engine made last, null when it is gone. hw_debugger_current_offset leads from an OS
// thread's thread pointer to its hw_current.
HOSTWARP_SEEN extern const hostwarp::fibers::Dispatcher *hw_debugger_dispatcher;
HOSTWARP_SEEN extern int64_t hw_debugger_current_offset;

// The functions below do nothing: debuggers stop in them. hw_debugger_launch() is called before the first block of a
// grid begins, hw_debugger_fault() when a thread is about to end its grid, or nobody can go on, with the words for it,
// hw_debugger_finding() when the checked build has found something new.
HOSTWARP_SEEN void hw_debugger_launch(const hostwarp::fibers::Grid *grid);
HOSTWARP_SEEN void hw_debugger_fault(uint32_t fault, const char *what);
HOSTWARP_SEEN void hw_debugger_finding(const char *what);
}

#undef HOSTWARP_SEEN

namespace hostwarp::fibers {

// showToDebuggers() makes the dispatcher what hw_debugger_dispatcher names, hideFromDebuggers() ends that.
void showToDebuggers(const Dispatcher &dispatcher);
void hideFromDebuggers(const Dispatcher &dispatcher);

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_DEBUGGER_H
