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

bool isByteFloat(MatrixKind kind) { return kind >= E4M3 && kind <= E2M1; }

bool goTogether(const MatrixOperand (&operands)[4]) {
  const MatrixKind d = operands[0].kind->kind, a = operands[1].kind->kind, b = operands[2].kind->kind;
  const MatrixKind c = operands[3].kind->kind;
  const auto oneOf = [](MatrixKind kind, std::initializer_list<MatrixKind> kinds) {
    return llvm::is_contained(kinds, kind);
  };
  if (oneOf(a, {S8, U8})) return oneOf(b, {S8, U8}) && d == S32 && c == S32;
  if (oneOf(a, {S4, U4})) return oneOf(b, {S4, U4}) && d == S32 && c == S32;
  if (isByteFloat(a)) return isByteFloat(b) && oneOf(d, {F16, F32}) && c == d;
  if (a == PackedE2M1) return b == PackedE2M1 && d == F32 && c == F32;
  if (a == B1) return b == B1 && d == S32 && c == S32;
  if (a == F64) return b == F64 && d == F64 && c == F64;
  if (a == F16) return b == F16 && oneOf(d, {F16, F32}) && oneOf(c, {F16, F32});
  return oneOf(a, {BF16, TF32}) && b == a && d == F32 && c == F32;
}

// takeLayout() takes the next layout in the instruction: A's stands before B's.
llvm::StringRef takeLayout(Emitter &emitter) {
  for (const std::string &modifier : emitter.instruction().modifiers)
    if ((modifier == "row" || modifier == "col") && emitter.take(modifier)) return modifier;
  return "";
}

void takeModifiers(Emitter &emitter, Words &words, bool quads) {
  const bool columnsA = takeLayout(emitter) == "col", rowsB = takeLayout(emitter) == "row";
  if (!quads && (columnsA || rowsB)) emitter.fail("the layouts are .row.col");
  words.set(WORD(columnsA), columnsA);
  words.set(WORD(rowsB), rowsB);
  words.set(WORD(saturates), emitter.take("satfinite"));
  words.set(WORD(ands), emitter.take("and"));
  emitter.take("xor");
  emitter.take("popc");
}

// --- .kind: products of small floats, and the scales of their blocks ---

// Scaling is a way to scale: A's rows and B's columns fall into `blocks` blocks, each with a scale of its own.
struct Scaling {
  const char *kind;
  unsigned blocks;
  const char *type;
};
constexpr Scaling scalings[] = {
    {"kind::mxf8f6f4", 1, "ue8m0"}, {"kind::mxf4", 2, "ue8m0"},     {"kind::mxf4nvf4", 2, "ue8m0"},
    {"kind::mxf4nvf4", 4, "ue8m0"}, {"kind::mxf4nvf4", 4, "ue4m3"},
};

// takeScaling() is null for a product without scales, and after an error.
const Scaling *takeScaling(Emitter &emitter, llvm::StringRef kind) {
  const bool scales = emitter.take("block_scale");
  if (scales != kind.starts_with("kind::mx"))
    emitter.fail(scales ? ".block_scale needs .kind::mxf8f6f4, .kind::mxf4 or .kind::mxf4nvf4"
                        : "." + kind.str() + " needs .block_scale");
  if (!scales) return nullptr;
  const llvm::StringRef vector = emitter.takePrefixed("scale_vec::"), type = emitter.takeOneOf({"ue8m0", "ue4m3"});
  if (vector.empty() && kind == "kind::mxf4nvf4")
    emitter.fail(".kind::mxf4nvf4 needs .scale_vec::2X or .scale_vec::4X");
  for (const Scaling &scaling : scalings)
    if (kind == scaling.kind && type == scaling.type &&
        (vector.empty() || vector == "scale_vec::" + std::to_string(scaling.blocks) + "X"))
      return &scaling;
  emitter.fail("these scales do not go with ." + kind.str());
  return nullptr;
}

// applyKind() checks the types of A and B and the shape against .kind, and packs elements that it wants packed.
void applyKind(Emitter &emitter, llvm::StringRef kind, const Shape &shape, bool sparse, Kinds &kinds) {
  static constexpr KindName packed = {"e2m1", PackedE2M1, 4};
  const bool packs = kind.starts_with("kind::mxf4");
  bool allEights = true;
  for (size_t i = 1; i <= 2; ++i) {
    const std::string name = kinds[i]->name;
    const bool isEight = kinds[i]->kind == E4M3 || kinds[i]->kind == E5M2;
    allEights = allEights && isEight;
    if (kind.empty() && isByteFloat(kinds[i]->kind) && !isEight)
      emitter.fail("." + name + " needs .kind::f8f6f4 or one with .block_scale");
    if (!kind.empty() && (packs ? kinds[i]->kind != E2M1 : !isByteFloat(kinds[i]->kind)))
      emitter.fail("." + kind.str() + " does not take ." + name);
    if (packs) kinds[i] = &packed;
  }
  if (!packs && !isByteFloat(kinds[1]->kind)) return;
  const unsigned k = (packs ? 64 : 32) * (sparse ? 2 : 1);
  const bool isHalf = (kind.empty() || kind == "kind::f8f6f4") && allEights && !sparse && shape.k == 16;
  if (shape.m != 16 || (shape.k != k && !isHalf))
    emitter.fail("the shape of such products is .m16n8k" + std::to_string(k));
}

