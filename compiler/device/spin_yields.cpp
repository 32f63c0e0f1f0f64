// Keeps loops that wait for another thread from starving it [CUDA 3.2.6 forward progress]: a loop whose exit depends on
// a volatile, atomic or fence-ordered read counts down hw_thread::spinBudget at each turn and calls hw_yield() at zero.
// Loops that merely try again to change a word wait for nobody.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/device/llvm_versions.h"
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

// appendStored() finds what the loop stores where `load` reads, if that is a variable on the stack: code that is not
// optimised keeps there what it has read of others' memory.
void appendStored(const llvm::LoadInst &load, const llvm::Loop &loop, llvm::SmallVectorImpl<llvm::Value *> &values) {
  auto *variable = llvm::dyn_cast<llvm::AllocaInst>(load.getPointerOperand()->stripPointerCasts());
  if (!variable) return;
  for (const llvm::User *user : variable->users()) {
    auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (store && store->getPointerOperand() == variable && loop.contains(store))
      values.push_back(const_cast<llvm::Value *>(store->getValueOperand()));
  }
}

bool dependsOnSharedRead(llvm::Value *condition, const llvm::Loop &loop, bool ordered) {
  llvm::SmallVector<llvm::Value *> work{condition};
  llvm::SmallPtrSet<llvm::Value *, 16> seen;
  while (!work.empty()) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
    if (!instruction || !loop.contains(instruction) || !seen.insert(instruction).second) continue;
    if (readsShared(*instruction, ordered)) return true;
    work.append(instruction->op_begin(), instruction->op_end());
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction)) appendStored(*load, loop, work);
  }
  return false;
}

// isOldValue(): what a compare-and-exchange of this loop found, or the value that the loop began with.
bool isOldValue(const llvm::Value *value, const llvm::Loop &loop, const llvm::AtomicCmpXchgInst &exchange) {
  value = value->stripPointerCasts();
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(value))
    return load->getPointerOperand() == exchange.getPointerOperand();
  if (auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(value))
    return part->getAggregateOperand() == &exchange && part->getIndices()[0] == 0;
  auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
  return phi && phi->getParent() == loop.getHeader() && llvm::all_of(phi->blocks(), [&](llvm::BasicBlock *from) {
           return !loop.contains(from) || isOldValue(phi->getIncomingValueForBlock(from), loop, exchange);
         });
}

// exchangeThatEnds() is the compare-and-exchange whose success leaves the loop at its latch; null if there is none.
const llvm::AtomicCmpXchgInst *exchangeThatEnds(const llvm::Loop &loop) {
  using namespace llvm::PatternMatch;
  llvm::BasicBlock *latch = loop.getLoopLatch();
  auto *branch = latch ? llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional()) return nullptr;
  const bool leavesIfTrue = !loop.contains(branch->getSuccessor(0));
  llvm::Value *pair = nullptr, *expected = nullptr;
  if (leavesIfTrue && match(branch->getCondition(), m_ExtractValue<1>(m_Value(pair))))
    return llvm::dyn_cast<llvm::AtomicCmpXchgInst>(pair);
  ComparisonPredicate predicate;
  if (!match(branch->getCondition(), m_c_ICmp(predicate, m_ExtractValue<0>(m_Value(pair)), m_Value(expected))))
    return nullptr;
  auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(pair);
  const bool leavesIfEqual = predicate == (leavesIfTrue ? llvm::ICmpInst::ICMP_EQ : llvm::ICmpInst::ICMP_NE);
  return exchange && leavesIfEqual && exchange->getCompareOperand() == expected ? exchange : nullptr;
}

// isRetry(): the loop goes on only where a compare-and-exchange has failed that expected what it found last: another
// thread has got on in the meantime, and nobody is waited for.
bool isRetry(const llvm::Loop &loop) {
  const llvm::AtomicCmpXchgInst *exchange = exchangeThatEnds(loop);
  return exchange && loop.contains(exchange) && isOldValue(exchange->getCompareOperand(), loop, *exchange);
}

}  // namespace

bool waitsForOthers(const llvm::Loop &loop) {
  if (isRetry(loop)) return false;
  llvm::SmallVector<llvm::BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  bool ordered = hasOrdering(loop);
  for (llvm::BasicBlock *block : exiting) {
    llvm::Instruction *end = block->getTerminator();
    if (end->getNumOperands() && dependsOnSharedRead(end->getOperand(0), loop, ordered)) return true;
  }
  return false;
}

llvm::Instruction *countDownTurns(llvm::BasicBlock &latch, llvm::Value &self, uint32_t cost) {
  llvm::Instruction *end = latch.getTerminator();
  llvm::IRBuilder<> builder(end);
  llvm::Value *budget = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &self, offsetof(hw_thread, spinBudget));
  llvm::Value *left = builder.CreateSub(builder.CreateLoad(builder.getInt32Ty(), budget), builder.getInt32(cost));
  builder.CreateStore(left, budget);
  return llvm::SplitBlockAndInsertIfThen(builder.CreateICmpSLE(left, builder.getInt32(0)), end, false);
}

namespace {

void yieldAtTimes(llvm::BasicBlock &latch) {
  llvm::IRBuilder<> builder(latch.getTerminator());
  builder.SetInsertPoint(countDownTurns(latch, *selfCall(builder), 1));
  builder.CreateCall(abiFunction(*latch.getModule(), "hw_yield", builder.getVoidTy(), {}));
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
    for (llvm::BasicBlock *latch : latches) yieldAtTimes(*latch);
    return latches.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
  }
};

}  // namespace

void addSpinYields(llvm::PassBuilder &builder) {
  // From LLVM 20 on there is another argument.
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &manager, llvm::OptimizationLevel, auto...) {
    manager.addPass(llvm::createModuleToFunctionPassAdaptor(SpinYieldPass()));
  });
}

}  // namespace hostwarp::compiler
