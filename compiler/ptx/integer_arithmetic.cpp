// Integer arithmetic, with the carry flag.
#include "compiler/ptx/float_arithmetic.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

using llvm::Intrinsic::ID;
namespace Intrinsic = llvm::Intrinsic;

llvm::Value *binary(Emitter &emitter, ID id, llvm::Value *a, llvm::Value *b) {
  return emitter.builder().CreateBinaryIntrinsic(id, a, b);
}

// packed() applies `compute` to each lane of .s16x2 and .u16x2, and to the whole of scalar types.
template <class Compute>
void packed(Emitter &emitter, Type type, Compute compute) {
  llvm::Value *a = emitter.readBits(1, type), *b = emitter.readBits(2, type);
  llvm::SmallVector<llvm::Value *> lanes;
  for (unsigned i = 0; i < type.lanes; ++i)
    lanes.push_back(compute(lane(emitter, a, type, i), lane(emitter, b, type, i)));
  emitter.write(0, joinLanes(emitter, lanes), type.isSigned());
}

// addWithCarry() gives a + b + in and stores the carry if asked. For a subtraction the caller inverts b and the carry.
llvm::Value *addCarry(Emitter &emitter, llvm::Value *a, llvm::Value *b, llvm::Value *in, bool isSub, bool setsCarry) {
  Builder &builder = emitter.builder();
  llvm::Type *type = a->getType(), *wide = emitter.intType(type->getIntegerBitWidth() + 1);
  auto widen = [&](llvm::Value *value) { return builder.CreateZExt(value, wide); };
  llvm::Value *sum = isSub ? builder.CreateSub(widen(a), widen(b)) : builder.CreateAdd(widen(a), widen(b));
  if (in) sum = isSub ? builder.CreateSub(sum, widen(in)) : builder.CreateAdd(sum, widen(in));
  if (setsCarry)
    builder.CreateStore(builder.CreateTrunc(builder.CreateLShr(sum, type->getIntegerBitWidth()), builder.getInt1Ty()),
                        emitter.carry());
  return builder.CreateTrunc(sum, type);
}

llvm::Value *loadCarry(Emitter &emitter) {
  return emitter.builder().CreateLoad(emitter.builder().getInt1Ty(), emitter.carry());
}

void emitCarry(Emitter &emitter, Type type, bool isSub, bool usesCarry, bool setsCarry) {
  if (!emitter.operandsBetween(3, 3)) return;
  llvm::Value *in = usesCarry ? loadCarry(emitter) : nullptr;
  emitter.write(0, addCarry(emitter, emitter.readBits(1, type), emitter.readBits(2, type), in, isSub, setsCarry));
}

void emitAddSub(Emitter &emitter, bool isSub) {
  const Type type = emitter.takeType();
  if (type.isFloat()) return emitFloat(emitter, isSub ? FloatOperation::Sub : FloatOperation::Add, type);
  if (emitter.take("cc")) return emitCarry(emitter, type, isSub, false, true);
  const bool saturating = emitter.take("sat");
  if (!emitter.operandsBetween(3, 3)) return;
  packed(emitter, type, [&](llvm::Value *a, llvm::Value *b) {
    if (saturating) {
      const ID id = type.isSigned() ? (isSub ? Intrinsic::ssub_sat : Intrinsic::sadd_sat)
                                    : (isSub ? Intrinsic::usub_sat : Intrinsic::uadd_sat);
      return binary(emitter, id, a, b);
    }
    return isSub ? emitter.builder().CreateSub(a, b) : emitter.builder().CreateAdd(a, b);
  });
}

// product() is the double-width product.
llvm::Value *product(Emitter &emitter, Type type, llvm::Value *a, llvm::Value *b) {
  Builder &builder = emitter.builder();
  llvm::Type *wide = emitter.intType(2 * type.width());
  auto widen = [&](llvm::Value *v) {
    return type.isSigned() ? builder.CreateSExt(v, wide) : builder.CreateZExt(v, wide);
  };
  return builder.CreateMul(widen(a), widen(b));
}

// part() cuts .lo, .hi or .wide out of a product.
llvm::Value *part(Emitter &emitter, Type type, llvm::StringRef which, llvm::Value *product) {
  Builder &builder = emitter.builder();
  if (which == "wide") return product;
  if (which == "hi") product = builder.CreateLShr(product, type.width());
  return builder.CreateTrunc(product, emitter.intType(type.width()));
}

