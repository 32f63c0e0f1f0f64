// atom and red.
#include "compiler/ptx/address.h"
#include "compiler/ptx/bulk_operations.h"
#include "compiler/ptx/mbarrier.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

using Operation = llvm::AtomicRMWInst::BinOp;

struct Atomic {
  Space space;
  llvm::AtomicOrdering ordering;
  llvm::SyncScope::ID scope;
  llvm::StringRef operation;
  unsigned count;  // elements of a vector form
  Type type;
};

Atomic takeAtomic(Emitter &emitter, size_t operandsWithoutPolicy) {
  Atomic atomic;
  atomic.space = takeSpace(emitter);
  const MemoryOrder order = takeOrder(emitter);
  atomic.ordering = order.strong() ? order.ordering : llvm::AtomicOrdering::Monotonic;
  atomic.scope = scopeOf(emitter.context(), order.inBlock);
  atomic.operation = emitter.takeOneOf({"and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max"});
  emitter.take("noftz");
  const bool policy = takeHints(emitter);
  const llvm::StringRef vector = emitter.takeOneOf({"v2", "v4", "v8"});
  atomic.count = vector.empty() ? 1 : unsigned(vector[1] - '0');
  atomic.type = emitter.takeType();
  const size_t count = operandsWithoutPolicy + (atomic.operation == "cas") + policy;
  emitter.operandsBetween(count, count);
  return atomic;
}

Operation integerOperation(llvm::StringRef name, bool isSigned) {
  using Rmw = llvm::AtomicRMWInst;
  if (name == "and") return Rmw::And;
  if (name == "or") return Rmw::Or;
  if (name == "xor") return Rmw::Xor;
  if (name == "exch") return Rmw::Xchg;
  if (name == "add") return Rmw::Add;
  if (name == "inc") return Rmw::UIncWrap;
  if (name == "dec") return Rmw::UDecWrap;
  if (name == "min") return isSigned ? Rmw::Min : Rmw::UMin;
  if (name == "max") return isSigned ? Rmw::Max : Rmw::UMax;
  return Rmw::BAD_BINOP;
}

llvm::Align alignOf(const Atomic &atomic) { return llvm::Align(atomic.type.width() / 8); }

llvm::Value *compareAndSwap(Emitter &emitter, const Atomic &atomic, llvm::Value *place, size_t first) {
  Builder &builder = emitter.builder();
  using Cas = llvm::AtomicCmpXchgInst;
  llvm::Value *pair = builder.CreateAtomicCmpXchg(
      place, emitter.readBits(first, atomic.type), emitter.readBits(first + 1, atomic.type), alignOf(atomic),
      atomic.ordering, Cas::getStrongestFailureOrdering(atomic.ordering), atomic.scope);
  return builder.CreateExtractValue(pair, 0);
}

// floatUpdate() does one 16-bit or packed element, which no CPU has as an instruction.
llvm::Value *halfUpdate(Emitter &emitter, const Atomic &atomic, llvm::Value *place, llvm::Value *value) {
  Builder &builder = emitter.builder();
  const int operation = atomic.operation == "add" ? 0 : atomic.operation == "min" ? 1 : 2;
  const bool brain = atomic.type.kind == Type::Kind::BFloat;
  const std::string name = "atomic_half" + std::to_string(atomic.type.lanes);
  // The loop is relaxed: fences give it its order.
  const bool ordered = atomic.ordering != llvm::AtomicOrdering::Monotonic;
  if (ordered) builder.CreateFence(llvm::AtomicOrdering::AcquireRelease);
  llvm::Value *old =
      emitter.callLibrary(name, value->getType(), {place, value, builder.getInt32(operation), builder.getInt32(brain)});
  if (ordered) builder.CreateFence(llvm::AtomicOrdering::AcquireRelease);
  return old;
}

