// Converts one number for cvt.
#include "compiler/ptx/convert.h"
#include "compiler/ptx/float_arithmetic.h"

namespace hostwarp::compiler::ptx {

namespace {

namespace Intrinsic = llvm::Intrinsic;

llvm::Value *asBits(Emitter &emitter, llvm::Value *value) {
  return emitter.builder().CreateBitCast(value, emitter.intType(unsigned(value->getType()->getPrimitiveSizeInBits())));
}

// --- To integers ---

// clampInteger() saturates a 128-bit number to `to`.
llvm::Value *clampInteger(Emitter &emitter, Type to, llvm::Value *value) {
  Builder &builder = emitter.builder();
  llvm::APInt low = to.isSigned() ? llvm::APInt::getSignedMinValue(to.bits).sext(128) : llvm::APInt(128, 0);
  llvm::APInt high =
      to.isSigned() ? llvm::APInt::getSignedMaxValue(to.bits).sext(128) : llvm::APInt::getMaxValue(to.bits).zext(128);
  value = builder.CreateBinaryIntrinsic(Intrinsic::smax, value, builder.getInt(low));
  return builder.CreateBinaryIntrinsic(Intrinsic::smin, value, builder.getInt(high));
}

llvm::Value *roundToIntegral(Emitter &emitter, Rounding rounding, llvm::Value *value) {
  const Intrinsic::ID id = rounding == Rounding::Zero   ? Intrinsic::trunc
                           : rounding == Rounding::Up   ? Intrinsic::ceil
                           : rounding == Rounding::Down ? Intrinsic::floor
                                                        : Intrinsic::roundeven;
  return emitter.builder().CreateUnaryIntrinsic(id, value);
}

// NaN becomes 0, or the number with only the top bit set where double or 64-bit integers are involved.
llvm::Value *floatToInteger(Emitter &emitter, const Conversion &conversion, llvm::Value *value) {
  Builder &builder = emitter.builder();
  const Type to = conversion.to.type, from = conversion.from.type;
  if (!conversion.toIntegral) emitter.fail("a conversion to an integer needs .rni, .rzi, .rmi or .rpi");
  value = roundToIntegral(emitter, conversion.rounding, value);
  llvm::Type *integer = emitter.intType(to.bits);
  const Intrinsic::ID id = to.isSigned() ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  llvm::Value *result = builder.CreateIntrinsic(id, {integer, value->getType()}, {value});
  if (from.bits != 64 && to.bits != 64) return result;
  llvm::Value *top = llvm::ConstantInt::get(integer, llvm::APInt::getSignMask(to.bits));
  return builder.CreateSelect(builder.CreateFCmpUNO(value, value), top, result);
}

// --- To floating point ---

llvm::Value *clampToUnit(Emitter &emitter, llvm::Value *value) {
  Builder &builder = emitter.builder();
  llvm::Value *zero = llvm::Constant::getNullValue(value->getType()),
              *one = llvm::ConstantFP::get(value->getType(), 1.0);
  value = builder.CreateSelect(builder.CreateFCmpOGT(value, one), one, value);
  return builder.CreateSelect(builder.CreateFCmpOGT(value, zero), value, zero);
}

// encode() rounds a float or double to a small format in the library.
llvm::Value *encode(Emitter &emitter, const Conversion &conversion, llvm::Value *value) {
  Builder &builder = emitter.builder();
  if (!value->getType()->isDoubleTy()) value = builder.CreateFPExt(value, builder.getDoubleTy());
  const SmallFormat format = conversion.to.format;
  llvm::Value *mode = number(emitter, int(conversion.rounding)), *finite = number(emitter, conversion.satfinite);
  if (format == SmallFormat::UE8M0)
    return emitter.callLibrary("encode_ue8m0", emitter.intType(8), {value, mode, finite});
  llvm::Value *bits =
      emitter.callLibrary("encode", emitter.intType(32),
                          {value, number(emitter, int(format)), mode, finite, number(emitter, conversion.relu)});
  return builder.CreateTrunc(bits, emitter.intType(conversion.to.type.bits));
}

// toSmall() is encode() with what the CPU can do by itself.
llvm::Value *toSmall(Emitter &emitter, const Conversion &conversion, llvm::Value *value) {
  Builder &builder = emitter.builder();
  const bool plain = conversion.to.format == SmallFormat::F16 && conversion.rounding == Rounding::NearestEven &&
                     !conversion.satfinite && !conversion.relu;
  if (!plain) return encode(emitter, conversion, value);
  llvm::Value *half = asBits(emitter, builder.CreateFPTrunc(value, builder.getHalfTy()));
  if (value->getType()->isDoubleTy()) return half;  // keeps the first bits of a NaN
  return builder.CreateSelect(builder.CreateFCmpUNO(value, value), builder.getInt16(0x7fff), half);
}

llvm::Value *toWide(Emitter &emitter, const Conversion &conversion, llvm::Value *value) {
  Builder &builder = emitter.builder();
  llvm::Type *to = conversion.to.type.value(emitter.context());
  if (value->getType()->isFloatTy() && to->isDoubleTy()) value = builder.CreateFPExt(value, to);
  if (value->getType()->isDoubleTy() && to->isFloatTy())
    value = conversion.rounding == Rounding::NearestEven
                ? builder.CreateFPTrunc(value, to)
                : emitter.callLibrary("narrow_f64", to, {value, number(emitter, int(conversion.rounding))});
  if (conversion.flushes && to->isFloatTy()) value = flush(emitter, value);
  return asBits(emitter, value);
}

// decode() gives the source as float or double.
llvm::Value *decode(Emitter &emitter, const Conversion &conversion, llvm::Value *bits) {
  Builder &builder = emitter.builder();
  const Conversion::Side &from = conversion.from;
  if (from.type.isFloat()) return toFloat(emitter, bits, from.type);
  if (from.format == SmallFormat::None) {
    emitter.fail("unsupported source type");
    return llvm::Constant::getNullValue(builder.getFloatTy());
  }
  llvm::Value *wide = builder.CreateZExt(bits, builder.getInt32Ty());
  if (from.format == SmallFormat::UE8M0) return emitter.callLibrary("decode_ue8m0", builder.getFloatTy(), {wide});
  return emitter.callLibrary("decode", builder.getFloatTy(), {wide, number(emitter, int(from.format))});
}

bool sameFloat(const Conversion &conversion) {
  return conversion.to.type == conversion.from.type && conversion.to.format == conversion.from.format;
}

}  // namespace

llvm::Value *convertFromInteger(Emitter &emitter, const Conversion &conversion, llvm::Value *bits) {
  Builder &builder = emitter.builder();
  const Type to = conversion.to.type, from = conversion.from.type;
  const bool isSigned = from.isSigned();
  auto widen = [&](unsigned width) {
    return isSigned ? builder.CreateSExt(bits, emitter.intType(width))
                    : builder.CreateZExt(bits, emitter.intType(width));
  };
  if (!to.isFloat()) {
    if (!to.isInteger()) emitter.fail("unsupported destination type");
    llvm::Value *value = widen(conversion.saturates ? 128 : 64);
    return builder.CreateTrunc(conversion.saturates ? clampInteger(emitter, to, value) : value,
                               emitter.intType(to.bits));
  }
  if (!conversion.hasRounding) emitter.fail("a conversion from an integer needs a rounding");
  llvm::Value *mode = number(emitter, int(conversion.rounding));
  if (conversion.to.format != SmallFormat::None)
    return builder.CreateTrunc(
        emitter.callLibrary("encode_integer", emitter.intType(32),
                            {widen(64), number(emitter, isSigned), number(emitter, int(conversion.to.format)), mode}),
        emitter.intType(16));
  llvm::Type *type = to.value(emitter.context());
  llvm::Value *value;
  if (conversion.rounding == Rounding::NearestEven)
    value = isSigned ? builder.CreateSIToFP(bits, type) : builder.CreateUIToFP(bits, type);
  else
    value = emitter.callLibrary(std::string(isSigned ? "from_s64_" : "from_u64_") + (to.bits == 32 ? "f32" : "f64"),
                                type, {widen(64), mode});
  if (conversion.saturates) value = clampToUnit(emitter, value);
  return asBits(emitter, value);
}

llvm::Value *convertFromFloat(Emitter &emitter, const Conversion &conversion, llvm::Value *bits) {
  llvm::Value *value = decode(emitter, conversion, bits);
  if (conversion.flushes && conversion.from.type == f32) value = flush(emitter, value);
  if (conversion.to.isInteger()) return floatToInteger(emitter, conversion, value);
  if (conversion.toIntegral && !sameFloat(conversion)) emitter.fail("rounding to an integral value keeps the type");
  if (conversion.toIntegral) value = roundToIntegral(emitter, conversion.rounding, value);
  if (conversion.saturates) value = clampToUnit(emitter, value);
  Conversion exact = conversion;
  if (conversion.toIntegral) exact.rounding = Rounding::NearestEven;
  return conversion.to.format == SmallFormat::None ? toWide(emitter, exact, value) : toSmall(emitter, exact, value);
}

}  // namespace hostwarp::compiler::ptx
