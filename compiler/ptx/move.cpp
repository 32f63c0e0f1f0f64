// mov, and what asks or changes the state space of an address.
#include "compiler/device/thread_state.h"
#include "compiler/ptx/address.h"
#include "compiler/ptx/opcodes.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler::ptx {

void emitMov(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(2, 2)) return;
  if (type.isPredicate()) return emitter.write(0, emitter.readPredicate(1));
  emitter.write(0, emitter.readBits(1, type));
}

void emitCvta(Emitter &emitter) {
  const bool toSpace = emitter.take("to");
  const Space space = takeSpace(emitter);
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(2, 2)) return;
  Builder &builder = emitter.builder();
  llvm::Type *i64 = builder.getInt64Ty();
  llvm::Value *value;
  if (emitter.operand(1).kind == Operand::Kind::Address)
    value = builder.CreatePtrToInt(address(emitter, emitter.operand(1), Space::Generic), i64);
  else
    value = builder.CreateZExt(emitter.readBits(1, type), i64);
  if (space == Space::Shared) {
    llvm::Value *base = builder.CreatePtrToInt(sharedBase(emitter), i64);
    value = toSpace ? builder.CreateSub(value, base) : builder.CreateAdd(value, base);
  }
  if (!toSpace && type.width() != 64) return emitter.fail("a generic address needs 64 bits");
  emitter.write(0, builder.CreateTrunc(value, emitter.intType(type.width())));
}

// A thread's stack is taken to be the 4 KiB below and the 1 MiB above the caller's frame.
static llvm::Value *isLocal(Emitter &emitter, llvm::Value *address) {
  Builder &builder = emitter.builder();
  llvm::Value *frame = emitter.intrinsic(llvm::Intrinsic::frameaddress, {builder.getPtrTy()}, {builder.getInt32(0)});
  llvm::Value *low = builder.CreateSub(builder.CreatePtrToInt(frame, builder.getInt64Ty()), builder.getInt64(4096));
  return builder.CreateICmpULT(builder.CreateSub(address, low), builder.getInt64(4096 + (1 << 20)));
}

static llvm::Value *isShared(Emitter &emitter, llvm::Value *address) {
  Builder &builder = emitter.builder();
  llvm::Value *base = builder.CreatePtrToInt(sharedBase(emitter), builder.getInt64Ty());
  llvm::Value *bytes = loadField(builder, offsetof(hw_thread, sharedBytes), builder.getInt64Ty());
  return builder.CreateICmpULT(builder.CreateSub(address, base), bytes);
}

void emitIsspacep(Emitter &emitter) {
  const Space space = takeSpace(emitter);
  if (!emitter.operandsBetween(2, 2)) return;
  llvm::Value *address = emitter.readBits(1, b64);
  if (space == Space::Shared) return emitter.write(0, isShared(emitter, address));
  if (space == Space::Local) return emitter.write(0, isLocal(emitter, address));
  Builder &builder = emitter.builder();
  if (space == Space::Constant || space == Space::Parameter) {
    const char *question = space == Space::Constant ? "hw_is_constant" : "hw_is_grid_constant";
    llvm::Value *pointer = builder.CreateIntToPtr(address, builder.getPtrTy());
    llvm::Value *answer = emitter.callRuntime(question, builder.getInt32Ty(), {pointer});
    return emitter.write(0, builder.CreateIsNotNull(answer));
  }
  if (space != Space::Global) return emitter.fail("missing state space");
  emitter.write(0, builder.CreateNot(builder.CreateOr(isShared(emitter, address), isLocal(emitter, address))));
}

}  // namespace hostwarp::compiler::ptx
