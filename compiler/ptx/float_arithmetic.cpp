// Floating-point arithmetic. Everything is exact as PTX defines it: directed roundings go to the library, and 16-bit
// types are computed so wide that rounding once more changes nothing.
#include "compiler/ptx/float_arithmetic.h"

#include "compiler/device/abi_functions.h"
#include "compiler/ptx/opcodes.h"
#include "compiler/ptx/rounding.h"

namespace hostwarp::compiler::ptx {

namespace {

constexpr unsigned operandsOf(FloatOperation operation) {
  if (operation == FloatOperation::Fma) return 3;
  return operation == FloatOperation::Sqrt || operation == FloatOperation::Reciprocal ? 1 : 2;
}

const char *libraryName(FloatOperation operation) {
  static constexpr const char *names[] = {"add", "sub", "mul", "div", "fma", "sqrt", "rcp"};
  return names[unsigned(operation)];
}

llvm::Value *nearest(Emitter &emitter, FloatOperation operation, llvm::ArrayRef<llvm::Value *> v) {
  Builder &builder = emitter.builder();
  switch (operation) {
    case FloatOperation::Add:
      return builder.CreateFAdd(v[0], v[1]);
    case FloatOperation::Sub:
      return builder.CreateFSub(v[0], v[1]);
    case FloatOperation::Mul:
      return builder.CreateFMul(v[0], v[1]);
    case FloatOperation::Div:
      return builder.CreateFDiv(v[0], v[1]);
    case FloatOperation::Fma:
      return emitter.intrinsic(llvm::Intrinsic::fma, {v[0]->getType()}, v);
    case FloatOperation::Sqrt:
      return builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, v[0]);
    case FloatOperation::Reciprocal:
      return builder.CreateFDiv(llvm::ConstantFP::get(v[0]->getType(), 1.0), v[0]);
  }
  return nullptr;
}

// computeWide() does f32 and f64.
llvm::Value *computeWide(Emitter &emitter, FloatOperation operation, Type type, Rounding rounding,
                         llvm::ArrayRef<llvm::Value *> values) {
  if (rounding == Rounding::NearestEven) return nearest(emitter, operation, values);
  llvm::SmallVector<llvm::Value *> arguments(values);
  arguments.push_back(emitter.builder().getInt32(unsigned(rounding)));
  return emitter.callLibrary(libraryName(operation) + std::string(type.bits == 32 ? "_f32" : "_f64"),
                             type.value(emitter.context()), arguments);
}

// computeHalf(): float has more than twice the digits of half, so all but fma may round twice; a product of halves is
// exact in double, and so is its sum with a half wherever it matters.
llvm::Value *computeHalf(Emitter &emitter, FloatOperation operation, llvm::ArrayRef<llvm::Value *> values) {
  Builder &builder = emitter.builder();
  llvm::Type *wide = operation == FloatOperation::Fma ? builder.getDoubleTy() : builder.getFloatTy();
  llvm::SmallVector<llvm::Value *> widened;
  for (llvm::Value *value : values) widened.push_back(builder.CreateFPExt(value, wide));
  llvm::Value *result = operation == FloatOperation::Fma
                            ? builder.CreateFAdd(builder.CreateFMul(widened[0], widened[1]), widened[2])
                            : nearest(emitter, operation, widened);
  llvm::Value *half = builder.CreateFPTrunc(result, builder.getHalfTy());
  auto *nan = llvm::ConstantFP::get(builder.getContext(), llvm::APFloat(llvm::APFloat::IEEEhalf(), {16, 0x7fff}));
  return builder.CreateSelect(builder.CreateFCmpUNO(result, result), nan, half);
}

llvm::Value *computeLane(Emitter &emitter, FloatOperation operation, Type type, Rounding rounding,
                         llvm::ArrayRef<llvm::Value *> bits) {
  Builder &builder = emitter.builder();
  if (type.kind == Type::Kind::BFloat) {
    llvm::SmallVector<llvm::Value *> arguments{builder.getInt32(unsigned(operation))};
    arguments.append(bits.begin(), bits.end());
    while (arguments.size() < 4) arguments.push_back(builder.getInt16(0));
    return emitter.callLibrary("bf16", builder.getInt16Ty(), arguments);
  }
  llvm::SmallVector<llvm::Value *> values;
  for (llvm::Value *value : bits) values.push_back(builder.CreateBitCast(value, type.value(emitter.context())));
  return type.bits == 16 ? computeHalf(emitter, operation, values)
                         : computeWide(emitter, operation, type, rounding, values);
}

// computeFusible() is an operation of 16 bits that may be fused with another: the instruction names no rounding.
llvm::Value *computeFusible(Emitter &emitter, FloatOperation operation, Type type, llvm::ArrayRef<llvm::Value *> bits) {
  const std::string format = type.kind == Type::Kind::BFloat ? "brain_" : "half_";
  return emitter.callRuntime(fusible.str() + format + libraryName(operation), emitter.builder().getInt16Ty(), bits);
}

llvm::Value *asInteger(Emitter &emitter, llvm::Value *value) {
  return emitter.builder().CreateBitCast(value, emitter.intType(unsigned(value->getType()->getPrimitiveSizeInBits())));
}

// LaneChange is what modifiers do to operands and results of one lane.
struct LaneChange {
  bool flushes, saturates, relu;
};

llvm::Value *flushBits(Emitter &emitter, llvm::Value *bits, Type type) {
  if (type.kind == Type::Kind::BFloat) return bits;
  Builder &builder = emitter.builder();
  return asInteger(emitter, flush(emitter, builder.CreateBitCast(bits, type.value(emitter.context()))));
}

// limitBits() does .sat ([0, 1]) or .relu (negative values become 0; NaN stays, in its canonical form).
llvm::Value *limitBits(Emitter &emitter, llvm::Value *bits, Type type, const LaneChange &change) {
  Builder &builder = emitter.builder();
  llvm::Value *zero = llvm::ConstantInt::get(bits->getType(), 0);
  llvm::Value *value = toFloat(emitter, bits, type);
  llvm::Value *floatZero = llvm::Constant::getNullValue(value->getType());
  if (change.relu) {
    const uint64_t nan = type.width() == 16 ? 0x7fff : 0x7fffffff;
    llvm::Value *kept = builder.CreateSelect(builder.CreateFCmpOGT(value, floatZero), bits, zero);
    return builder.CreateSelect(builder.CreateFCmpUNO(value, value), llvm::ConstantInt::get(bits->getType(), nan),
                                kept);
  }
  const uint64_t one = type.kind == Type::Kind::BFloat ? 0x3f80
                       : type.bits == 16               ? 0x3c00
                       : type.bits == 32               ? 0x3f800000
                                                       : 0x3ff0000000000000;
  llvm::Value *above = builder.CreateFCmpOGT(value, llvm::ConstantFP::get(value->getType(), 1.0));
  bits = builder.CreateSelect(above, llvm::ConstantInt::get(bits->getType(), one), bits);
  return builder.CreateSelect(builder.CreateFCmpOGT(value, floatZero), bits, zero);
}

// minMaxBits() is PTX's min and max: NaN loses unless propagated, and -0 is less than +0.
llvm::Value *minMaxBits(Emitter &emitter, Type type, bool isMax, bool propagatesNan, llvm::Value *a, llvm::Value *b) {
  Builder &builder = emitter.builder();
  llvm::Value *x = toFloat(emitter, a, type), *y = toFloat(emitter, b, type);
  llvm::Value *first = isMax ? builder.CreateFCmpOGT(x, y) : builder.CreateFCmpOLT(x, y);
  llvm::Value *result = builder.CreateSelect(first, a, b);
  llvm::Value *zeros = isMax ? builder.CreateAnd(a, b) : builder.CreateOr(a, b);
  result = builder.CreateSelect(builder.CreateFCmpOEQ(x, y), zeros, result);
  llvm::Value *aIsNan = builder.CreateFCmpUNO(x, x), *bIsNan = builder.CreateFCmpUNO(y, y);
  const uint64_t nanBits = type.width() == 16 ? 0x7fff : type.width() == 32 ? 0x7fffffff : 0x7fffffffffffffff;
  llvm::Value *nan = llvm::ConstantInt::get(a->getType(), nanBits);
  if (propagatesNan) return builder.CreateSelect(builder.CreateOr(aIsNan, bIsNan), nan, result);
  result = builder.CreateSelect(bIsNan, a, builder.CreateSelect(aIsNan, b, result));
  return builder.CreateSelect(builder.CreateAnd(aIsNan, bIsNan), nan, result);
}

llvm::Value *signBit(llvm::Value *bits) {
  return llvm::ConstantInt::get(bits->getType(), llvm::APInt::getSignMask(bits->getType()->getIntegerBitWidth()));
}

llvm::Value *magnitude(Emitter &emitter, llvm::Value *bits) {
  return emitter.builder().CreateAnd(bits, emitter.builder().CreateNot(signBit(bits)));
}

// unary() applies `change` to the bits of each lane.
template <class Change>
void unary(Emitter &emitter, Type type, Change change) {
  const bool flushing = emitter.take("ftz");
  if (!emitter.operandsBetween(2, 2)) return;
  llvm::Value *packed = emitter.readBits(1, type);
  llvm::SmallVector<llvm::Value *> lanes;
  for (unsigned i = 0; i < type.lanes; ++i) {
    llvm::Value *bits = lane(emitter, packed, type, i);
    lanes.push_back(change(flushing ? flushBits(emitter, bits, type.lane()) : bits));
  }
  emitter.write(0, joinLanes(emitter, lanes));
}

}  // namespace

