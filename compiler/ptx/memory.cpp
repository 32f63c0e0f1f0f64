// ld and st in all state spaces, orders and vector forms.
#include "compiler/ptx/address.h"
#include "compiler/ptx/mbarrier.h"
#include "compiler/ptx/memory_scopes.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

// Access is what ld and st share.
struct Access {
  Space space;
  MemoryOrder order;
  unsigned count;  // elements
  Type type;       // of one
  bool plain;      // may be removed, moved and merged
  unsigned width() const { return count * type.width(); }
  llvm::Align align() const { return llvm::Align(std::min(width() / 8, 32u)); }
};

Access takeAccess(Emitter &emitter, size_t operandsWithoutPolicy) {
  Access access;
  access.space = takeSpace(emitter);
  access.order = takeOrder(emitter);
  const bool readOnly = emitter.take("nc") || emitter.instruction().opcode == "ldu";
  const bool fresh = emitter.take("cv") || emitter.take("wt");
  const bool policy = takeHints(emitter);
  const llvm::StringRef vector = emitter.takeOneOf({"v2", "v4", "v8"});
  access.count = vector.empty() ? 1 : unsigned(vector[1] - '0');
  access.type = emitter.takeType();
  if (access.type.isPredicate() || access.width() > 256) emitter.fail("bad access size");
  access.plain = !fresh && (readOnly || !emitter.isVolatile());
  emitter.operandsBetween(operandsWithoutPolicy, operandsWithoutPolicy + policy);
  return access;
}

llvm::Type *elementType(Emitter &emitter, const Access &access) { return emitter.intType(access.type.width()); }

llvm::Type *vectorType(Emitter &emitter, unsigned bits, unsigned count) {
  return llvm::FixedVectorType::get(emitter.intType(bits), count);
}

// isScalar(): the access is of one number. No vector stands for it: most passes know nothing of vectors of one element.
bool isScalar(const Access &access) { return access.count == 1 && access.width() <= 64; }

llvm::Type *typeInMemory(Emitter &emitter, const Access &access) {
  return isScalar(access) ? elementType(emitter, access) : vectorType(emitter, access.type.width(), access.count);
}

// splitAccess(): up to 8 bytes one atomic access does. 16 bytes go as one SSE access, which CPUs with AVX perform
// atomically: look-back algorithms publish a value and its state in one such store. 32 bytes are two of them.
llvm::Type *pieceType(Emitter &emitter, const Access &access) {
  return access.width() <= 64 ? static_cast<llvm::Type *>(emitter.intType(access.width())) : vectorType(emitter, 64, 2);
}

void fence(Emitter &emitter, const MemoryOrder &order) {
  emitter.builder().CreateFence(order.ordering, scopeOf(emitter.context(), order.inBlock));
}

// markStrong() says of a piece of an access that other threads may count on it.
void markStrong(Emitter &emitter, llvm::Instruction &piece) {
  piece.setMetadata(strongAccess, llvm::MDNode::get(emitter.context(), {}));
}

// loadStrong() gives the memory as one integer.
llvm::Value *loadStrong(Emitter &emitter, const Access &access, llvm::Value *from) {
  Builder &builder = emitter.builder();
  llvm::Type *whole = emitter.intType(access.width());
  if (access.width() <= 64) {
    llvm::LoadInst *load = builder.CreateAlignedLoad(whole, from, access.align());
    load->setAtomic(access.order.ordering, scopeOf(emitter.context(), access.order.inBlock));
    load->setVolatile(access.order.isVolatile);
    return load;
  }
  llvm::Value *result = llvm::ConstantInt::get(whole, 0);
  for (unsigned bit = 0; bit < access.width(); bit += 128) {
    llvm::Value *place = builder.CreateConstGEP1_64(builder.getInt8Ty(), from, bit / 8);
    llvm::LoadInst *load = builder.CreateAlignedLoad(pieceType(emitter, access), place, llvm::Align(16), true);
    markStrong(emitter, *load);
    llvm::Value *bits = builder.CreateZExt(builder.CreateBitCast(load, builder.getInt128Ty()), whole);
    result = builder.CreateOr(result, builder.CreateShl(bits, bit));
  }
  if (access.order.ordering == llvm::AtomicOrdering::Acquire) fence(emitter, access.order);
  return result;
}

void storeStrong(Emitter &emitter, const Access &access, llvm::Value *to, llvm::Value *bits) {
  Builder &builder = emitter.builder();
  if (access.width() <= 64) {
    llvm::StoreInst *store = builder.CreateAlignedStore(bits, to, access.align());
    store->setAtomic(access.order.ordering, scopeOf(emitter.context(), access.order.inBlock));
    store->setVolatile(access.order.isVolatile);
    return;
  }
  if (access.order.ordering == llvm::AtomicOrdering::Release) fence(emitter, access.order);
  for (unsigned bit = 0; bit < access.width(); bit += 128) {
    llvm::Value *place = builder.CreateConstGEP1_64(builder.getInt8Ty(), to, bit / 8);
    llvm::Value *piece = builder.CreateTrunc(builder.CreateLShr(bits, bit), builder.getInt128Ty());
    markStrong(emitter, *builder.CreateAlignedStore(builder.CreateBitCast(piece, pieceType(emitter, access)), place,
                                                    llvm::Align(16), true));
  }
}