llvm::Value *updateElement(Emitter &emitter, const Atomic &atomic, llvm::Value *place, const Operand &operand) {
  Builder &builder = emitter.builder();
  llvm::Value *value = emitter.readBits(operand, atomic.type);
  if (!atomic.type.isFloat()) {
    const Operation operation = integerOperation(atomic.operation, atomic.type.isSigned());
    if (operation == Operation::BAD_BINOP || atomic.type.lanes > 1) emitter.fail("unsupported atomic operation");
    if (!emitter.error().empty()) return value;
    return builder.CreateAtomicRMW(operation, place, value, alignOf(atomic), atomic.ordering, atomic.scope);
  }
  if (atomic.operation != "add" && atomic.operation != "min" && atomic.operation != "max")
    emitter.fail("unsupported atomic operation");
  if (atomic.type.bits == 16) return halfUpdate(emitter, atomic, place, value);
  if (atomic.operation != "add") emitter.fail("unsupported atomic operation");
  return builder.CreateAtomicRMW(llvm::AtomicRMWInst::FAdd, place,
                                 builder.CreateBitCast(value, atomic.type.value(emitter.context())), alignOf(atomic),
                                 atomic.ordering, atomic.scope);
}

// update() does the operation on each element; `results` is null for red.
void update(Emitter &emitter, const Atomic &atomic, llvm::Value *place, const Operand &source, const Operand *results) {
  Builder &builder = emitter.builder();
  for (unsigned i = 0; i < atomic.count; ++i) {
    const bool vector = atomic.count > 1;
    if (vector && (source.parts.size() != atomic.count || (results && results->parts.size() != atomic.count)))
      return emitter.fail("vector operand has the wrong size");
    llvm::Value *at = builder.CreateConstGEP1_64(builder.getInt8Ty(), place, uint64_t(i) * atomic.type.width() / 8);
    llvm::Value *old = updateElement(emitter, atomic, at, vector ? source.parts[i] : source);
    if (results) emitter.write(vector ? results->parts[i] : *results, old);
  }
}

// elementOf() is the type as bulk reductions know it.
BulkElement elementOf(const Type &type) {
  if (type.bits == 64) return type.isSigned() ? BulkS64 : BulkU64;
  return type.isSigned() ? BulkS32 : BulkU32;
}

void reduceAsync(Emitter &emitter, const Atomic &atomic, llvm::Value *place) {
  static constexpr const char *names[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
  const size_t operation = llvm::find(names, atomic.operation) - std::begin(names);
  if (operation == std::size(names) || atomic.count > 1 || atomic.type.isFloat() || atomic.type.bits < 32)
    return emitter.fail("unsupported asynchronous reduction");
  Builder &builder = emitter.builder();
  llvm::Value *value = builder.CreateZExt(emitter.readBits(1, atomic.type), builder.getInt64Ty());
  emitter.callLibrary("reduce_async", builder.getVoidTy(),
                      {place, value, builder.getInt32(BulkAdd + operation), builder.getInt32(elementOf(atomic.type)),
                       builder.getInt32(atomic.type.width() / 8), barrierAddress(emitter, 2, Space::Shared)});
}

}  // namespace

void emitAtom(Emitter &emitter) {
  const Atomic atomic = takeAtomic(emitter, 3);
  llvm::Value *place = address(emitter, emitter.operand(1), atomic.space);
  if (atomic.operation == "cas") return emitter.write(0, compareAndSwap(emitter, atomic, place, 2));
  update(emitter, atomic, place, emitter.operand(2), &emitter.operand(0));
}

// red.async.completion [place], value, [barrier] tells the barrier of what it updates.
void emitRed(Emitter &emitter) {
  const bool async = emitter.take("async");
  if (async && !emitter.take("mbarrier::complete_tx::bytes")) return emitter.fail("missing completion mechanism");
  const Atomic atomic = takeAtomic(emitter, async ? 3 : 2);
  if (atomic.operation == "cas" || atomic.operation == "exch") return emitter.fail("not a reduction");
  llvm::Value *place = address(emitter, emitter.operand(0), atomic.space);
  if (async) return reduceAsync(emitter, atomic, place);
  update(emitter, atomic, place, emitter.operand(1), nullptr);
}

}  // namespace hostwarp::compiler::ptx
