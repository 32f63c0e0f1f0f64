// wgmma: the products of four warps, each of which computes its 16 rows as soon as its lanes have come. So a product is
// complete when the instruction is, and fences, groups and waits have nothing left to do.
#include "compiler/device/thread_state.h"
#include "compiler/ptx/address.h"
#include "compiler/ptx/bulk_copy.h"
#include "compiler/ptx/matrix_words.h"
#include "compiler/ptx/opcodes.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler::ptx {

namespace {

#define WORD(member) HOSTWARP_WORD(WarpgroupRegisters, member)

struct Product {
  unsigned n = 0, k = 0;
  const KindName *d = nullptr, *a = nullptr, *b = nullptr;
  bool sparse = false, registersA = false;
  // Which immediate operands follow scale-d.
  bool scales() const { return a->kind != S8 && a->kind != U8 && a->kind != B1; }
  bool transposes() const { return a->kind == F16 || a->kind == BF16; }
};

// takeShape() takes .m64nNkK.
bool takeShape(Emitter &emitter, Product &product) {
  const std::string shape = emitter.takePrefixed("m64n").str();
  const size_t k = shape.find('k');
  if (k == std::string::npos) return false;
  product.n = unsigned(std::strtoul(shape.c_str() + 4, nullptr, 10));
  product.k = unsigned(std::strtoul(shape.c_str() + k + 1, nullptr, 10));
  return product.n % 8 == 0 && product.n >= 8 && product.n <= 256;
}

bool goTogether(const Product &product) {
  const MatrixKind d = product.d->kind, a = product.a->kind, b = product.b->kind;
  const auto both = [&](MatrixKind one, MatrixKind other) {
    return (a == one || a == other) && (b == one || b == other);
  };
  // A row of A has 32 bytes, of which the zeros of a sparse one are not stored.
  if (product.k * product.a->bits != (product.sparse ? 512u : 256u)) return false;
  if (both(F16, F16) || both(E4M3, E5M2)) return d == F32 || d == F16;
  if (both(BF16, BF16) || both(TF32, TF32)) return d == F32;
  return d == S32 && (both(S8, U8) || (both(B1, B1) && !product.sparse));
}

// takeSign() is an immediate 1 or -1; true for -1.
bool takeSign(Emitter &emitter, size_t index) {
  const int64_t sign = emitter.constant(index);
  if (sign != 1 && sign != -1) emitter.fail("a scale is 1 or -1");
  return sign == -1;
}

void setWide(Emitter &emitter, Words &words, size_t index, llvm::Value *value) {
  Builder &builder = emitter.builder();
  words.set(index, builder.CreateTrunc(value, builder.getInt32Ty()));
  words.set(index + 1, builder.CreateTrunc(builder.CreateLShr(value, 32), builder.getInt32Ty()));
}

void setFactorA(Emitter &emitter, Words &words, const Product &product) {
  words.set(WORD(registersA), product.registersA);
  if (!product.registersA) return setWide(emitter, words, WORD(descriptorA), emitter.readBits(1, b64));
  if (registersOf(emitter.operand(1)).size() != 4) return emitter.fail("A has four registers");
  words.read(emitter.operand(1), WORD(a), false);
}

// setImmediates() takes what follows scale-d at `index`: {scale-a, scale-b}{, trans-a}{, trans-b}
void setImmediates(Emitter &emitter, Words &words, const Product &product, size_t index) {
  words.set(WORD(negatesA), product.scales() && takeSign(emitter, index++));
  words.set(WORD(negatesB), product.scales() && takeSign(emitter, index++));
  const bool transposesA = product.transposes() && !product.registersA;
  words.set(WORD(rowsA), transposesA && emitter.constant(index++) != 0);
  words.set(WORD(rowsB), product.transposes() && emitter.constant(index++) != 0);
}

void setThread(Emitter &emitter, Words &words) {
  Builder &builder = emitter.builder();
  setWide(emitter, words, WORD(shared), builder.CreatePtrToInt(sharedBase(emitter), builder.getInt64Ty()));
  llvm::Value *bytes = loadField(builder, offsetof(hw_thread, sharedBytes), builder.getInt64Ty());
  words.set(WORD(sharedBytes), builder.CreateTrunc(bytes, builder.getInt32Ty()));
  llvm::Value *warp = loadField(builder, offsetof(hw_thread, warpId), builder.getInt32Ty());
  words.set(WORD(warp), builder.CreateAnd(warp, 3));
}

// multiply() is d, a, b{, metadata, selector}, scale-d, immediates. D's registers are read too: it may add to them.
void multiply(Emitter &emitter, const Product &product) {
  const size_t scale = product.sparse ? 5 : 3;
  const size_t immediates = (product.scales() ? 2 : 0) + (product.transposes() ? (product.registersA ? 1 : 2) : 0);
  if (!emitter.operandsBetween(scale + 1 + immediates, scale + 1 + immediates)) return;
  if (registersOf(emitter.operand(0)).size() != product.n * product.d->bits / 64)
    return emitter.fail("D has the wrong number of registers");
  Words words(emitter, sizeof(WarpgroupRegisters) / sizeof(uint32_t));
  words.read(emitter.operand(0), WORD(d), false);
  setFactorA(emitter, words, product);
  setWide(emitter, words, WORD(descriptorB), emitter.readBits(2, b64));
  words.set(WORD(metadata), product.sparse ? emitter.readBits(3, b32) : emitter.builder().getInt32(0));
  words.set(WORD(selector), product.sparse ? unsigned(emitter.constant(4)) : 0);
  words.set(WORD(addsToD), emitter.builder().CreateZExt(emitter.readPredicate(scale), emitter.intType(32)));
  setImmediates(emitter, words, product, scale + 1);
  words.set(WORD(saturates), emitter.take("satfinite"));
  words.set(WORD(sparse), product.sparse);
  words.set(WORD(kindA), product.a->kind);
  words.set(WORD(kindB), product.b->kind);
  words.set(WORD(kindD), product.d->kind);
  words.set(WORD(n), product.n);
  words.set(WORD(k), product.k);
  setThread(emitter, words);
  emitter.callLibrary("wgmma", emitter.builder().getVoidTy(), {words.pointer()});
  words.write(emitter.operand(0), WORD(d), false);
}

// awaitProducts(): a product is the whole warpgroup's. When one of its warps has waited for it nobody reads its
// matrices any more, and a single thread may say so for all.
void awaitProducts(Emitter &emitter) {
  waitForGroups(emitter, HW_ASYNC_PRODUCTS_AWAITED);
  Builder &builder = emitter.builder();
  llvm::Constant *nothing = llvm::ConstantPointerNull::get(builder.getPtrTy());
  emitter.callRuntime("hw_tile_together", builder.getVoidTy(), {builder.getInt32(128), nothing, nothing});
}

}  // namespace

