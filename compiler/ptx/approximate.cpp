// The approximate functions. The host's are closer to the exact result than a GPU's have to be.
#include "compiler/ptx/float_arithmetic.h"
#include "compiler/ptx/opcodes.h"
#include "compiler/ptx/rounding.h"

namespace hostwarp::compiler::ptx {

namespace {

namespace Intrinsic = llvm::Intrinsic;

// narrow() gives the bits of `value` in the lane's type.
llvm::Value *narrow(Emitter &emitter, llvm::Value *value, Type type) {
  Builder &builder = emitter.builder();
  if (type.kind == Type::Kind::BFloat) {
    llvm::Value *bits = emitter.callLibrary("encode", builder.getInt32Ty(),
                                            {builder.CreateFPExt(value, builder.getDoubleTy()), builder.getInt32(1),
                                             builder.getInt32(1), builder.getInt32(0), builder.getInt32(0)});
    return builder.CreateTrunc(bits, builder.getInt16Ty());
  }
  if (type.bits == 16) value = builder.CreateFPTrunc(value, builder.getHalfTy());
  return builder.CreateBitCast(value, emitter.intType(type.bits));
}

// function() applies `compute` to each lane as float (double for .f64).
template <class Compute>
void function(Emitter &emitter, Compute compute) {
  if (!emitter.take("approx")) return emitter.fail("missing .approx");
  const bool flushing = emitter.take("ftz");
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(2, 2)) return;
  if (!type.isFloat()) return emitter.fail("unsupported type");
  llvm::Value *packed = emitter.readBits(1, type);
  llvm::SmallVector<llvm::Value *> results;
  for (unsigned i = 0; i < type.lanes; ++i) {
    llvm::Value *value = toFloat(emitter, lane(emitter, packed, type, i), type.lane());
    if (flushing && type == f32) value = flush(emitter, value);
    value = compute(value);
    if (flushing && type == f32) value = flush(emitter, value);
    results.push_back(narrow(emitter, value, type.lane()));
  }
  emitter.write(0, joinLanes(emitter, results));
}

void intrinsicFunction(Emitter &emitter, Intrinsic::ID id) {
  function(emitter, [&](llvm::Value *value) { return emitter.builder().CreateUnaryIntrinsic(id, value); });
}

llvm::Value *reciprocal(Emitter &emitter, llvm::Value *value) {
  return emitter.builder().CreateFDiv(llvm::ConstantFP::get(value->getType(), 1.0), value);
}

}  // namespace

void emitEx2(Emitter &emitter) { intrinsicFunction(emitter, Intrinsic::exp2); }
void emitLg2(Emitter &emitter) { intrinsicFunction(emitter, Intrinsic::log2); }
void emitSin(Emitter &emitter) { intrinsicFunction(emitter, Intrinsic::sin); }
void emitCos(Emitter &emitter) { intrinsicFunction(emitter, Intrinsic::cos); }

void emitTanh(Emitter &emitter) {
  function(emitter, [&](llvm::Value *value) {
    auto *call = llvm::cast<llvm::CallInst>(emitter.callRuntime("tanhf", emitter.builder().getFloatTy(), {value}));
    call->setDoesNotAccessMemory();
    call->setDoesNotThrow();
    return call;
  });
}

void emitRsqrt(Emitter &emitter) {
  function(emitter, [&](llvm::Value *value) {
    return reciprocal(emitter, emitter.builder().CreateUnaryIntrinsic(Intrinsic::sqrt, value));
  });
}

void emitRcp(Emitter &emitter) {
  if (llvm::is_contained(emitter.instruction().modifiers, "approx"))
    return function(emitter, [&](llvm::Value *value) { return reciprocal(emitter, value); });
  emitFloat(emitter, FloatOperation::Reciprocal, emitter.takeType());
}

}  // namespace hostwarp::compiler::ptx