llvm::Value *lane(Emitter &emitter, llvm::Value *packed, Type type, unsigned index) {
  if (type.lanes == 1) return packed;
  Builder &builder = emitter.builder();
  return builder.CreateTrunc(builder.CreateLShr(packed, uint64_t(index) * type.bits), emitter.intType(type.bits));
}

llvm::Value *joinLanes(Emitter &emitter, llvm::ArrayRef<llvm::Value *> lanes) {
  if (lanes.size() == 1) return lanes[0];
  Builder &builder = emitter.builder();
  const unsigned bits = lanes[0]->getType()->getIntegerBitWidth();
  llvm::Type *whole = emitter.intType(bits * unsigned(lanes.size()));
  llvm::Value *result = llvm::ConstantInt::get(whole, 0);
  for (unsigned i = 0; i < lanes.size(); ++i)
    result = builder.CreateOr(result, builder.CreateShl(builder.CreateZExt(lanes[i], whole), uint64_t(i) * bits));
  return result;
}

llvm::Value *toFloat(Emitter &emitter, llvm::Value *bits, Type laneType) {
  Builder &builder = emitter.builder();
  if (laneType.kind == Type::Kind::BFloat) {
    llvm::Value *high = builder.CreateShl(builder.CreateZExt(bits, builder.getInt32Ty()), 16);
    return builder.CreateBitCast(high, builder.getFloatTy());
  }
  llvm::Value *value = builder.CreateBitCast(bits, laneType.value(emitter.context()));
  return laneType.bits == 16 ? builder.CreateFPExt(value, builder.getFloatTy()) : value;
}

