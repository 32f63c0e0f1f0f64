// Instructions on bit fields, bytes and funnels.
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

namespace Intrinsic = llvm::Intrinsic;

// readWide() reads an operand and extends it to 64 bits by its type.
llvm::Value *readWide(Emitter &emitter, size_t index, Type type) {
  Builder &builder = emitter.builder();
  llvm::Value *value = emitter.readBits(index, type);
  return type.isSigned() ? builder.CreateSExt(value, builder.getInt64Ty())
                         : builder.CreateZExt(value, builder.getInt64Ty());
}

void writeTruncated(Emitter &emitter, llvm::Value *value, unsigned bits) {
  emitter.write(0, emitter.builder().CreateTrunc(value, emitter.intType(bits)));
}

// count() is popc or clz: the result has 32 bits whatever the operand has.
void count(Emitter &emitter, Intrinsic::ID id) {
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(2, 2)) return;
  Builder &builder = emitter.builder();
  llvm::Value *value = emitter.readBits(1, type);
  llvm::Value *result = id == Intrinsic::ctpop ? builder.CreateUnaryIntrinsic(id, value)
                                               : builder.CreateBinaryIntrinsic(id, value, builder.getFalse());
  emitter.write(0, builder.CreateZExtOrTrunc(result, builder.getInt32Ty()));
}

// dotProduct() is dp4a and dp2a: `part` is 0 or 2 for dp2a's .lo and .hi bytes of b.
void dotProduct(Emitter &emitter, unsigned lanes, unsigned firstByte) {
  const Type a = emitter.takeType();
  Type b = emitter.takeOptionalType();
  if (!b.valid()) b = a;
  if (!emitter.operandsBetween(4, 4)) return;
  Builder &builder = emitter.builder();
  auto part = [&](llvm::Value *value, unsigned shift, unsigned bits, bool isSigned) {
    value = builder.CreateTrunc(builder.CreateLShr(value, shift), emitter.intType(bits));
    return isSigned ? builder.CreateSExt(value, builder.getInt32Ty()) : builder.CreateZExt(value, builder.getInt32Ty());
  };
  llvm::Value *x = emitter.readBits(1, b32), *y = emitter.readBits(2, b32), *sum = emitter.readBits(3, b32);
  const unsigned bits = 32 / lanes;
  for (unsigned i = 0; i < lanes; ++i)
    sum = builder.CreateAdd(
        sum, builder.CreateMul(part(x, i * bits, bits, a.isSigned()), part(y, (firstByte + i) * 8, 8, b.isSigned())));
  emitter.write(0, sum);
}

}  // namespace

void emitPopc(Emitter &emitter) { count(emitter, Intrinsic::ctpop); }
void emitClz(Emitter &emitter) { count(emitter, Intrinsic::ctlz); }

void emitBrev(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (emitter.operandsBetween(2, 2))
    emitter.write(0, emitter.builder().CreateUnaryIntrinsic(Intrinsic::bitreverse, emitter.readBits(1, type)));
}

void emitBfind(Emitter &emitter) {
  const bool shiftAmount = emitter.take("shiftamt");
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(2, 2)) return;
  emitter.write(0, emitter.callLibrary("bfind", emitter.intType(32),
                                       {readWide(emitter, 1, type), number(emitter, type.width()),
                                        number(emitter, type.isSigned()), number(emitter, shiftAmount)}));
}

void emitFns(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (type.width() != 32 || !emitter.operandsBetween(4, 4)) return;
  emitter.write(0, emitter.callLibrary("fns", emitter.intType(32),
                                       {emitter.readBits(1, b32), emitter.readBits(2, b32), emitter.readBits(3, b32)}));
}

void emitBfe(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(4, 4)) return;
  llvm::Value *field =
      emitter.callLibrary("bfe", emitter.intType(64),
                          {readWide(emitter, 1, type), emitter.readBits(2, b32), emitter.readBits(3, b32),
                           number(emitter, type.width()), number(emitter, type.isSigned())});
  writeTruncated(emitter, field, type.width());
}

void emitBfi(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(5, 5)) return;
  llvm::Value *result =
      emitter.callLibrary("bfi", emitter.intType(64),
                          {readWide(emitter, 1, type), readWide(emitter, 2, type), emitter.readBits(3, b32),
                           emitter.readBits(4, b32), number(emitter, type.width())});
  writeTruncated(emitter, result, type.width());
}

void emitBmsk(Emitter &emitter) {
  const llvm::StringRef mode = emitter.takeOneOf({"clamp", "wrap"});
  const Type type = emitter.takeType();
  if (mode.empty()) emitter.fail("missing .clamp or .wrap");
  if (type.width() != 32 || !emitter.operandsBetween(3, 3)) return;
  emitter.write(
      0, emitter.callLibrary("bmsk", emitter.intType(32),
                             {emitter.readBits(1, b32), emitter.readBits(2, b32), number(emitter, mode == "wrap")}));
}

