#include "compiler/ptx/matrix_words.h"

namespace hostwarp::compiler::ptx {

static constexpr KindName kindNames[] = {
    {"f16", F16, 16},  {"bf16", BF16, 16}, {"tf32", TF32, 32}, {"e4m3", E4M3, 8}, {"e5m2", E5M2, 8}, {"e2m3", E2M3, 8},
    {"e3m2", E3M2, 8}, {"e2m1", E2M1, 8},  {"f32", F32, 32},   {"f64", F64, 64},  {"s8", S8, 8},     {"u8", U8, 8},
    {"s4", S4, 4},     {"u4", U4, 4},      {"b1", B1, 1},      {"s32", S32, 32},
};

Kinds takeKinds(Emitter &emitter) {
  Kinds kinds;
  for (const std::string &modifier : emitter.instruction().modifiers)
    for (const KindName &kind : kindNames)
      if (modifier == kind.name && emitter.take(modifier)) kinds.push_back(&kind);
  return kinds;
}

llvm::ArrayRef<Operand> registersOf(const Operand &operand) {
  if (operand.kind == Operand::Kind::Vector) return operand.parts;
  return operand;
}

void Words::read(const Operand &operand, size_t index, bool wide) {
  Builder &builder = emitter_.builder();
  for (const Operand &part : registersOf(operand)) {
    llvm::Value *value = emitter_.readBits(part, wide ? b64 : b32);
    set(index++, wide ? builder.CreateTrunc(value, builder.getInt32Ty()) : value);
    if (wide) set(index++, builder.CreateTrunc(builder.CreateLShr(value, 32), builder.getInt32Ty()));
  }
}

void Words::write(const Operand &operand, size_t index, bool wide) {
  Builder &builder = emitter_.builder();
  for (const Operand &part : registersOf(operand)) {
    llvm::Value *value = get(index++);
    if (wide) {
      llvm::Value *high = builder.CreateShl(builder.CreateZExt(get(index++), builder.getInt64Ty()), 32);
      value = builder.CreateOr(builder.CreateZExt(value, builder.getInt64Ty()), high);
    }
    emitter_.write(part, value);
  }
}

}  // namespace hostwarp::compiler::ptx
