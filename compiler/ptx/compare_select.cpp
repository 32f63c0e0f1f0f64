// setp, set and the instructions that choose between two values.
#include "compiler/ptx/float_arithmetic.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

using Predicate = llvm::CmpInst::Predicate;

struct Comparison {
  const char *name;
  Predicate signedInteger, unsignedInteger, floating;
};

constexpr Predicate none = Predicate::BAD_ICMP_PREDICATE;

constexpr Comparison comparisons[] = {
    {"eq", Predicate::ICMP_EQ, Predicate::ICMP_EQ, Predicate::FCMP_OEQ},
    {"ne", Predicate::ICMP_NE, Predicate::ICMP_NE, Predicate::FCMP_ONE},
    {"lt", Predicate::ICMP_SLT, Predicate::ICMP_ULT, Predicate::FCMP_OLT},
    {"le", Predicate::ICMP_SLE, Predicate::ICMP_ULE, Predicate::FCMP_OLE},
    {"gt", Predicate::ICMP_SGT, Predicate::ICMP_UGT, Predicate::FCMP_OGT},
    {"ge", Predicate::ICMP_SGE, Predicate::ICMP_UGE, Predicate::FCMP_OGE},
    {"lo", none, Predicate::ICMP_ULT, none},
    {"ls", none, Predicate::ICMP_ULE, none},
    {"hi", none, Predicate::ICMP_UGT, none},
    {"hs", none, Predicate::ICMP_UGE, none},
    {"equ", none, none, Predicate::FCMP_UEQ},
    {"neu", none, none, Predicate::FCMP_UNE},
    {"ltu", none, none, Predicate::FCMP_ULT},
    {"leu", none, none, Predicate::FCMP_ULE},
    {"gtu", none, none, Predicate::FCMP_UGT},
    {"geu", none, none, Predicate::FCMP_UGE},
    {"num", none, none, Predicate::FCMP_ORD},
    {"nan", none, none, Predicate::FCMP_UNO},
};

const Comparison *takeComparison(Emitter &emitter) {
  for (const Comparison &comparison : comparisons)
    if (emitter.take(comparison.name)) return &comparison;
  emitter.fail("missing comparison");
  return nullptr;
}

// compareLane() compares two values of one lane given as bits.
llvm::Value *compareLane(Emitter &emitter, const Comparison &comparison, Type type, llvm::Value *a, llvm::Value *b,
                         bool flushing) {
  Builder &builder = emitter.builder();
  const Predicate predicate = type.isFloat()    ? comparison.floating
                              : type.isSigned() ? comparison.signedInteger
                                                : comparison.unsignedInteger;
  if (predicate == none) {
    emitter.fail("comparison and type do not go together");
    return builder.getFalse();
  }
  if (!type.isFloat()) return builder.CreateICmp(predicate, a, b);
  a = toFloat(emitter, a, type);
  b = toFloat(emitter, b, type);
  // Subnormal halves are normal floats; .ftz means the float's own.
  if (flushing && type == f32) a = flush(emitter, a), b = flush(emitter, b);
  return builder.CreateFCmp(predicate, a, b);
}

// combine() does the optional .and, .or, .xor with the last operand.
struct Combination {
  llvm::StringRef operation;
  llvm::Value *with = nullptr;
};

Combination takeCombination(Emitter &emitter, size_t index) {
  Combination combination{emitter.takeOneOf({"and", "or", "xor"})};
  const size_t count = combination.operation.empty() ? index : index + 1;
  if (emitter.operandsBetween(count, count) && !combination.operation.empty())
    combination.with = emitter.readPredicate(index);
  return combination;
}

llvm::Value *combine(Builder &builder, const Combination &combination, llvm::Value *value) {
  if (!combination.with) return value;
  if (combination.operation == "and") return builder.CreateAnd(value, combination.with);
  if (combination.operation == "or") return builder.CreateOr(value, combination.with);
  return builder.CreateXor(value, combination.with);
}

// truth() is a comparison's result as `set` stores it: all ones, or 1.0 for floating types.
llvm::Value *truth(Emitter &emitter, Type laneType, llvm::Value *condition) {
  Builder &builder = emitter.builder();
  llvm::Type *integer = emitter.intType(laneType.width());
  if (!laneType.isFloat()) return builder.CreateSExt(condition, integer);
  const uint64_t one = laneType.kind == Type::Kind::BFloat ? 0x3f80 : laneType.bits == 16 ? 0x3c00 : 0x3f800000;
  return builder.CreateSelect(condition, llvm::ConstantInt::get(integer, one), llvm::ConstantInt::get(integer, 0));
}

}  // namespace