void emitWgmma(Emitter &emitter) {
  const llvm::StringRef name = emitter.takeOneOf({"fence", "commit_group", "wait_group", "mma_async"});
  Product product;
  product.sparse = emitter.take("sp");
  for (const char *modifier : {"sync", "aligned"})
    if (!emitter.take(modifier)) return emitter.fail("missing .sync.aligned");
  if (name == "wait_group") return awaitProducts(emitter);
  if (name == "commit_group") return commitGroup(emitter, HW_ASYNC_PRODUCTS_COMMITTED);
  if (name == "fence") return void(emitter.operandsBetween(0, 0));
  if (name.empty() || !takeShape(emitter, product)) return emitter.fail("unsupported product");
  const Kinds kinds = takeKinds(emitter);
  if (kinds.size() != 3 || emitter.operandCount() < 4) return emitter.fail("a product has three element types");
  product.d = kinds[0];
  product.a = kinds[1];
  product.b = kinds[2];
  product.registersA = emitter.operand(1).kind == Operand::Kind::Vector;
  if (!goTogether(product)) return emitter.fail("these element types and this shape do not go together");
  if (product.a->kind == B1) {
    emitter.take("and");
    emitter.take("popc");
  }
  multiply(emitter, product);
}

#undef WORD

}  // namespace hostwarp::compiler::ptx