const Operand &element(Emitter &emitter, const Operand &operand, const Access &access, unsigned index) {
  if (access.count == 1 && operand.kind != Operand::Kind::Vector) return operand;
  if (operand.kind == Operand::Kind::Vector && operand.parts.size() == access.count) return operand.parts[index];
  emitter.fail("expected a vector of " + std::to_string(access.count));
  return operand;
}

// A .b128 access may name its two halves: {lo, hi} is then one operand, not a vector of elements.
bool isWhole(const Access &access) { return access.count == 1; }

// storeBulk() is st.bulk: [to], bytes, 0.
void storeBulk(Emitter &emitter) {
  emitter.take("weak");
  const Space space = takeSpace(emitter);
  if (!emitter.operandsBetween(3, 3)) return;
  if (emitter.constant(2) != 0) return emitter.fail("only zeros can be stored so");
  llvm::Value *bytes = emitter.readBits(1, emitter.registerWidth(emitter.operand(1)) == 32 ? b32 : b64);
  emitter.builder().CreateMemSet(address(emitter, emitter.operand(0), space), emitter.builder().getInt8(0), bytes,
                                 llvm::MaybeAlign());
}

// store() stores operand 1 at `to`.
void store(Emitter &emitter, const Access &access, llvm::Value *to) {
  Builder &builder = emitter.builder();
  const Operand &source = emitter.operand(1);
  llvm::Type *whole = emitter.intType(access.width());
  llvm::Value *bits = llvm::ConstantInt::get(whole, 0);
  llvm::Value *stored = llvm::PoisonValue::get(typeInMemory(emitter, access));
  for (unsigned i = 0; i < access.count; ++i) {
    llvm::Value *value = emitter.readBits(isWhole(access) ? source : element(emitter, source, access, i), access.type);
    if (access.order.strong())
      bits = builder.CreateOr(bits,
                              builder.CreateShl(builder.CreateZExt(value, whole), uint64_t(i) * access.type.width()));
    else
      stored = isScalar(access) ? value : builder.CreateInsertElement(stored, value, i);
  }
  if (access.order.strong()) return storeStrong(emitter, access, to, bits);
  builder.CreateAlignedStore(stored, to, access.align(), !access.plain);
}

void storeAsync(Emitter &emitter, const Access &access, llvm::Value *to) {
  Builder &builder = emitter.builder();
  llvm::BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::AllocaInst *value = Builder(&entry, entry.begin()).CreateAlloca(builder.getInt128Ty());
  builder.CreateStore(llvm::ConstantInt::get(builder.getInt128Ty(), 0), value);
  store(emitter, access, value);
  llvm::Value *bits = builder.CreateLoad(builder.getInt128Ty(), value);
  llvm::Value *low = builder.CreateTrunc(bits, builder.getInt64Ty());
  llvm::Value *high = builder.CreateTrunc(builder.CreateLShr(bits, 64), builder.getInt64Ty());
  emitter.callLibrary("store_async", builder.getVoidTy(),
                      {to, low, high, builder.getInt32(access.width() / 8), barrierAddress(emitter, 2, Space::Shared)});
}

}  // namespace

void emitLd(Emitter &emitter) {
  const Access access = takeAccess(emitter, 2);
  Builder &builder = emitter.builder();
  llvm::Value *from = address(emitter, emitter.operand(1), access.space);
  const Operand &destination = emitter.operand(0);
  const bool isSigned = access.type.isSigned();
  if (access.order.ordering == llvm::AtomicOrdering::Release) return emitter.fail("a load cannot release");
  llvm::Value *bits = nullptr, *loaded = nullptr;
  if (access.order.strong())
    bits = loadStrong(emitter, access, from);
  else
    loaded = builder.CreateAlignedLoad(typeInMemory(emitter, access), from, access.align(), !access.plain);
  for (unsigned i = 0; i < access.count; ++i) {
    llvm::Value *value = loaded;
    if (!loaded)
      value = builder.CreateTrunc(builder.CreateLShr(bits, uint64_t(i) * access.type.width()),
                                  elementType(emitter, access));
    else if (!isScalar(access))
      value = builder.CreateExtractElement(loaded, i);
    emitter.write(isWhole(access) ? destination : element(emitter, destination, access, i), value, isSigned);
  }
}

// st.async{.completion} [to], value, [barrier] tells the barrier of what it stores.
void emitSt(Emitter &emitter) {
  if (emitter.take("bulk")) return storeBulk(emitter);
  const bool async = emitter.take("async");
  if (async && !emitter.take("mbarrier::complete_tx::bytes")) return emitter.fail("missing completion mechanism");
  const Access access = takeAccess(emitter, async ? 3 : 2);
  llvm::Value *to = address(emitter, emitter.operand(0), access.space);
  if (access.order.ordering == llvm::AtomicOrdering::Acquire) return emitter.fail("a store cannot acquire");
  if (async) return storeAsync(emitter, access, to);
  store(emitter, access, to);
}

}  // namespace hostwarp::compiler::ptx