void emitSetp(Emitter &emitter) {
  const Comparison *comparison = takeComparison(emitter);
  const Combination combination = takeCombination(emitter, 3);
  const bool flushing = emitter.take("ftz");
  const Type type = emitter.takeType();
  if (!comparison || !emitter.error().empty()) return;
  Builder &builder = emitter.builder();
  llvm::Value *a = emitter.readBits(1, type), *b = emitter.readBits(2, type);
  const Operand &destination = emitter.operand(0);
  const bool pair = destination.kind == Operand::Kind::Pair;
  auto compare = [&](unsigned i) {
    return compareLane(emitter, *comparison, type.lane(), lane(emitter, a, type, i), lane(emitter, b, type, i),
                       flushing);
  };
  llvm::Value *first = compare(0);
  emitter.write(pair ? destination.parts[0] : destination, combine(builder, combination, first));
  if (!pair) return;
  // The second destination is the opposite, or the second half of packed operands.
  llvm::Value *second = type.lanes == 2 ? compare(1) : builder.CreateNot(first);
  emitter.write(destination.parts[1], combine(builder, combination, second));
}

void emitSet(Emitter &emitter) {
  const Comparison *comparison = takeComparison(emitter);
  const Combination combination = takeCombination(emitter, 3);
  const bool flushing = emitter.take("ftz");
  const Type result = emitter.takeType(), type = emitter.takeType();
  if (!comparison || !emitter.error().empty()) return;
  if (result.lanes != type.lanes && result.lanes != 1) return emitter.fail("types do not go together");
  const unsigned laneBits = result.width() / type.lanes;
  const Type laneType = {result.kind, uint16_t(laneBits), 1};
  llvm::Value *a = emitter.readBits(1, type), *b = emitter.readBits(2, type);
  llvm::SmallVector<llvm::Value *> lanes;
  for (unsigned i = 0; i < type.lanes; ++i) {
    llvm::Value *condition =
        compareLane(emitter, *comparison, type.lane(), lane(emitter, a, type, i), lane(emitter, b, type, i), flushing);
    lanes.push_back(truth(emitter, laneType, combine(emitter.builder(), combination, condition)));
  }
  emitter.write(0, joinLanes(emitter, lanes), result.isSigned());
}

void emitSelp(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(4, 4)) return;
  emitter.write(0, emitter.builder().CreateSelect(emitter.readPredicate(3), emitter.readBits(1, type),
                                                  emitter.readBits(2, type)));
}

void emitSlct(Emitter &emitter) {
  const bool flushing = emitter.take("ftz");
  const Type type = emitter.takeType(), selector = emitter.takeType();
  if (!emitter.operandsBetween(4, 4)) return;
  Builder &builder = emitter.builder();
  llvm::Value *c = emitter.read(3, selector);
  if (selector == f32 && flushing) c = flush(emitter, c);
  // NaN selects the second.
  llvm::Value *first = selector.isFloat() ? builder.CreateFCmpOGE(c, emitter.zero(selector))
                                          : builder.CreateICmpSGE(c, emitter.zero(selector));
  emitter.write(0, builder.CreateSelect(first, emitter.readBits(1, type), emitter.readBits(2, type)));
}

void emitTestp(Emitter &emitter) {
  struct Test {
    const char *name;
    llvm::FPClassTest classes;
  };
  static constexpr Test tests[] = {{"finite", llvm::fcFinite},
                                   {"infinite", llvm::fcInf},
                                   {"number", ~llvm::fcNan & llvm::fcAllFlags},
                                   {"notanumber", llvm::fcNan},
                                   {"normal", llvm::fcNormal | llvm::fcZero},
                                   {"subnormal", llvm::fcSubnormal}};
  for (const Test &test : tests) {
    if (!emitter.take(test.name)) continue;
    const Type type = emitter.takeType();
    if (!emitter.operandsBetween(2, 2)) return;
    return emitter.write(0, emitter.builder().createIsFPClass(emitter.read(1, type), test.classes));
  }
  emitter.fail("missing test");
}

// copysign takes the sign of the first source and the rest of the second.
void emitCopysign(Emitter &emitter) {
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(3, 3)) return;
  emitter.write(0, emitter.builder().CreateBinaryIntrinsic(llvm::Intrinsic::copysign, emitter.read(2, type),
                                                           emitter.read(1, type)));
}

}  // namespace hostwarp::compiler::ptx
