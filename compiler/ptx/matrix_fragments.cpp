// wmma: products of fragments, made of products of mma.sync. An operand of 16 rows or columns and more is cut into
// pieces for it; where n is larger than m, the product is that of the transposed matrices.
#include "compiler/ptx/matrix_fragments.h"

#include <algorithm>

#include "compiler/device/thread_state.h"
#include "compiler/ptx/address.h"
#include "compiler/ptx/matrix_words.h"
#include "compiler/ptx/opcodes.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler::ptx {

namespace {

constexpr size_t mostWords = 8;  // of a fragment

struct FragmentShape {
  const char *name;
  unsigned m, n, k;
  bool transposed() const { return n > m; }
  // The operand that mma.sync takes as A has pieces of up to 16 rows, the other one pieces of 8 columns.
  unsigned longSide() const { return std::max(m, n); }
  unsigned pieceRows() const { return longSide() == 8 ? 8 : 16; }
  unsigned piecesA() const { return longSide() / pieceRows(); }
  unsigned piecesB() const { return std::min(m, n) / 8; }
};
constexpr FragmentShape fragmentShapes[] = {
    {"m16n16k16", 16, 16, 16}, {"m32n8k16", 32, 8, 16}, {"m8n32k16", 8, 32, 16}, {"m16n16k8", 16, 16, 8},
    {"m8n8k4", 8, 8, 4},       {"m8n8k32", 8, 8, 32},   {"m8n8k128", 8, 8, 128},
};

const FragmentShape *takeFragmentShape(Emitter &emitter) {
  if (!emitter.take("sync")) emitter.fail("missing .sync");
  emitter.take("aligned");
  for (const FragmentShape &shape : fragmentShapes)
    if (emitter.take(shape.name)) return &shape;
  emitter.fail("unsupported shape");
  return nullptr;
}

// hasShape(): which element types an operand of this shape may have.
bool hasShape(const FragmentShape &shape, MatrixKind kind) {
  switch (kind) {
    case F16:
    case BF16:
    case S8:
    case U8:
      return shape.k == 16;
    case TF32:
      return shape.k == 8;
    case F64:
      return shape.k == 4;
    case S4:
    case U4:
      return shape.k == 32;
    case B1:
      return shape.k == 128;
    default:
      return false;
  }
}

// checkRegisters(): PTX gives operands of halves 8 registers, of which some may be copies; others have what they need.
bool checkRegisters(Emitter &emitter, const Operand &operand, const KindName &kind, bool isOperand, unsigned words) {
  const size_t wanted = isOperand && kind.kind == F16 ? mostWords : words;
  if (registersOf(operand).size() * (kind.kind == F64 ? 2 : 1) == wanted) return true;
  emitter.fail("a fragment has the wrong number of registers");
  return false;
}

unsigned wordsOf(const KindName &kind, unsigned elements) { return elements * kind.bits / (32 * 32); }

// isFirst(): whether this is the operand that mma.sync takes as A.
bool isFirst(const FragmentShape &shape, bool isB) { return isB == shape.transposed(); }

FragmentMove operandMove(const FragmentShape &shape, const KindName &kind, bool isB, bool byRows) {
  const bool first = isFirst(shape, isB);
  const unsigned size = first ? shape.pieceRows() : 8;
  return {kind.bits,
          first ? shape.piecesA() : shape.piecesB(),
          size,
          0,
          size,
          shape.k,
          std::max(32 / kind.bits, 1u),
          first,
          byRows != isB,
          false};
}

FragmentMove accumulatorMove(const FragmentShape &shape, const KindName &kind, bool byRows) {
  const bool alongMajor = shape.piecesA() > 1;
  return {kind.bits,
          shape.piecesA() * shape.piecesB(),
          alongMajor ? shape.pieceRows() : 0,
          alongMajor ? 0u : 8u,
          shape.pieceRows(),
          8,
          2,
          true,
          byRows != shape.transposed(),
          false};
}

// move() is wmma.load.{a,b,c} fragment, [matrix]{, stride} and wmma.store.d [matrix], fragment{, stride}
void move(Emitter &emitter, llvm::StringRef part, bool stores) {
  const FragmentShape *shape = takeFragmentShape(emitter);
  const llvm::StringRef layout = emitter.takeOneOf({"row", "col"});
  const Space space = takeSpace(emitter);
  const Kinds kinds = takeKinds(emitter);
  if (!shape || kinds.size() != 1 || layout.empty()) return emitter.fail("unsupported fragment");
  if (!emitter.operandsBetween(2, 3)) return;
  const KindName &kind = *kinds[0];
  const bool byRows = layout == "row", isB = part == "b", isOperand = isB || part == "a";
  if (isOperand && !hasShape(*shape, kind.kind)) return emitter.fail("this element type has no fragment of this shape");
  FragmentMove how = isOperand ? operandMove(*shape, kind, isB, byRows) : accumulatorMove(*shape, kind, byRows);
  how.stores = stores;
  Builder &builder = emitter.builder();
  Words registers(emitter, mostWords), words(emitter, sizeof how / sizeof(uint32_t));
  for (size_t i = 0; i < mostWords; ++i) registers.set(i, 0u);
  uint32_t plain[sizeof how / sizeof(uint32_t)];
  std::copy_n(reinterpret_cast<const uint32_t *>(&how), std::size(plain), plain);
  for (size_t i = 0; i < std::size(plain); ++i) words.set(i, plain[i]);
  const Operand &fragment = emitter.operand(stores ? 1 : 0);
  const bool wide = kind.kind == F64;
  const unsigned needed = how.pieces * wordsOf(kind, how.majorSize * how.minorSize);
  if (!checkRegisters(emitter, fragment, kind, isOperand, needed)) return;
  if (stores) registers.read(fragment, 0, wide);
  // Without a stride the matrix is dense.
  const unsigned columns = part == "a" ? shape->k : shape->n, rows = part == "b" ? shape->k : shape->m;
  llvm::Value *stride =
      emitter.operandCount() == 3 ? emitter.readBits(2, b32) : builder.getInt32(byRows ? columns : rows);
  emitter.callLibrary(
      "wmma_move", builder.getVoidTy(),
      {address(emitter, emitter.operand(stores ? 0 : 1), space), stride,
       loadField(builder, offsetof(hw_thread, laneId), builder.getInt32Ty()), registers.pointer(), words.pointer()});
  if (!stores) registers.write(fragment, 0, wide);
}

#define WORD(member) HOSTWARP_WORD(MatrixRegisters, member)

// Fragment is an operand of wmma.mma: all its words, and how many of them each of its pieces has.
struct Fragment {
  Fragment(Emitter &emitter, size_t operand, const KindName &kind, unsigned pieces, unsigned pieceElements)
      : kind(kind),
        operand(emitter.operand(operand)),
        pieceWords(wordsOf(kind, pieceElements)),
        words(emitter, mostWords) {
    const bool isOperand = operand == 1 || operand == 2;
    if (!checkRegisters(emitter, this->operand, kind, isOperand, pieces * pieceWords)) return;
    if (operand != 0) words.read(this->operand, 0, wide());
  }
  const KindName &kind;
  const Operand &operand;
  unsigned pieceWords;
  Words words;
  bool wide() const { return kind.kind == F64; }
};

void copyPiece(Words &to, size_t first, Fragment &from, unsigned piece) {
  for (unsigned i = 0; i < from.pieceWords; ++i) to.set(first + i, from.words.get(piece * from.pieceWords + i));
}

// takeProductKinds() gives the types of D, A, B, C; products of halves name D's and C's only.
Kinds takeProductKinds(Emitter &emitter) {
  static constexpr KindName half = {"f16", F16, 16};
  Kinds kinds = takeKinds(emitter);
  if (kinds.size() == 2) kinds = {kinds[0], &half, &half, kinds[1]};
  return kinds;
}

bool goTogether(const FragmentShape &shape, const Kinds &kinds) {
  const MatrixKind d = kinds[0]->kind, a = kinds[1]->kind, c = kinds[3]->kind;
  if (!hasShape(shape, a) || kinds[2]->kind != a) return false;
  if (a == F16) return (d == F16 || d == F32) && (c == F16 || c == F32);
  const MatrixKind sum = a == F64 ? F64 : a == BF16 || a == TF32 ? F32 : S32;
  return d == sum && c == sum;
}

// product() is wmma.mma{.xor.popc} d, a, b, c
void product(Emitter &emitter) {
  const FragmentShape *shape = takeFragmentShape(emitter);
  // How the operands lay in memory does not matter once they are fragments.
  for (const char *layout : {"row", "row", "col", "col"}) emitter.take(layout);
  const Kinds kinds = takeProductKinds(emitter);
  const bool saturates = emitter.take("satfinite"), ands = emitter.take("and");
  for (const char *modifier : {"xor", "popc", "rn"}) emitter.take(modifier);
  if (!shape || kinds.size() != 4 || !goTogether(*shape, kinds))
    return emitter.fail("these element types do not go together");
  if (saturates && kinds[0]->kind != S32) return emitter.fail(".satfinite of a floating-point product");
  if (!emitter.operandsBetween(4, 4)) return;
  const unsigned rows = shape->pieceRows(), piecesA = shape->piecesA(), piecesB = shape->piecesB();
  const auto operand = [&](bool isB) {
    const bool first = isFirst(*shape, isB);
    return Fragment(emitter, isB ? 2 : 1, *kinds[isB ? 2 : 1], first ? piecesA : piecesB,
                    (first ? rows : 8) * shape->k);
  };
  Fragment d(emitter, 0, *kinds[0], piecesA * piecesB, rows * 8), c(emitter, 3, *kinds[3], piecesA * piecesB, rows * 8);
  Fragment a = operand(false), b = operand(true);
  if (!emitter.error().empty()) return;
  Fragment &first = shape->transposed() ? b : a, &second = shape->transposed() ? a : b;
  for (unsigned i = 0; i < piecesA; ++i)
    for (unsigned j = 0; j < piecesB; ++j) {
      Words words(emitter, sizeof(MatrixRegisters) / sizeof(uint32_t));
      copyPiece(words, WORD(a), first, i);
      copyPiece(words, WORD(b), second, j);
      copyPiece(words, WORD(c), c, i + j);
      const std::pair<size_t, unsigned> how[] = {{WORD(kindD), d.kind.kind},
                                                 {WORD(kindA), first.kind.kind},
                                                 {WORD(kindB), second.kind.kind},
                                                 {WORD(kindC), c.kind.kind},
                                                 {WORD(m), rows},
                                                 {WORD(k), shape->k},
                                                 {WORD(saturates), saturates},
                                                 {WORD(ands), ands},
                                                 {WORD(columnsA), 0u},
                                                 {WORD(rowsB), 0u},
                                                 {WORD(sparse), 0u},
                                                 {WORD(scales), 0u}};
      for (const auto &[word, value] : how) words.set(word, value);
      emitter.callLibrary("mma", emitter.builder().getVoidTy(), {words.pointer()});
      for (unsigned word = 0; word < d.pieceWords; ++word)
        d.words.set((i + j) * d.pieceWords + word, words.get(WORD(d) + word));
    }
  d.words.write(d.operand, 0, d.wide());
}

}  // namespace

void emitWmma(Emitter &emitter) {
  if (emitter.take("mma")) return product(emitter);
  const bool stores = emitter.take("store");
  if (!stores && !emitter.take("load")) return emitter.fail("unsupported operation");
  move(emitter, stores ? emitter.takeOneOf({"d"}) : emitter.takeOneOf({"a", "b", "c"}), stores);
}

#undef WORD

}  // namespace hostwarp::compiler::ptx
