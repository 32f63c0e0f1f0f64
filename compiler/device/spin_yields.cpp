// Keeps loops that wait for another thread from starving it [CUDA 3.2.6 forward progress]: a loop whose exit depends on
// a volatile, atomic or fence-ordered read counts down hw_thread::spinBudget at each turn and calls hw_yield() at zero.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

// mayBlockByItself(): calls into the device ABI, where the engine schedules anyway, make a budget unnecessary only
// when they always wait; so only the yield itself counts.
bool hasOrdering(const llvm::Loop &loop) {
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block) {
      if (llvm::isa<llvm::FenceInst>(instruction) || instruction.isAtomic()) return true;
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && (call->isInlineAsm() || !call->onlyReadsMemory()) && !llvm::isa<llvm::IntrinsicInst>(call))
        return true;
    }
  return false;
}

// readsShared(): the value comes from memory that another thread may write while the loop runs.
bool readsShared(const llvm::Instruction &instruction, bool ordered) {
  if (instruction.isAtomic() || instruction.isVolatile()) return true;
  if (llvm::isa<llvm::LoadInst>(instruction)) return ordered;
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && !llvm::isa<llvm::IntrinsicInst>(call) && call->mayReadFromMemory();
}

bool dependsOnSharedRead(llvm::Value *condition, const llvm::Loop &loop, bool ordered) {
  llvm::SmallVector<llvm::Value *> work{condition};
  llvm::SmallPtrSet<llvm::Value *, 16> seen;
  while (!work.empty()) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
    if (!instruction || !loop.contains(instruction) || !seen.insert(instruction).second) continue;
    if (readsShared(*instruction, ordered)) return true;
    work.append(instruction->op_begin(), instruction->op_end());
  }
  return false;
}

}  // namespace

bool waitsForOthers(const llvm::Loop &loop) {
  llvm::SmallVector<llvm::BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  bool ordered = hasOrdering(loop);
  for (llvm::BasicBlock *block : exiting) {
    llvm::Instruction *end = block->getTerminator();
    if (end->getNumOperands() && dependsOnSharedRead(end->getOperand(0), loop, ordered)) return true;
  }
  return false;
}

namespace {

void countDown(llvm::BasicBlock *latch) {
  llvm::Instruction *end = latch->getTerminator();
  llvm::IRBuilder<> builder(end);
  llvm::Value *budget =
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), selfCall(builder), offsetof(hw_thread, spinBudget));
  llvm::Value *left = builder.CreateSub(builder.CreateLoad(builder.getInt32Ty(), budget), builder.getInt32(1));
  builder.CreateStore(left, budget);
  llvm::Instruction *then =
      llvm::SplitBlockAndInsertIfThen(builder.CreateICmpSLE(left, builder.getInt32(0)), end, false);
  builder.SetInsertPoint(then);
  builder.CreateCall(abiFunction(*latch->getModule(), "hw_yield", builder.getVoidTy(), {}));
}

struct SpinYieldPass : llvm::PassInfoMixin<SpinYieldPass> {
  static bool isRequired() { return true; }

  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    // A loop over threads waits for nobody, and the whole block has but one stack.
    if (function.hasFnAttribute(runsBlock)) return llvm::PreservedAnalyses::all();
    llvm::SmallVector<llvm::BasicBlock *> latches;
    for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
      if (!waitsForOthers(*loop)) continue;
      llvm::SmallVector<llvm::BasicBlock *> ends;
      loop->getLoopLatches(ends);
      for (llvm::BasicBlock *latch : ends)
        if (!llvm::is_contained(latches, latch)) latches.push_back(latch);
    }
    for (llvm::BasicBlock *latch : latches) countDown(latch);
    return latches.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
  }
};

}  // namespace

void addSpinYields(llvm::PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &manager, llvm::OptimizationLevel) {
    manager.addPass(llvm::createModuleToFunctionPassAdaptor(SpinYieldPass()));
  });
}

}  // namespace hostwarp::compiler
