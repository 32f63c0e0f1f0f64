// The video instructions: scalar ones on a byte or half of each operand, and SIMD ones on two halves or four bytes.
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

// The values are those of ptx/library/video.cpp.
enum class VideoOperation : uint8_t { Add, Sub, AbsDiff, Min, Max, Average, Set };

// Selector says which part of a register counts: an offset and a width in bits.
struct Selector {
  uint32_t shift = 0, bits = 32;
};

Selector selectorOf(Emitter &emitter, const Operand &operand) {
  const std::string &text = operand.selector;
  if (text.empty()) return {};
  const uint32_t index = text.size() == 2 ? uint32_t(text[1] - '0') : 9;
  if (text[0] == 'b' && index < 4) return {index * 8, 8};
  if (text[0] == 'h' && index < 2) return {index * 16, 16};
  emitter.fail("bad selector ." + text);
  return {};
}

Operand withoutSelector(Operand operand) {
  operand.selector.clear();
  return operand;
}

llvm::Value *readPart(Emitter &emitter, size_t index, Type type) {
  const Selector selector = selectorOf(emitter, emitter.operand(index));
  llvm::Value *value = emitter.readBits(withoutSelector(emitter.operand(index)), b32);
  Builder &builder = emitter.builder();
  value = builder.CreateTrunc(builder.CreateLShr(value, selector.shift), emitter.intType(selector.bits));
  return type.isSigned() ? builder.CreateSExt(value, builder.getInt64Ty())
                         : builder.CreateZExt(value, builder.getInt64Ty());
}

uint32_t takeVideoComparison(Emitter &emitter) {
  static constexpr const char *names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (uint32_t i = 0; i < 6; ++i)
    if (emitter.take(names[i])) return i;
  emitter.fail("missing comparison");
  return 0;
}

// finishScalar() does the secondary operation or the merge with c: `sources` operands come before it.
void finishScalar(Emitter &emitter, llvm::Value *value, Type type, size_t sources) {
  Builder &builder = emitter.builder();
  const llvm::StringRef second = emitter.takeOneOf({"add", "min", "max"});
  const Operand &destination = emitter.operand(0);
  const bool merges = !destination.selector.empty();
  if (!emitter.operandsBetween(1 + sources + (merges || !second.empty()), 1 + sources + (merges || !second.empty())))
    return;
  llvm::Value *result = builder.CreateTrunc(value, builder.getInt32Ty());
  if (merges || !second.empty()) {
    const Selector selector = selectorOf(emitter, destination);
    const uint32_t kind = merges ? 0 : second == "add" ? 1 : second == "min" ? 2 : 3;
    result = emitter.callLibrary(
        "video_finish", builder.getInt32Ty(),
        {result, emitter.readBits(1 + sources, b32), number(emitter, kind), number(emitter, selector.shift),
         number(emitter, selector.bits), number(emitter, type.isSigned())});
  }
  emitter.write(withoutSelector(destination), result);
}

void scalar(Emitter &emitter, VideoOperation operation) {
  const Type to = operation == VideoOperation::Set ? u32 : emitter.takeType();
  const Type a = emitter.takeType(), b = emitter.takeType();
  const uint32_t comparison = operation == VideoOperation::Set ? takeVideoComparison(emitter) : 0;
  const bool saturating = emitter.take("sat");
  if (emitter.operandCount() < 3) return emitter.fail("wrong number of operands");
  const bool merges = !emitter.operand(0).selector.empty();
  const uint32_t width = merges ? selectorOf(emitter, emitter.operand(0)).bits : 32;
  llvm::Value *value =
      emitter.callLibrary("video", emitter.intType(64),
                          {readPart(emitter, 1, a), readPart(emitter, 2, b), number(emitter, uint32_t(operation)),
                           number(emitter, comparison), number(emitter, saturating), number(emitter, width),
                           number(emitter, to.isSigned())});
  finishScalar(emitter, value, to, 2);
}

void shiftLanes(Emitter &emitter, bool left) {
  const Type to = emitter.takeType(), a = emitter.takeType();
  emitter.takeType();
  const bool saturating = emitter.take("sat");
  const llvm::StringRef mode = emitter.takeOneOf({"clamp", "wrap"});
  if (mode.empty()) return emitter.fail("missing .clamp or .wrap");
  if (emitter.operandCount() < 3) return emitter.fail("wrong number of operands");
  const bool merges = !emitter.operand(0).selector.empty();
  const uint32_t width = merges ? selectorOf(emitter, emitter.operand(0)).bits : 32;
  llvm::Value *value = emitter.callLibrary(
      "video_shift", emitter.intType(64),
      {readPart(emitter, 1, a), readPart(emitter, 2, u32), number(emitter, left), number(emitter, mode == "wrap"),
       number(emitter, saturating), number(emitter, width), number(emitter, to.isSigned())});
  finishScalar(emitter, value, to, 2);
}

