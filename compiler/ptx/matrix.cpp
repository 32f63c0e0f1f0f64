// mma.sync, ldmatrix, stmatrix and movmatrix: registers go through memory to ptx/library, where the warp meets.
#include <cstddef>

#include "compiler/ptx/address.h"
#include "compiler/ptx/matrix_registers.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

struct KindName {
  const char *name;
  MatrixKind kind;
  unsigned bits;  // of an element
};
constexpr KindName kindNames[] = {
    {"f16", F16, 16}, {"bf16", BF16, 16}, {"tf32", TF32, 32}, {"e4m3", E4M3, 8}, {"e5m2", E5M2, 8},
    {"f32", F32, 32}, {"f64", F64, 64},   {"s8", S8, 8},      {"u8", U8, 8},     {"s4", S4, 4},
    {"u4", U4, 4},    {"b1", B1, 1},      {"s32", S32, 32},
};

using Kinds = llvm::SmallVector<const KindName *, 4>;

// takeKinds() takes the modifiers that name element types, in order: those of D, A, B and C.
Kinds takeKinds(Emitter &emitter) {
  Kinds kinds;
  for (const std::string &modifier : emitter.instruction().modifiers)
    for (const KindName &kind : kindNames)
      if (modifier == kind.name && emitter.take(modifier)) kinds.push_back(&kind);
  return kinds;
}

struct Shape {
  const char *name;
  unsigned m, k;
};
constexpr Shape shapes[] = {
    {"m16n8k4", 16, 4},   {"m16n8k8", 16, 8},     {"m16n8k16", 16, 16},   {"m16n8k32", 16, 32},
    {"m16n8k64", 16, 64}, {"m8n8k4", 8, 4},       {"m8n8k16", 8, 16},     {"m8n8k32", 8, 32},
    {"m8n8k128", 8, 128}, {"m16n8k128", 16, 128}, {"m16n8k256", 16, 256},
};

const Shape *takeShape(Emitter &emitter) {
  for (const Shape &shape : shapes)
    if (emitter.take(shape.name)) return &shape;
  return nullptr;
}

// Words is an array of words on the stack that the library reads and writes.
class Words {
 public:
  Words(Emitter &emitter, size_t count) : emitter_(emitter), type_(llvm::ArrayType::get(emitter.intType(32), count)) {
    llvm::BasicBlock &entry = emitter.builder().GetInsertBlock()->getParent()->getEntryBlock();
    array_ = Builder(&entry, entry.begin()).CreateAlloca(type_);
  }
  llvm::Value *pointer() const { return array_; }
  llvm::Value *at(size_t index) {
    return emitter_.builder().CreateConstInBoundsGEP2_32(type_, array_, 0, unsigned(index));
  }
  void set(size_t index, llvm::Value *word) { emitter_.builder().CreateStore(word, at(index)); }
  void set(size_t index, unsigned word) { set(index, emitter_.builder().getInt32(word)); }
  llvm::Value *get(size_t index) { return emitter_.builder().CreateLoad(emitter_.intType(32), at(index)); }

  // read() stores the registers of a vector operand from `index` on; write() sets them. `wide` ones have 64 bits.
  void read(const Operand &operand, size_t index, bool wide);
  void write(const Operand &operand, size_t index, bool wide);

 private:
  Emitter &emitter_;
  llvm::ArrayType *type_;
  llvm::AllocaInst *array_;
};

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

#define WORD(member) (offsetof(MatrixRegisters, member) / sizeof(uint32_t))

// The operands D, A, B, C of an mma with their types.
struct MatrixOperand {
  const KindName *kind;
  size_t elements, first, most;  // of one lane; the first of its words and how many there is room for
  size_t words() const { return elements * kind->bits / 32; }
  bool wide() const { return kind->kind == F64; }
};

bool goTogether(const MatrixOperand (&operands)[4]) {
  const MatrixKind d = operands[0].kind->kind, a = operands[1].kind->kind, b = operands[2].kind->kind;
  const MatrixKind c = operands[3].kind->kind;
  const auto oneOf = [](MatrixKind kind, std::initializer_list<MatrixKind> kinds) {
    return llvm::is_contained(kinds, kind);
  };
  if (oneOf(a, {S8, U8})) return oneOf(b, {S8, U8}) && d == S32 && c == S32;
  if (oneOf(a, {S4, U4})) return oneOf(b, {S4, U4}) && d == S32 && c == S32;
  if (oneOf(a, {E4M3, E5M2})) return oneOf(b, {E4M3, E5M2}) && oneOf(d, {F16, F32}) && oneOf(c, {F16, F32});
  if (a == B1) return b == B1 && d == S32 && c == S32;
  if (a == F64) return b == F64 && d == F64 && c == F64;
  if (a == F16) return b == F16 && oneOf(d, {F16, F32}) && oneOf(c, {F16, F32});
  return oneOf(a, {BF16, TF32}) && b == a && d == F32 && c == F32;
}