// readSelector() reads one of {byte-id, thread-id}: of what it may be, `mask` has all bits.
llvm::Value *readSelector(Emitter &emitter, const Operand &operand, unsigned mask) {
  if (emitter.isConstant(operand) && (emitter.constantValue(operand) & ~int64_t(mask)))
    emitter.fail("a selector of scales is out of range");
  Builder &builder = emitter.builder();
  return builder.CreateAnd(builder.CreateZExt(emitter.readBits(operand, bitsType(16)), builder.getInt32Ty()), mask);
}

// readScales() reads data, {byte-id, thread-id} of A or B at `index` to the words of a MatrixScales.
void readScales(Emitter &emitter, Words &words, size_t index, size_t first, unsigned blocks, unsigned threads) {
  const llvm::ArrayRef<Operand> data = registersOf(emitter.operand(index));
  const llvm::ArrayRef<Operand> selectors = registersOf(emitter.operand(index + 1));
  if (data.size() != 1 || selectors.size() != 2)
    return emitter.fail("scales are one register and {byte-id, thread-id}");
  words.set(first + HOSTWARP_WORD(MatrixScales, word), emitter.readBits(data[0], b32));
  words.set(first + HOSTWARP_WORD(MatrixScales, byte), readSelector(emitter, selectors[0], 4 - blocks));
  words.set(first + HOSTWARP_WORD(MatrixScales, thread), readSelector(emitter, selectors[1], threads - 1));
}

