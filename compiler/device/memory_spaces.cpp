#include "compiler/device/memory_spaces.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

namespace {

// isSharedBase(): the load is of the fields of hw_thread that say where shared memory begins.
bool isSharedBase(const llvm::LoadInst &load) {
  llvm::APInt offset(64, 0);
  const llvm::Value *base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(
      load.getModule()->getDataLayout(), offset, /*AllowNonInbounds=*/true);
  const auto *call = llvm::dyn_cast<llvm::CallInst>(base);
  if (!call || !call->getCalledFunction() || call->getCalledFunction()->getName() != "hw_self") return false;
  return offset == offsetof(hw_thread, sharedBase) || offset == offsetof(hw_thread, dynamicShared);
}

MemorySpace spaceOfObject(const llvm::Value &object) {
  if (llvm::isa<llvm::AllocaInst>(object)) return MemorySpace::Local;
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&object);
  if (!load || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) return MemorySpace::Unknown;
  return isSharedBase(*load) ? MemorySpace::Shared : MemorySpace::Elsewhere;
}

}  // namespace

MemorySpace spaceOf(const llvm::Value &address) {
  llvm::SmallVector<const llvm::Value *, 4> objects;
  llvm::getUnderlyingObjects(&address, objects, nullptr, 0);
  const MemorySpace first = objects.empty() ? MemorySpace::Unknown : spaceOfObject(*objects.front());
  const auto isOther = [&](const llvm::Value *object) { return spaceOfObject(*object) != first; };
  return llvm::any_of(objects, isOther) ? MemorySpace::Unknown : first;
}

void relaxSharedAccesses(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (load && load->isVolatile() && spaceOf(*load->getPointerOperand()) == MemorySpace::Shared)
        load->setVolatile(false);
      if (store && store->isVolatile() && spaceOf(*store->getPointerOperand()) == MemorySpace::Shared)
        store->setVolatile(false);
    }
}

}  // namespace hostwarp::compiler