void takeModifiers(Emitter &emitter, Words &words, bool quads) {
  const bool columnsA = emitter.takeOneOf({"row", "col"}) == "col";
  const bool rowsB =
      columnsA ? emitter.takeOneOf({"row", "col"}) == "row" : !emitter.take("col") && emitter.take("row");
  if (!quads && (columnsA || rowsB)) emitter.fail("the layouts are .row.col");
  words.set(WORD(columnsA), columnsA);
  words.set(WORD(rowsB), rowsB);
  words.set(WORD(saturates), emitter.take("satfinite"));
  words.set(WORD(ands), emitter.take("and"));
  emitter.take("xor");
  emitter.take("popc");
  emitter.takeOneOf({"kind::f8f6f4"});
}

}  // namespace

void emitMma(Emitter &emitter) {
  if (!emitter.take("sync")) return emitter.fail("unsupported product");
  emitter.take("aligned");
  const Shape *shape = takeShape(emitter);
  if (!shape) return emitter.fail("unsupported shape");
  if (!emitter.operandsBetween(4, 4)) return;
  const size_t a = shape->m * shape->k / 32, b = 8 * shape->k / 32, c = shape->m * 8 / 32;
  const Kinds kinds = takeKinds(emitter);
  if (kinds.size() != 4) return emitter.fail("a product has four element types");
  MatrixOperand operands[] = {
      {kinds[0], c, WORD(d), 8}, {kinds[1], a, WORD(a), 16}, {kinds[2], b, WORD(b), 8}, {kinds[3], c, WORD(c), 8}};
  if (!goTogether(operands)) return emitter.fail("these element types do not go together");
  const bool quads = shape->m == 8 && shape->k == 4 && operands[1].kind->kind == F16;
  // In a quad's own 8x8x4 product eight lanes share what 32 share elsewhere.
  for (MatrixOperand &operand : operands) operand.elements *= quads ? 4 : 1;
  Words words(emitter, sizeof(MatrixRegisters) / sizeof(uint32_t));
  takeModifiers(emitter, words, quads);
  for (size_t i = 0; i < 4; ++i) {
    const size_t registers = registersOf(emitter.operand(i)).size() * (operands[i].wide() ? 2 : 1);
    if (registers != operands[i].words() || registers > operands[i].most)
      return emitter.fail("operand " + std::to_string(i) + " has the wrong number of registers");
    if (i) words.read(emitter.operand(i), operands[i].first, operands[i].wide());
  }
  words.set(WORD(kindD), operands[0].kind->kind);
  words.set(WORD(kindA), operands[1].kind->kind);
  words.set(WORD(kindB), operands[2].kind->kind);
  words.set(WORD(kindC), operands[3].kind->kind);
  words.set(WORD(m), shape->m);
  words.set(WORD(k), shape->k);
  emitter.callLibrary("mma", emitter.builder().getVoidTy(), {words.pointer()});
  words.write(emitter.operand(0), WORD(d), operands[0].wide());
}

namespace {

// MatrixMove is what ldmatrix and stmatrix have in common.
struct MatrixMove {
  unsigned count = 0;
  bool transposed = false;
  Space space = Space::Generic;
};

MatrixMove takeMove(Emitter &emitter, size_t registersOperand) {
  MatrixMove move;
  emitter.take("sync");
  emitter.take("aligned");
  const llvm::StringRef count = emitter.takeOneOf({"x1", "x2", "x4"});
  move.transposed = emitter.take("trans");
  move.space = takeSpace(emitter);
  if (!emitter.take("m8n8") || !emitter.take("b16") || count.empty()) emitter.fail("unsupported matrix");
  move.count = count.empty() ? 1 : unsigned(count[1] - '0');
  if (emitter.operandsBetween(2, 2) && registersOf(emitter.operand(registersOperand)).size() != move.count)
    emitter.fail("wrong number of registers");
  return move;
}

void callMove(Emitter &emitter, const char *name, const MatrixMove &move, size_t addressOperand, Words &words) {
  Builder &builder = emitter.builder();
  llvm::Value *row = address(emitter, emitter.operand(addressOperand), move.space);
  emitter.callLibrary(name, builder.getVoidTy(),
                      {row, builder.getInt32(move.count), builder.getInt32(move.transposed), words.pointer()});
}

}  // namespace

void emitLdmatrix(Emitter &emitter) {
  const MatrixMove move = takeMove(emitter, 0);
  if (!emitter.error().empty()) return;
  Words words(emitter, move.count);
  callMove(emitter, "ldmatrix", move, 1, words);
  words.write(emitter.operand(0), 0, false);
}

void emitStmatrix(Emitter &emitter) {
  const MatrixMove move = takeMove(emitter, 1);
  if (!emitter.error().empty()) return;
  Words words(emitter, move.count);
  words.read(emitter.operand(1), 0, false);
  callMove(emitter, "stmatrix", move, 0, words);
}

void emitMovmatrix(Emitter &emitter) {
  for (const char *modifier : {"sync", "aligned", "m8n8", "trans", "b16"})
    if (!emitter.take(modifier)) return emitter.fail("unsupported matrix");
  if (!emitter.operandsBetween(2, 2)) return;
  emitter.write(0, emitter.callLibrary("movmatrix", emitter.builder().getInt32Ty(), {emitter.readBits(1, b32)}));
}

}  // namespace hostwarp::compiler::ptx