void readScales(Emitter &emitter, Words &words, size_t index, const Scaling *scaling) {
  words.set(WORD(scales), scaling ? scaling->blocks : 0);
  if (!scaling) return;
  words.set(WORD(scalesE4M3), llvm::StringRef(scaling->type) == "ue4m3");
  readScales(emitter, words, index, WORD(scalesA), scaling->blocks, 2);
  readScales(emitter, words, index + 2, WORD(scalesB), scaling->blocks, 4);
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
  const llvm::StringRef sparsity = emitter.takeOneOf({"sp", "sp::ordered_metadata"});
  const bool sparse = !sparsity.empty();
  if (!emitter.take("sync")) return emitter.fail("unsupported product");
  emitter.take("aligned");
  const Shape *shape = takeShape(emitter);
  if (!shape || (sparse && shape->m != 16)) return emitter.fail("unsupported shape");
  const llvm::StringRef kind = emitter.takeOneOf({"kind::f8f6f4", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"});
  if (sparsity == "sp" && !kind.empty()) return emitter.fail("." + kind.str() + " needs .sp::ordered_metadata");
  const Scaling *scaling = takeScaling(emitter, kind);
  const size_t scales = sparse ? 6 : 4, most = scales + (scaling ? 4 : 0);
  if (!emitter.error().empty() || !emitter.operandsBetween(most, most)) return;
  const size_t a = shape->m * shape->k / (sparse ? 64 : 32), b = 8 * shape->k / 32, c = shape->m * 8 / 32;
  Kinds kinds = takeKinds(emitter);
  if (kinds.size() != 4) return emitter.fail("a product has four element types");
  applyKind(emitter, kind, *shape, sparse, kinds);
  MatrixOperand operands[] = {
      {kinds[0], c, WORD(d), 8}, {kinds[1], a, WORD(a), 16}, {kinds[2], b, WORD(b), 8}, {kinds[3], c, WORD(c), 8}};
  if (scaling && operands[0].kind->kind != F32) return emitter.fail("D and C of a scaled product are .f32");
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
  readScales(emitter, words, scales, scaling);
  if (sparse) takeMetadata(emitter, words, *shape, *operands[1].kind);
  emitter.callLibrary("mma", emitter.builder().getVoidTy(), {words.pointer()});
  words.write(emitter.operand(0), WORD(d), operands[0].wide());
}

namespace {

// MatrixForm is what ldmatrix or stmatrix can move: `registers` for each matrix, from `bits` of each element in memory.
struct MatrixForm {
  bool stores;
  const char *shape, *type, *source;
  unsigned registers, bits, most;  // so many matrices at once
  bool straight, transposed;       // without and with .trans
};
constexpr MatrixForm matrixForms[] = {
    {false, "m8n8", "b16", "", 1, 16, 4, true, true},
    {false, "m16n16", "b8", "", 2, 8, 2, false, true},
    {false, "m16n16", "b8x16", "b6x16_p32", 2, 6, 2, false, true},
    {false, "m16n16", "b8x16", "b4x16_p64", 2, 4, 2, false, true},
    {false, "m8n16", "b8x16", "b6x16_p32", 1, 6, 4, true, false},
    {false, "m8n16", "b8x16", "b4x16_p64", 1, 4, 4, true, false},
    {true, "m8n8", "b16", "", 1, 16, 4, true, true},
    {true, "m16n8", "b8", "", 1, 8, 4, false, true},
};

// MatrixMove is what ldmatrix and stmatrix have in common.
struct MatrixMove {
  const MatrixForm *form = nullptr;
  unsigned count = 1;
  bool transposed = false;
  Space space = Space::Generic;
  unsigned registers() const { return count * form->registers; }
};

const MatrixForm *takeForm(Emitter &emitter, bool stores) {
  const llvm::StringRef shape = emitter.takeOneOf({"m8n8", "m16n16", "m8n16", "m16n8"});
  const llvm::StringRef type = emitter.takeOneOf({"b16", "b8", "b8x16"});
  const llvm::StringRef source = emitter.takeOneOf({"b6x16_p32", "b4x16_p64"});
  for (const MatrixForm &form : matrixForms)
    if (stores == form.stores && shape == form.shape && type == form.type && source == form.source) return &form;
  emitter.fail("unsupported matrix");
  return nullptr;
}

MatrixMove takeMove(Emitter &emitter, bool stores) {
  MatrixMove move;
  emitter.take("sync");
  emitter.take("aligned");
  const llvm::StringRef count = emitter.takeOneOf({"x1", "x2", "x4"});
  move.transposed = emitter.take("trans");
  move.space = takeSpace(emitter);
  move.form = takeForm(emitter, stores);
  if (!move.form) return move;
  const std::string shape = move.form->shape;
  if (move.transposed ? !move.form->transposed : !move.form->straight)
    emitter.fail("." + shape + (move.transposed ? " does not go with .trans" : " needs .trans"));
  move.count = count.empty() ? 0 : unsigned(count[1] - '0');
  if (move.count == 0 || move.count > move.form->most) emitter.fail("unsupported number of matrices");
  if (emitter.operandsBetween(2, 2) && registersOf(emitter.operand(stores ? 1 : 0)).size() != move.registers())
    emitter.fail("wrong number of registers");
  return move;
}

void callMove(Emitter &emitter, const MatrixMove &move, Words &words) {
  Builder &builder = emitter.builder();
  const bool stores = move.form->stores, bytes = move.form->bits < 16;
  llvm::SmallVector<llvm::Value *> arguments = {address(emitter, emitter.operand(stores ? 0 : 1), move.space),
                                                builder.getInt32(move.count)};
  if (!bytes || !stores) arguments.push_back(builder.getInt32(move.transposed));
  if (bytes && !stores) arguments.push_back(builder.getInt32(move.form->bits));
  arguments.push_back(words.pointer());
  emitter.callLibrary(std::string(stores ? "stmatrix" : "ldmatrix") + (bytes ? "_bytes" : ""), builder.getVoidTy(),
                      arguments);
}

}  // namespace

void emitLdmatrix(Emitter &emitter) {
  const MatrixMove move = takeMove(emitter, false);
  if (!emitter.error().empty()) return;
  Words words(emitter, move.registers());
  callMove(emitter, move, words);
  words.write(emitter.operand(0), 0, false);
}

void emitStmatrix(Emitter &emitter) {
  const MatrixMove move = takeMove(emitter, true);
  if (!emitter.error().empty()) return;
  Words words(emitter, move.registers());
  words.read(emitter.operand(1), 0, false);
  callMove(emitter, move, words);
}

void emitMovmatrix(Emitter &emitter) {
  for (const char *modifier : {"sync", "aligned", "m8n8", "trans", "b16"})
    if (!emitter.take(modifier)) return emitter.fail("unsupported matrix");
  if (!emitter.operandsBetween(2, 2)) return;
  emitter.write(0, emitter.callLibrary("movmatrix", emitter.builder().getInt32Ty(), {emitter.readBits(1, b32)}));
}

#undef WORD

}  // namespace hostwarp::compiler::ptx