llvm::StringRef takePart(Emitter &emitter) {
  const llvm::StringRef which = emitter.takeOneOf({"lo", "hi", "wide"});
  if (which.empty()) emitter.fail("missing .lo, .hi or .wide");
  return which;
}

llvm::Value *saturatingAdd(Emitter &emitter, Type type, llvm::Value *a, llvm::Value *b) {
  return binary(emitter, type.isSigned() ? Intrinsic::sadd_sat : Intrinsic::uadd_sat, a, b);
}

// product24() multiplies the low 24 bits; .hi is bits 16 to 47 of the 48-bit product.
llvm::Value *product24(Emitter &emitter, Type type, llvm::StringRef which) {
  Builder &builder = emitter.builder();
  llvm::Type *i24 = emitter.intType(24), *i64 = builder.getInt64Ty(), *i32 = builder.getInt32Ty();
  auto low = [&](size_t index) {
    llvm::Value *value = builder.CreateTrunc(emitter.readBits(index, type), i24);
    return type.isSigned() ? builder.CreateSExt(value, i64) : builder.CreateZExt(value, i64);
  };
  llvm::Value *whole = builder.CreateMul(low(1), low(2));
  return builder.CreateTrunc(which == "hi" ? builder.CreateLShr(whole, 16) : whole, i32);
}

// A division by zero is unspecified on a GPU but does not fault: the quotient is all ones, the remainder the dividend.
void divide(Emitter &emitter, Type type, bool remainder) {
  if (!emitter.operandsBetween(3, 3)) return;
  Builder &builder = emitter.builder();
  llvm::Value *a = emitter.readBits(1, type), *b = emitter.readBits(2, type);
  llvm::Type *integer = a->getType();
  llvm::Value *zero = llvm::ConstantInt::get(integer, 0), *one = llvm::ConstantInt::get(integer, 1);
  llvm::Value *allOnes = llvm::ConstantInt::getAllOnesValue(integer);
  llvm::Value *byZero = builder.CreateICmpEQ(b, zero);
  // Division by -1 is a negation: the hardware's instruction faults for the smallest number.
  llvm::Value *byMinus = type.isSigned() ? builder.CreateICmpEQ(b, allOnes) : builder.getFalse();
  llvm::Value *safe = builder.CreateSelect(builder.CreateOr(byZero, byMinus), one, b);
  llvm::Value *result, *minus, *none;
  if (remainder) {
    result = type.isSigned() ? builder.CreateSRem(a, safe) : builder.CreateURem(a, safe);
    minus = zero;
    none = a;
  } else {
    result = type.isSigned() ? builder.CreateSDiv(a, safe) : builder.CreateUDiv(a, safe);
    minus = builder.CreateNeg(a);
    none = allOnes;
  }
  result = builder.CreateSelect(byMinus, minus, result);
  emitter.write(0, builder.CreateSelect(byZero, none, result), type.isSigned());
}

void emitMinMax(Emitter &emitter, bool isMax) {
  const Type type = emitter.takeType();
  if (type.isFloat()) return emitFloatMinMax(emitter, type, isMax);
  const bool relu = emitter.take("relu");
  if (!emitter.operandsBetween(3, 3)) return;
  if (relu && !type.isSigned()) return emitter.fail(".relu needs a signed type");
  packed(emitter, type, [&](llvm::Value *a, llvm::Value *b) {
    const ID id =
        type.isSigned() ? (isMax ? Intrinsic::smax : Intrinsic::smin) : (isMax ? Intrinsic::umax : Intrinsic::umin);
    llvm::Value *result = binary(emitter, id, a, b);
    return relu ? binary(emitter, Intrinsic::smax, result, llvm::ConstantInt::get(result->getType(), 0)) : result;
  });
}

}  // namespace

void emitAdd(Emitter &emitter) { emitAddSub(emitter, false); }
void emitSub(Emitter &emitter) { emitAddSub(emitter, true); }

void emitAddc(Emitter &emitter) {
  const bool setsCarry = emitter.take("cc");
  emitCarry(emitter, emitter.takeType(), false, true, setsCarry);
}

void emitSubc(Emitter &emitter) {
  const bool setsCarry = emitter.take("cc");
  emitCarry(emitter, emitter.takeType(), true, true, setsCarry);
}

