// mbarrier: the phase, the pending and expected arrivals and the pending bytes in one 64-bit word
// (library/mbarrier.cpp).
#include "compiler/ptx/mbarrier.h"

#include "compiler/ptx/address.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

// arrive() is mbarrier.arrive and arrive_drop: {state,} [barrier]{, count or bytes}
void arrive(Emitter &emitter, Space space, bool drops) {
  Builder &builder = emitter.builder();
  const bool expects = emitter.take("expect_tx");
  emitter.take("noComplete");
  const bool hasState = emitter.operand(0).kind != Operand::Kind::Address;
  const size_t first = hasState;
  if (!emitter.operandsBetween(first + 1 + expects, first + 2)) return;
  llvm::Value *given = emitter.operandCount() > first + 1 ? emitter.readBits(first + 1, b32) : builder.getInt32(1);
  llvm::Value *one = builder.getInt32(1), *none = builder.getInt32(0);
  llvm::Value *state = emitter.callLibrary("mbarrier_arrive", builder.getInt64Ty(),
                                           {barrierAddress(emitter, first, space), expects ? one : given,
                                            expects ? given : none, drops ? (expects ? one : given) : none});
  if (hasState) emitter.write(0, state);
}

// wait() is test_wait and try_wait: p, [barrier], state or parity{, time}. A time is an upper limit: waiting less than
// that is allowed.
void wait(Emitter &emitter, Space space, bool mayBlock) {
  Builder &builder = emitter.builder();
  const bool parity = emitter.take("parity");
  if (!emitter.operandsBetween(3, mayBlock ? 4 : 3)) return;
  llvm::Value *expected =
      parity ? builder.CreateZExt(emitter.readBits(2, b32), builder.getInt64Ty()) : emitter.readBits(2, b64);
  llvm::Value *done = emitter.callLibrary(
      "mbarrier_wait", builder.getInt32Ty(),
      {barrierAddress(emitter, 1, space), expected, builder.getInt32(parity), builder.getInt32(mayBlock)});
  emitter.write(0, builder.CreateICmpNE(done, builder.getInt32(0)));
}

// changeBytes() is expect_tx and complete_tx.
void changeBytes(Emitter &emitter, Space space, const char *function) {
  if (!emitter.operandsBetween(2, 2)) return;
  emitter.callLibrary(function, emitter.builder().getVoidTy(),
                      {barrierAddress(emitter, 0, space), emitter.readBits(1, b32)});
}

}  // namespace

llvm::Value *barrierAddress(Emitter &emitter, size_t index, Space space) {
  const Operand &operand = emitter.operand(index);
  const bool narrow = operand.kind == Operand::Kind::Address && emitter.registerWidth(operand.parts.front()) == 32;
  return address(emitter, operand, narrow ? Space::Shared : space);
}

void emitMbarrier(Emitter &emitter) {
  Builder &builder = emitter.builder();
  const llvm::StringRef name = emitter.takeOneOf(
      {"init", "inval", "arrive", "arrive_drop", "test_wait", "try_wait", "pending_count", "complete_tx"});
  takeOrder(emitter);
  const Space space = takeSpace(emitter);
  emitter.take("b64");
  if (name == "arrive" || name == "arrive_drop") return arrive(emitter, space, name == "arrive_drop");
  if (name == "test_wait" || name == "try_wait") return wait(emitter, space, name == "try_wait");
  if (name == "complete_tx") return changeBytes(emitter, space, "mbarrier_complete_tx");
  if (name.empty() && emitter.take("expect_tx")) return changeBytes(emitter, space, "mbarrier_expect_tx");
  if (name == "inval") return void(emitter.operandsBetween(1, 1));
  if (name == "pending_count" && emitter.operandsBetween(2, 2))
    return emitter.write(0, emitter.callLibrary("mbarrier_pending", builder.getInt32Ty(), {emitter.readBits(1, b64)}));
  if (name != "init") return emitter.fail("unsupported operation");
  changeBytes(emitter, space, "mbarrier_init");
}

void emitAsyncArrive(Emitter &emitter) {
  Builder &builder = emitter.builder();
  if (!emitter.take("arrive")) return emitter.fail("unsupported operation");
  const bool counted = emitter.take("noinc");
  const Space space = takeSpace(emitter);
  emitter.take("b64");
  if (!emitter.operandsBetween(1, 1)) return;
  emitter.callLibrary("async_arrive", builder.getVoidTy(),
                      {barrierAddress(emitter, 0, space), builder.getInt32(counted)});
}

}  // namespace hostwarp::compiler::ptx