llvm::Value *flush(Emitter &emitter, llvm::Value *value) {
  Builder &builder = emitter.builder();
  llvm::Type *type = value->getType();
  llvm::Value *least = llvm::ConstantFP::get(type, llvm::APFloat::getSmallestNormalized(type->getFltSemantics()));
  llvm::Value *isSmall = builder.CreateFCmpOLT(builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value), least);
  llvm::Value *zero =
      builder.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, llvm::Constant::getNullValue(type), value);
  return builder.CreateSelect(isSmall, zero, value);
}

void emitFloat(Emitter &emitter, FloatOperation operation, Type type) {
  if (!type.isFloat()) return emitter.fail("the type has to be a floating-point one");
  const bool isNearest = emitter.take("rn");
  const Rounding rounding = isNearest ? Rounding::NearestEven : takeRounding(emitter);
  // Approximations may be better than promised.
  if (operation == FloatOperation::Div || operation == FloatOperation::Sqrt) emitter.takeOneOf({"approx", "full"});
  const LaneChange change{emitter.take("ftz"), emitter.take("sat"), emitter.take("relu")};
  const unsigned count = operandsOf(operation);
  if (!emitter.operandsBetween(count + 1, count + 1)) return;
  const bool mayFuse = type.bits == 16 && !isNearest && !change.flushes && operation <= FloatOperation::Mul;
  if (type.bits == 16 && rounding != Rounding::NearestEven) return emitter.fail("16-bit types only round to nearest");
  llvm::SmallVector<llvm::Value *> packed, results;
  for (unsigned i = 1; i <= count; ++i) packed.push_back(emitter.readBits(i, type));
  for (unsigned i = 0; i < type.lanes; ++i) {
    llvm::SmallVector<llvm::Value *> values;
    for (llvm::Value *value : packed) {
      llvm::Value *bits = lane(emitter, value, type, i);
      values.push_back(change.flushes ? flushBits(emitter, bits, type.lane()) : bits);
    }
    llvm::Value *result = mayFuse ? computeFusible(emitter, operation, type, values)
                                  : asInteger(emitter, computeLane(emitter, operation, type.lane(), rounding, values));
    if (change.flushes) result = flushBits(emitter, result, type.lane());
    if (change.saturates || change.relu) result = limitBits(emitter, result, type.lane(), change);
    results.push_back(result);
  }
  emitter.write(0, joinLanes(emitter, results));
}

