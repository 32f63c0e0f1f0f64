// Branches and the ends of threads.
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

// What follows an unconditional jump goes to a block of its own.
static void startUnreachable(Emitter &emitter) { emitter.builder().SetInsertPoint(emitter.makeBlock("after")); }

void emitBra(Emitter &emitter) {
  emitter.take("uni");
  if (!emitter.operandsBetween(1, 1)) return;
  emitter.builder().CreateBr(emitter.label(emitter.operand(0)));
  startUnreachable(emitter);
}

static void endThread(Emitter &emitter, const char *function) {
  emitter.callRuntime(function, emitter.builder().getVoidTy(), {});
  emitter.builder().CreateUnreachable();
  startUnreachable(emitter);
}

void emitExit(Emitter &emitter) {
  if (emitter.operandsBetween(0, 0)) endThread(emitter, "hw_exit_thread");
}

// In a kernel, ret ends the thread. Out of the middle of a device function it would skip the caller's code.
void emitRet(Emitter &emitter) {
  emitter.take("uni");
  if (!emitter.inKernel()) return emitter.fail("ret is only supported in __global__ functions");
  emitExit(emitter);
}

void emitTrap(Emitter &emitter) {
  if (emitter.operandsBetween(0, 0)) endThread(emitter, "hw_trap");
}

void emitNanosleep(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (type.width() != 32 || !emitter.operandsBetween(1, 1)) return;
  emitter.callRuntime("hw_nanosleep", emitter.builder().getVoidTy(), {emitter.readBits(0, u32)});
}

// Grids that depend on each other do not overlap: there is nothing to wait for and nobody to tell.
void emitGriddepcontrol(Emitter &emitter) {
  if (emitter.takeOneOf({"wait", "launch_dependents"}).empty()) emitter.fail("missing .wait or .launch_dependents");
  emitter.operandsBetween(0, 0);
}

// Threads do not share registers here.
void emitSetmaxnreg(Emitter &emitter) {
  emitter.takeOneOf({"inc", "dec"});
  emitter.take("sync");
  emitter.take("aligned");
  emitter.takeType();
  emitter.operandsBetween(1, 1);
}

// There are no performance counters to trigger.
void emitPmevent(Emitter &emitter) {
  emitter.take("mask");
  emitter.operandsBetween(1, 1);
}

}  // namespace hostwarp::compiler::ptx
