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

// ask() is what a function of the device ABI says of the address.
static llvm::Value *ask(Emitter &emitter, const char *question, llvm::Value *address) {
  Builder &builder = emitter.builder();
  llvm::Value *pointer = builder.CreateIntToPtr(address, builder.getPtrTy());
  return builder.CreateIsNotNull(emitter.callRuntime(question, builder.getInt32Ty(), {pointer}));
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
  if (space == Space::Local) return emitter.write(0, ask(emitter, "hw_is_local", address));
  if (space == Space::Constant) return emitter.write(0, ask(emitter, "hw_is_constant", address));
  if (space == Space::Parameter) return emitter.write(0, ask(emitter, "hw_is_grid_constant", address));
  if (space != Space::Global) return emitter.fail("missing state space");
  Builder &builder = emitter.builder();
  llvm::Value *isOther = builder.CreateOr(isShared(emitter, address), ask(emitter, "hw_is_local", address));
  emitter.write(0, builder.CreateNot(isOther));
}

}  // namespace hostwarp::compiler::ptx
