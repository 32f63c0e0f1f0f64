// cvt: modifiers, operands and lanes; convert_lane.cpp converts one number.
#include "compiler/ptx/convert.h"

#include "compiler/ptx/float_arithmetic.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

struct SmallName {
  const char *name;
  SmallFormat format;
  uint8_t bits;  // of one element in its register
};

constexpr SmallName smallNames[] = {
    {"tf32", SmallFormat::TF32, 32},  {"e4m3", SmallFormat::E4M3, 8}, {"e5m2", SmallFormat::E5M2, 8},
    {"e2m3", SmallFormat::E2M3, 8},   {"e3m2", SmallFormat::E3M2, 8}, {"e2m1", SmallFormat::E2M1, 4},
    {"ue8m0", SmallFormat::UE8M0, 8},
};

// sideOf() understands one modifier; not valid() for one that is no format.
Conversion::Side sideOf(llvm::StringRef name) {
  Conversion::Side side{parseType(name)};
  if (side.type.valid()) {
    if (side.type.isFloat() && side.type.bits == 16)
      side.format = side.type.kind == Type::Kind::BFloat ? SmallFormat::BF16 : SmallFormat::F16;
    return side;
  }
  uint8_t lanes = 1;
  if (name.consume_back("x2")) lanes = 2;
  for (const SmallName &small : smallNames)
    if (name == small.name) return {{Type::Kind::Bits, small.bits, lanes}, small.format};
  return side;
}

Conversion::Side takeSide(Emitter &emitter) {
  for (const std::string &modifier : emitter.instruction().modifiers) {
    const Conversion::Side side = sideOf(modifier);
    if (side.type.valid() && emitter.take(modifier)) return side;
  }
  emitter.fail("missing type");
  return {b32};
}

void takeConversionRounding(Emitter &emitter, Conversion &conversion) {
  const llvm::StringRef name = emitter.takeOneOf({"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"});
  conversion.hasRounding = !name.empty();
  conversion.toIntegral = name.size() == 3 && name != "rna";
  if (name == "rna")
    conversion.rounding = Rounding::NearestAway;
  else if (name.starts_with("rz"))
    conversion.rounding = Rounding::Zero;
  else if (name.starts_with("rm"))
    conversion.rounding = Rounding::Down;
  else if (name.starts_with("rp"))
    conversion.rounding = Rounding::Up;
}

// takePackedType() takes what cvt.pack makes: 16 or 8 bits, or 4 or 2, of which no other instruction knows a type.
Type takePackedType(Emitter &emitter) {
  for (const uint16_t bits : {2, 4}) {
    if (emitter.take(("u" + llvm::Twine(bits)).str())) return {Type::Kind::Unsigned, bits, 1};
    if (emitter.take(("s" + llvm::Twine(bits)).str())) return {Type::Kind::Signed, bits, 1};
  }
  return emitter.takeType();
}

// cvt.pack.sat.dtype.s32 d, a, b{, c}: a and b saturated, below what is left of c.
void emitPack(Emitter &emitter) {
  emitter.take("sat");
  const Type to = takePackedType(emitter);
  emitter.take("s32");
  const bool more = emitter.take("b32");
  if (!to.isInteger() || to.bits > 16) return emitter.fail("unsupported type");
  if (more != (to.bits < 16)) return emitter.fail("a third source goes with types of 8 bits and less");
  if (!emitter.operandsBetween(more ? 4 : 3, more ? 4 : 3)) return;
  Builder &builder = emitter.builder();
  const Conversion conversion{{to}, {s32}, Rounding::NearestEven, false, false, false, true};
  auto part = [&](size_t index) {
    llvm::Value *bits = convertFromInteger(emitter, conversion, emitter.readBits(index, s32));
    return builder.CreateZExt(bits, builder.getInt32Ty());
  };
  llvm::Value *result = builder.CreateOr(builder.CreateShl(part(1), to.bits), part(2));
  if (more) result = builder.CreateOr(builder.CreateShl(emitter.readBits(3, b32), 2 * to.bits), result);
  emitter.write(0, result);
}

// readLanes() gives the sources of the result's lanes, the lowest first. Two scalar sources fill a packed result, the
// first its upper half.
llvm::SmallVector<llvm::Value *> readLanes(Emitter &emitter, const Conversion &conversion) {
  llvm::SmallVector<llvm::Value *> lanes;
  const Type from = conversion.from.type;
  if (conversion.to.type.lanes == 2 && from.lanes == 1) {
    if (emitter.operandsBetween(3, 3)) lanes = {emitter.readBits(2, from), emitter.readBits(1, from)};
    return lanes;
  }
  if (conversion.to.type.lanes != from.lanes) emitter.fail("types do not go together");
  if (!emitter.operandsBetween(2, 2)) return lanes;
  llvm::Value *packed = emitter.readBits(1, from);
  for (unsigned i = 0; i < from.lanes; ++i) lanes.push_back(lane(emitter, packed, from, i));
  return lanes;
}

}  // namespace

void emitCvt(Emitter &emitter) {
  if (emitter.take("pack")) return emitPack(emitter);
  Conversion conversion;
  takeConversionRounding(emitter, conversion);
  conversion.to = takeSide(emitter);
  conversion.from = takeSide(emitter);
  conversion.flushes = emitter.take("ftz");
  conversion.saturates = emitter.take("sat");
  conversion.satfinite = emitter.take("satfinite");
  conversion.relu = emitter.take("relu");
  const SmallFormat to = conversion.to.format;
  if (to >= SmallFormat::E4M3 && to <= SmallFormat::E2M1 && !conversion.satfinite)
    emitter.fail("conversions to such small floats need .satfinite");
  llvm::SmallVector<llvm::Value *> results;
  for (llvm::Value *bits : readLanes(emitter, conversion)) {
    Conversion one = conversion;
    one.to.type.lanes = one.from.type.lanes = 1;
    results.push_back(one.from.isInteger() ? convertFromInteger(emitter, one, bits)
                                           : convertFromFloat(emitter, one, bits));
  }
  if (!emitter.error().empty()) return;
  emitter.write(0, joinLanes(emitter, results), conversion.to.type.isSigned());
}

}  // namespace hostwarp::compiler::ptx
