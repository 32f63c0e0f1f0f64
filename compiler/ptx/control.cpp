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

// emitBrx() is brx.idx index, targets: `targets` names a list of labels.
void emitBrx(Emitter &emitter) {
  if (!emitter.take("idx")) emitter.fail("missing .idx");
  emitter.take("uni");
  if (!emitter.operandsBetween(2, 2)) return;
  const Statement *list = emitter.named(emitter.operand(1));
  if (!list || list->targets.empty()) return emitter.fail("unknown list of targets " + emitter.operand(1).name);
  llvm::BasicBlock *beyond = emitter.makeBlock("beyond");
  llvm::SwitchInst *jump =
      emitter.builder().CreateSwitch(emitter.readBits(0, u32), beyond, unsigned(list->targets.size()));
  for (unsigned i = 0; i < list->targets.size(); ++i)
    jump->addCase(emitter.builder().getInt32(i), emitter.label(list->targets[i]));
  emitter.builder().SetInsertPoint(beyond);  // PTX leaves open what happens there
  emitter.builder().CreateUnreachable();
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

// In a kernel's asm statement, ret ends the thread. Out of the middle of a device function it would skip the caller's
// code.
void emitRet(Emitter &emitter) {
  emitter.take("uni");
  if (emitter.returnBlock()) {
    if (!emitter.operandsBetween(0, 0)) return;
    emitter.builder().CreateBr(emitter.returnBlock());
    return startUnreachable(emitter);
  }
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

void emitGriddepcontrol(Emitter &emitter) {
  const bool wait = emitter.take("wait");
  if (!wait && !emitter.take("launch_dependents")) return emitter.fail("missing .wait or .launch_dependents");
  if (!emitter.operandsBetween(0, 0)) return;
  emitter.callRuntime(wait ? "hw_wait_for_prerequisites" : "hw_trigger_dependents", emitter.builder().getVoidTy(), {});
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