void emitFloatAbs(Emitter &emitter, Type type) {
  unary(emitter, type, [&](llvm::Value *bits) { return magnitude(emitter, bits); });
}

void emitFloatNeg(Emitter &emitter, Type type) {
  unary(emitter, type, [&](llvm::Value *bits) { return emitter.builder().CreateXor(bits, signBit(bits)); });
}

void emitFloatMinMax(Emitter &emitter, Type type, bool isMax) {
  Builder &builder = emitter.builder();
  const bool flushing = emitter.take("ftz"), nan = emitter.take("NaN"), xorSign = emitter.take("xorsign");
  if (xorSign && !emitter.take("abs")) return emitter.fail(".xorsign goes with .abs");
  if (!emitter.operandsBetween(3, 4)) return;
  llvm::SmallVector<llvm::Value *> results;
  for (unsigned i = 0; i < type.lanes; ++i) {
    llvm::Value *result = nullptr, *signs = nullptr;
    for (size_t operand = 1; operand < emitter.operandCount(); ++operand) {
      llvm::Value *bits = lane(emitter, emitter.readBits(operand, type), type, i);
      if (flushing) bits = flushBits(emitter, bits, type.lane());
      if (xorSign) {
        llvm::Value *sign = builder.CreateAnd(bits, signBit(bits));
        signs = signs ? builder.CreateXor(signs, sign) : sign;
        bits = magnitude(emitter, bits);
      }
      result = result ? minMaxBits(emitter, type.lane(), isMax, nan, result, bits) : bits;
    }
    results.push_back(signs ? builder.CreateOr(result, signs) : result);
  }
  emitter.write(0, joinLanes(emitter, results));
}

void emitFma(Emitter &emitter) { emitFloat(emitter, FloatOperation::Fma, emitter.takeType()); }
void emitSqrt(Emitter &emitter) { emitFloat(emitter, FloatOperation::Sqrt, emitter.takeType()); }

}  // namespace hostwarp::compiler::ptx