void emitSzext(Emitter &emitter) {
  const llvm::StringRef mode = emitter.takeOneOf({"clamp", "wrap"});
  const Type type = emitter.takeType();
  if (mode.empty()) emitter.fail("missing .clamp or .wrap");
  if (type.width() != 32 || !emitter.operandsBetween(3, 3)) return;
  emitter.write(0, emitter.callLibrary("szext", emitter.intType(32),
                                       {emitter.readBits(1, b32), emitter.readBits(2, b32),
                                        number(emitter, mode == "wrap"), number(emitter, type.isSigned())}));
}

void emitPrmt(Emitter &emitter) {
  static constexpr const char *modes[] = {"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  const llvm::StringRef name = emitter.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  const auto mode = uint32_t(llvm::find(modes, name) - std::begin(modes));
  emitter.takeType();
  if (!emitter.operandsBetween(4, 4)) return;
  emitter.write(0, emitter.callLibrary("prmt", emitter.intType(32),
                                       {emitter.readBits(1, b32), emitter.readBits(2, b32), emitter.readBits(3, b32),
                                        number(emitter, mode)}));
}

// lop3 combines three values bit by bit as the table says; the second form adds a predicate that says whether the
// result, combined with another predicate, is not zero.
void emitLop3(Emitter &emitter) {
  const llvm::StringRef combination = emitter.takeOneOf({"and", "or"});
  emitter.takeType();
  const size_t expected = combination.empty() ? 5 : 6;
  if (!emitter.operandsBetween(expected, expected)) return;
  Builder &builder = emitter.builder();
  const auto table = uint32_t(emitter.constant(4));
  llvm::Value *a = emitter.readBits(1, b32), *b = emitter.readBits(2, b32), *c = emitter.readBits(3, b32);
  llvm::Value *result = builder.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (!(table >> row & 1)) continue;
    auto literal = [&](llvm::Value *value, unsigned bit) { return row & bit ? value : builder.CreateNot(value); };
    result =
        builder.CreateOr(result, builder.CreateAnd(literal(a, 4), builder.CreateAnd(literal(b, 2), literal(c, 1))));
  }
  const Operand &destination = emitter.operand(0);
  const bool pair = destination.kind == Operand::Kind::Pair;
  emitter.write(pair ? destination.parts[0] : destination, result);
  if (pair == combination.empty()) return emitter.fail(".and and .or go with d|p");
  if (!pair) return;
  llvm::Value *any = builder.CreateICmpNE(result, builder.getInt32(0)), *with = emitter.readPredicate(5);
  emitter.write(destination.parts[1],
                combination == "and" ? builder.CreateAnd(any, with) : builder.CreateOr(any, with));
}

void emitShf(Emitter &emitter) {
  const llvm::StringRef direction = emitter.takeOneOf({"l", "r"}), mode = emitter.takeOneOf({"clamp", "wrap"});
  emitter.takeType();
  if (direction.empty() || mode.empty()) emitter.fail("shf needs .l or .r, and .clamp or .wrap");
  if (!emitter.operandsBetween(4, 4)) return;
  Builder &builder = emitter.builder();
  llvm::Type *i64 = builder.getInt64Ty();
  llvm::Value *low = builder.CreateZExt(emitter.readBits(1, b32), i64);
  llvm::Value *high = builder.CreateZExt(emitter.readBits(2, b32), i64);
  llvm::Value *whole = builder.CreateOr(builder.CreateShl(high, 32), low);
  llvm::Value *amount = emitter.readBits(3, b32);
  if (mode == "wrap")
    amount = builder.CreateAnd(amount, 31);
  else
    amount = builder.CreateBinaryIntrinsic(Intrinsic::umin, amount, builder.getInt32(32));
  amount = builder.CreateZExt(amount, i64);
  llvm::Value *shifted =
      direction == "l" ? builder.CreateLShr(builder.CreateShl(whole, amount), 32) : builder.CreateLShr(whole, amount);
  writeTruncated(emitter, shifted, 32);
}

void emitDp4a(Emitter &emitter) { dotProduct(emitter, 4, 0); }

void emitDp2a(Emitter &emitter) {
  const llvm::StringRef half = emitter.takeOneOf({"lo", "hi"});
  if (half.empty()) return emitter.fail("missing .lo or .hi");
  dotProduct(emitter, 2, half == "hi" ? 2 : 0);
}

}  // namespace hostwarp::compiler::ptx
