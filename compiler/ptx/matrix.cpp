// mma.sync, ldmatrix, stmatrix and movmatrix: registers go through memory to ptx/library, where the warp meets.
#include "compiler/ptx/address.h"
#include "compiler/ptx/matrix_registers.h"
#include "compiler/ptx/matrix_words.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

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

#define WORD(member) HOSTWARP_WORD(MatrixRegisters, member)

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

// takeMetadata() takes the last two operands of a sparse product.
void takeMetadata(Emitter &emitter, Words &words, const Shape &shape, const KindName &kind) {
  // Of four lanes one, two or all hold metadata: as many as the row's bytes need (ptx/library/sparse.h).
  const unsigned holders = shape.k * kind.bits / (kind.bits < 16 ? 128 : 256);
  words.set(WORD(metadata), emitter.readBits(4, b32));
  const int64_t selector = emitter.constant(5);
  if (kind.kind == F64 || kind.kind == B1 || holders == 0 || holders > 4) return emitter.fail("not a sparse product");
  if (selector < 0 || selector >= int64_t(4 / holders)) return emitter.fail("the sparsity selector is out of range");
  words.set(WORD(selector), unsigned(selector));
}

}  // namespace

void emitMma(Emitter &emitter) {
  const bool sparse = !emitter.takeOneOf({"sp", "sp::ordered_metadata"}).empty();
  if (!emitter.take("sync")) return emitter.fail("unsupported product");
  emitter.take("aligned");
  const Shape *shape = takeShape(emitter);
  if (!shape || (sparse && shape->m != 16)) return emitter.fail("unsupported shape");
  if (!emitter.operandsBetween(sparse ? 6 : 4, sparse ? 6 : 4)) return;
  const size_t a = shape->m * shape->k / (sparse ? 64 : 32), b = 8 * shape->k / 32, c = shape->m * 8 / 32;
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
  words.set(WORD(sparse), sparse);
  if (sparse) takeMetadata(emitter, words, *shape, *operands[1].kind);
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
