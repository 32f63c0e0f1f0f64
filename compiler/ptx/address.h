// State spaces and addresses. A shared address is an offset into the block's shared memory; every other space is part
// of the generic one.
#ifndef HOSTWARP_COMPILER_PTX_ADDRESS_H
#define HOSTWARP_COMPILER_PTX_ADDRESS_H

#include "compiler/ptx/emitter.h"

namespace hostwarp::compiler::ptx {

// takeSpace() takes the instruction's state space, if there is one.
Space takeSpace(Emitter &emitter);

// address() is the host address that the operand [a+b] names in `space`.
llvm::Value *address(Emitter &emitter, const Operand &operand, Space space);

// sharedBase() is where the block's shared memory starts.
llvm::Value *sharedBase(Emitter &emitter);

// takeHints() takes cache operators and eviction, prefetch and priority hints: they have no effect here. Returns
// whether a cache policy operand follows the others.
bool takeHints(Emitter &emitter);

// MemoryOrder is what .relaxed, .acquire, .volatile and the like ask for.
struct MemoryOrder {
  llvm::AtomicOrdering ordering = llvm::AtomicOrdering::NotAtomic;
  bool isVolatile = false;
  bool inBlock = false;  // .cta: only threads of the block are meant
  bool strong() const { return ordering != llvm::AtomicOrdering::NotAtomic; }
};

// scopeOf() is the LLVM scope of .cta, or of all wider ones.
llvm::SyncScope::ID scopeOf(llvm::LLVMContext &context, bool inBlock);

// takeOrder() takes semantics and scope.
MemoryOrder takeOrder(Emitter &emitter);

// takeScope() takes .cta, .cluster, .gpu or .sys and returns it, else "".
llvm::StringRef takeScope(Emitter &emitter);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_ADDRESS_H