// lanesOf() turns a SIMD selector (.h10, .b3210, in any order) into nibbles, the lowest lane first.
// The second source's own lanes follow the first's.
uint32_t lanesOf(Emitter &emitter, const Operand &operand, uint32_t lanes, bool second) {
  const std::string &text = operand.selector;
  if (text.empty()) return lanes == 2 ? (second ? 0x32 : 0x10) : (second ? 0x7654 : 0x3210);
  uint32_t result = 0;
  if (text[0] != (lanes == 2 ? 'h' : 'b') || text.size() != lanes + 1) emitter.fail("bad selector ." + text);
  for (uint32_t i = 0; i < lanes && i + 1 < text.size(); ++i) {
    const auto index = uint32_t(text[text.size() - 1 - i] - '0');
    if (index >= 2 * lanes) emitter.fail("bad selector ." + text);
    result |= (index & 15) << 4 * i;
  }
  return result;
}

// maskOf() turns the destination's selector into one bit per lane.
uint32_t maskOf(Emitter &emitter, const Operand &operand, uint32_t lanes) {
  if (operand.selector.empty()) return (1u << lanes) - 1;
  uint32_t mask = 0;
  for (char digit : operand.selector.substr(1)) {
    if (digit < '0' || digit >= char('0' + lanes)) emitter.fail("bad mask ." + operand.selector);
    mask |= 1u << ((digit - '0') & 7);
  }
  return mask;
}

void simd(Emitter &emitter, VideoOperation operation, uint32_t lanes) {
  const Type to = operation == VideoOperation::Set ? u32 : emitter.takeType();
  const Type a = emitter.takeType(), b = emitter.takeType();
  const uint32_t comparison = operation == VideoOperation::Set ? takeVideoComparison(emitter) : 0;
  const bool saturating = emitter.take("sat"), adds = emitter.take("add");
  if (!emitter.operandsBetween(4, 4)) return;
  auto read = [&](size_t index) { return emitter.readBits(withoutSelector(emitter.operand(index)), b32); };
  const uint32_t signs = uint32_t(a.isSigned()) | uint32_t(b.isSigned()) << 1 | uint32_t(to.isSigned()) << 2;
  llvm::Value *result =
      emitter.callLibrary("video_simd", emitter.intType(32),
                          {read(1), read(2), read(3), number(emitter, uint32_t(operation)), number(emitter, comparison),
                           number(emitter, lanes), number(emitter, signs), number(emitter, saturating),
                           number(emitter, adds), number(emitter, lanesOf(emitter, emitter.operand(1), lanes, false)),
                           number(emitter, lanesOf(emitter, emitter.operand(2), lanes, true)),
                           number(emitter, maskOf(emitter, emitter.operand(0), lanes))});
  emitter.write(withoutSelector(emitter.operand(0)), result);
}

}  // namespace

#define VIDEO(suffix, operation)                                                            \
  void emitV##suffix(Emitter &emitter) { scalar(emitter, VideoOperation::operation); }      \
  void emitV##suffix##2(Emitter & emitter) { simd(emitter, VideoOperation::operation, 2); } \
  void emitV##suffix##4(Emitter & emitter) { simd(emitter, VideoOperation::operation, 4); }
VIDEO(add, Add)
VIDEO(sub, Sub)
VIDEO(absdiff, AbsDiff)
VIDEO(min, Min)
VIDEO(max, Max)
VIDEO(set, Set)
#undef VIDEO

void emitVavrg2(Emitter &emitter) { simd(emitter, VideoOperation::Average, 2); }
void emitVavrg4(Emitter &emitter) { simd(emitter, VideoOperation::Average, 4); }
void emitVshl(Emitter &emitter) { shiftLanes(emitter, true); }
void emitVshr(Emitter &emitter) { shiftLanes(emitter, false); }

// vmad.d.a.b{.po}{.sat}{.shr7,.shr15} d, a, b, c: (a * b + c) >> scale; .po adds one, a minus sign negates the product
// or c. A number is negated as all its bits are, and one more added at the end.
void emitVmad(Emitter &emitter) {
  emitter.takeType();  // only says how wide the result is
  const Type a = emitter.takeType(), b = emitter.takeType();
  const bool plusOne = emitter.take("po"), saturating = emitter.take("sat");
  const llvm::StringRef scale = emitter.takeOneOf({"shr7", "shr15"});
  if (!emitter.operandsBetween(4, 4)) return;
  const bool minusA = emitter.takeMinus(1), minusB = emitter.takeMinus(2), minusC = emitter.takeMinus(3);
  const bool minusProduct = minusA != minusB;
  if (minusProduct + minusC + plusOne > 1) return emitter.fail("too much is negated");
  const bool isSigned = a.isSigned() || b.isSigned() || minusProduct || minusC;
  const uint32_t shift = scale.empty() ? 0 : scale == "shr7" ? 7 : 15;
  llvm::Value *c = readPart(emitter, 3, isSigned ? s32 : u32);
  if (minusC) c = emitter.builder().CreateNot(c);
  llvm::Value *value =
      emitter.callLibrary("video_mad", emitter.intType(32),
                          {readPart(emitter, 1, a), readPart(emitter, 2, b), c, number(emitter, minusProduct),
                           number(emitter, minusProduct || minusC || plusOne), number(emitter, shift),
                           number(emitter, saturating), number(emitter, isSigned)});
  emitter.write(0, value);
}

}  // namespace hostwarp::compiler::ptx
