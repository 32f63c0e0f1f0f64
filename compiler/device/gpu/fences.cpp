// The order of memory as PTX has it: LLVM 19 writes no fences, and atomic operations that order nothing. Those of
// headers reach everybody, as the CPU's do.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/gpu/gpu_steps.h"

namespace hostwarp::compiler {

namespace {

using llvm::AtomicOrdering;

void insertFence(llvm::Instruction &before, llvm::StringRef text) {
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(before.getContext()), false);
  llvm::IRBuilder<> builder(&before);
  builder.CreateCall(llvm::InlineAsm::get(type, text, "~{memory}", true));
}

void replaceFence(llvm::FenceInst &fence) {
  const bool isForCompiler = fence.getSyncScopeID() == llvm::SyncScope::SingleThread;
  const bool isStrong = fence.getOrdering() == AtomicOrdering::SequentiallyConsistent;
  insertFence(fence, isForCompiler ? "" : isStrong ? "fence.sc.sys;" : "fence.acq_rel.sys;");
  fence.eraseFromParent();
}

// orderAround() puts what the operation orders into fences around it.
template <class Atomic>
void orderAround(Atomic &operation, AtomicOrdering ordering) {
  if (llvm::isReleaseOrStronger(ordering))
    insertFence(operation, ordering == AtomicOrdering::SequentiallyConsistent ? "fence.sc.sys;" : "fence.acq_rel.sys;");
  if (llvm::isAcquireOrStronger(ordering)) insertFence(*operation.getNextNode(), "fence.acq_rel.sys;");
}

void relax(llvm::Instruction &instruction) {
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    orderAround(*update, update->getOrdering());
    update->setOrdering(AtomicOrdering::Monotonic);
  }
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    orderAround(*exchange, exchange->getMergedOrdering());
    exchange->setSuccessOrdering(AtomicOrdering::Monotonic);
    exchange->setFailureOrdering(AtomicOrdering::Monotonic);
  }
}

}  // namespace

void writeFences(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (auto *fence = llvm::dyn_cast<llvm::FenceInst>(&instruction))
        replaceFence(*fence);
      else
        relax(instruction);
    }
}

}  // namespace hostwarp::compiler
