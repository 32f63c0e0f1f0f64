#include "compiler/device/memory_spaces.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

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

// ownAtomic marks atomics of memory that only the running block sees.
constexpr llvm::StringLiteral ownAtomic = "hostwarp.own_atomic";

class UnlockSharedAtomicsPass : public llvm::PassInfoMixin<UnlockSharedAtomicsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    bool changed = false;
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
        auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
        if (atomic && isOwnAtomic(*atomic)) changed |= llvm::lowerAtomicRMWInst(atomic);
      }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
};

}  // namespace

bool isOwnAtomic(const llvm::Instruction &atomic) { return atomic.hasMetadata(ownAtomic); }

void unlockSharedAtomics(llvm::PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes, auto &&...) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(UnlockSharedAtomicsPass()));
  });
}

MemorySpace spaceOf(const llvm::Value &address) {
  llvm::SmallVector<const llvm::Value *, 4> objects;
  llvm::getUnderlyingObjects(&address, objects, nullptr, 0);
  const MemorySpace first = objects.empty() ? MemorySpace::Unknown : spaceOfObject(*objects.front());
  const auto isOther = [&](const llvm::Value *object) { return spaceOfObject(*object) != first; };
  return llvm::any_of(objects, isOther) ? MemorySpace::Unknown : first;
}

void relaxSharedAccesses(llvm::Function &function) {
  llvm::MDNode *mark = llvm::MDNode::get(function.getContext(), {});
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
      if (atomic && spaceOf(*atomic->getPointerOperand()) == MemorySpace::Shared) atomic->setMetadata(ownAtomic, mark);
      auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (load && load->isVolatile() && spaceOf(*load->getPointerOperand()) == MemorySpace::Shared)
        load->setVolatile(false);
      if (store && store->isVolatile() && spaceOf(*store->getPointerOperand()) == MemorySpace::Shared)
        store->setVolatile(false);
    }
}

}  // namespace hostwarp::compiler