void emitMul(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (type.isFloat()) return emitFloat(emitter, FloatOperation::Mul, type);
  const llvm::StringRef which = takePart(emitter);
  if (!emitter.operandsBetween(3, 3)) return;
  llvm::Value *whole = product(emitter, type, emitter.readBits(1, type), emitter.readBits(2, type));
  emitter.write(0, part(emitter, type, which, whole), type.isSigned());
}

static void emitMadWithCarry(Emitter &emitter, Type type, bool usesCarry) {
  const llvm::StringRef which = takePart(emitter);
  const bool setsCarry = emitter.take("cc");
  if (!emitter.operandsBetween(4, 4)) return;
  llvm::Value *whole = product(emitter, type, emitter.readBits(1, type), emitter.readBits(2, type));
  llvm::Value *in = usesCarry ? loadCarry(emitter) : nullptr;
  emitter.write(0,
                addCarry(emitter, part(emitter, type, which, whole), emitter.readBits(3, type), in, false, setsCarry));
}

void emitMad(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (type.isFloat()) return emitFloat(emitter, FloatOperation::Fma, type);
  const bool saturating = emitter.take("sat");
  if (llvm::is_contained(emitter.instruction().modifiers, "cc")) return emitMadWithCarry(emitter, type, false);
  const llvm::StringRef which = takePart(emitter);
  if (!emitter.operandsBetween(4, 4)) return;
  const Type addend = which == "wide" ? Type{type.kind, uint16_t(2 * type.bits), 1} : type;
  llvm::Value *whole = product(emitter, type, emitter.readBits(1, type), emitter.readBits(2, type));
  llvm::Value *a = part(emitter, type, which, whole), *c = emitter.readBits(3, addend);
  emitter.write(0, saturating ? saturatingAdd(emitter, type, a, c) : emitter.builder().CreateAdd(a, c),
                type.isSigned());
}

void emitMadc(Emitter &emitter) { emitMadWithCarry(emitter, emitter.takeType(), true); }

void emitMul24(Emitter &emitter) {
  const Type type = emitter.takeType();
  const llvm::StringRef which = takePart(emitter);
  if (type.width() != 32 || which == "wide") return emitter.fail("mul24 takes 32-bit types, .lo or .hi");
  if (emitter.operandsBetween(3, 3)) emitter.write(0, product24(emitter, type, which));
}

void emitMad24(Emitter &emitter) {
  const Type type = emitter.takeType();
  const llvm::StringRef which = takePart(emitter);
  const bool saturating = emitter.take("sat");
  if (type.width() != 32 || which == "wide") return emitter.fail("mad24 takes 32-bit types, .lo or .hi");
  if (!emitter.operandsBetween(4, 4)) return;
  llvm::Value *a = product24(emitter, type, which), *c = emitter.readBits(3, type);
  emitter.write(0, saturating ? saturatingAdd(emitter, type, a, c) : emitter.builder().CreateAdd(a, c));
}

void emitSad(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(4, 4)) return;
  Builder &builder = emitter.builder();
  llvm::Value *a = emitter.readBits(1, type), *b = emitter.readBits(2, type);
  llvm::Value *less = type.isSigned() ? builder.CreateICmpSLT(a, b) : builder.CreateICmpULT(a, b);
  llvm::Value *difference = builder.CreateSelect(less, builder.CreateSub(b, a), builder.CreateSub(a, b));
  emitter.write(0, builder.CreateAdd(difference, emitter.readBits(3, type)), type.isSigned());
}

void emitDiv(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (type.isFloat()) return emitFloat(emitter, FloatOperation::Div, type);
  divide(emitter, type, false);
}

void emitRem(Emitter &emitter) { divide(emitter, emitter.takeType(), true); }

void emitAbs(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (type.isFloat()) return emitFloatAbs(emitter, type);
  if (!emitter.operandsBetween(2, 2)) return;
  emitter.write(0, binary(emitter, Intrinsic::abs, emitter.readBits(1, type), emitter.builder().getFalse()), true);
}

void emitNeg(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (type.isFloat()) return emitFloatNeg(emitter, type);
  if (emitter.operandsBetween(2, 2)) emitter.write(0, emitter.builder().CreateNeg(emitter.readBits(1, type)), true);
}

void emitMin(Emitter &emitter) { emitMinMax(emitter, false); }
void emitMax(Emitter &emitter) { emitMinMax(emitter, true); }

}  // namespace hostwarp::compiler::ptx
