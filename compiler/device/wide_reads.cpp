#include "compiler/device/wide_reads.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace hostwarp::compiler {

namespace {

// isWiderThanVariable(): the load reads a pointer, which is more than all of the local variable that its address is in.
// Of numbers a program may use the part that is there.
bool isWiderThanVariable(const llvm::LoadInst &load) {
  if (!load.getType()->isPointerTy()) return false;
  const auto *local = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(load.getPointerOperand()));
  if (!local || !load.isSimple()) return false;
  const llvm::DataLayout &layout = load.getModule()->getDataLayout();
  const std::optional<llvm::TypeSize> size = local->getAllocationSize(layout);
  return size && llvm::TypeSize::isKnownLT(*size, layout.getTypeStoreSize(load.getType()));
}

class LeaveOutWideReadsPass : public llvm::PassInfoMixin<LeaveOutWideReadsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    bool changed = false;
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || !isWiderThanVariable(*load)) continue;
      load->replaceAllUsesWith(llvm::PoisonValue::get(load->getType()));
      load->eraseFromParent();
      changed = true;
    }
    if (!changed) return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses preserved;
    preserved.preserveSet<llvm::CFGAnalyses>();
    return preserved;
  }
};

}  // namespace

void leaveOutWideReads(llvm::PassBuilder &builder) {
  builder.registerPeepholeEPCallback(
      [](llvm::FunctionPassManager &manager, llvm::OptimizationLevel) { manager.addPass(LeaveOutWideReadsPass()); });
}

}  // namespace hostwarp::compiler
