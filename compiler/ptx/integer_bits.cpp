// Logic and shifts.
#include "compiler/ptx/float_arithmetic.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

template <class Compute>
void logic(Emitter &emitter, Compute compute) {
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(3, 3)) return;
  if (type.isPredicate()) return emitter.write(0, compute(emitter.readPredicate(1), emitter.readPredicate(2)));
  emitter.write(0, compute(emitter.readBits(1, type), emitter.readBits(2, type)));
}

// shift(): an amount of the width or more shifts everything out.
void shift(Emitter &emitter, bool left) {
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(3, 3)) return;
  Builder &builder = emitter.builder();
  llvm::Value *value = emitter.readBits(1, type), *amount = emitter.readBits(2, b32);
  llvm::Type *integer = value->getType();
  llvm::Value *tooFar = builder.CreateICmpUGE(amount, builder.getInt32(type.width()));
  const bool arithmetic = !left && type.isSigned();
  // The amount is kept below the width, where LLVM's shifts are defined.
  amount = builder.CreateSelect(tooFar, builder.getInt32(arithmetic ? type.width() - 1 : 0), amount);
  amount = builder.CreateZExtOrTrunc(amount, integer);
  if (arithmetic) return emitter.write(0, builder.CreateAShr(value, amount), true);
  llvm::Value *shifted = left ? builder.CreateShl(value, amount) : builder.CreateLShr(value, amount);
  emitter.write(0, builder.CreateSelect(tooFar, llvm::ConstantInt::get(integer, 0), shifted));
}

}  // namespace

void emitAnd(Emitter &emitter) {
  logic(emitter, [&](llvm::Value *a, llvm::Value *b) { return emitter.builder().CreateAnd(a, b); });
}
void emitOr(Emitter &emitter) {
  logic(emitter, [&](llvm::Value *a, llvm::Value *b) { return emitter.builder().CreateOr(a, b); });
}
void emitXor(Emitter &emitter) {
  logic(emitter, [&](llvm::Value *a, llvm::Value *b) { return emitter.builder().CreateXor(a, b); });
}

void emitNot(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(2, 2)) return;
  llvm::Value *value = type.isPredicate() ? emitter.readPredicate(1) : emitter.readBits(1, type);
  emitter.write(0, emitter.builder().CreateNot(value));
}

void emitCnot(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(2, 2)) return;
  llvm::Value *value = emitter.readBits(1, type);
  llvm::Value *isZero = emitter.builder().CreateICmpEQ(value, llvm::ConstantInt::get(value->getType(), 0));
  emitter.write(0, emitter.builder().CreateZExt(isZero, value->getType()));
}

void emitShl(Emitter &emitter) { shift(emitter, true); }
void emitShr(Emitter &emitter) { shift(emitter, false); }

}  // namespace hostwarp::compiler::ptx
