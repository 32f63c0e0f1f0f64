#include "compiler/ptx/address.h"

#include "compiler/ptx/memory_scopes.h"

#include "compiler/device/thread_state.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler::ptx {

Space takeSpace(Emitter &emitter) {
  if (emitter.take("global")) return Space::Global;
  if (!emitter.takeOneOf({"shared", "shared::cta", "shared::cluster"}).empty()) return Space::Shared;
  if (emitter.take("local")) return Space::Local;
  if (emitter.take("const")) return Space::Constant;
  if (!emitter.takeOneOf({"param", "param::entry", "param::func"}).empty()) return Space::Parameter;
  return Space::Generic;
}

llvm::Value *sharedBase(Emitter &emitter) {
  return loadField(emitter.builder(), offsetof(hw_thread, sharedBase), emitter.builder().getPtrTy());
}

llvm::Value *address(Emitter &emitter, const Operand &operand, Space space) {
  Builder &builder = emitter.builder();
  if (operand.kind != Operand::Kind::Address || operand.parts.empty()) {
    emitter.fail("expected an address");
    return llvm::ConstantPointerNull::get(builder.getPtrTy());
  }
  const Operand &base = operand.parts.front();
  if (const Symbol *symbol = emitter.symbol(base))
    return builder.CreateGEP(builder.getInt8Ty(), emitter.pointerTo(*symbol),
                             builder.getInt64(uint64_t(operand.integer)));
  const unsigned width = emitter.registerWidth(base);
  llvm::Value *value = emitter.readBits(base, width == 32 ? b32 : b64);
  // Seen from a block, another block of its cluster may lie at a negative offset.
  value = space == Space::Shared ? builder.CreateSExt(value, builder.getInt64Ty())
                                 : builder.CreateZExt(value, builder.getInt64Ty());
  if (operand.integer) value = builder.CreateAdd(value, builder.getInt64(uint64_t(operand.integer)));
  if (operand.offsetFromArgument) {
    Operand offset;
    offset.kind = Operand::Kind::Argument;
    offset.argument = operand.argument;
    const Type type = emitter.registerWidth(offset) == 32 ? b32 : b64;
    value = builder.CreateAdd(value, builder.CreateSExt(emitter.readBits(offset, type), builder.getInt64Ty()));
  }
  if (space == Space::Shared) return builder.CreateGEP(builder.getInt8Ty(), sharedBase(emitter), value);
  return builder.CreateIntToPtr(value, builder.getPtrTy());
}

bool takeHints(Emitter &emitter) {
  const bool policy = emitter.take("L2::cache_hint");
  emitter.takeOneOf({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  while (!emitter
              .takeOneOf({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
                          "L1::no_allocate", "L2::evict_normal", "L2::evict_first", "L2::evict_last", "L2::64B",
                          "L2::128B", "L2::256B"})
              .empty()) {
  }
  return policy;
}

llvm::StringRef takeScope(Emitter &emitter) { return emitter.takeOneOf({"cta", "cluster", "gpu", "sys"}); }

llvm::SyncScope::ID scopeOf(llvm::LLVMContext &context, bool inBlock) {
  return inBlock ? context.getOrInsertSyncScopeID(scopeOfBlock) : llvm::SyncScope::ID{llvm::SyncScope::System};
}

MemoryOrder takeOrder(Emitter &emitter) {
  using llvm::AtomicOrdering;
  MemoryOrder order;
  if (emitter.take("volatile")) {
    order = {AtomicOrdering::Monotonic, true};
  } else if (emitter.take("relaxed")) {
    order.ordering = AtomicOrdering::Monotonic;
  } else if (emitter.take("acquire")) {
    order.ordering = AtomicOrdering::Acquire;
  } else if (emitter.take("release")) {
    order.ordering = AtomicOrdering::Release;
  } else if (emitter.take("acq_rel")) {
    order.ordering = AtomicOrdering::AcquireRelease;
  } else {
    emitter.take("weak");
  }
  if (emitter.take("mmio")) order.isVolatile = true;
  order.inBlock = takeScope(emitter) == "cta";
  return order;
}

}  // namespace hostwarp::compiler::ptx
