// Keeps loops that wait for another thread from starving it [CUDA 3.2.6 forward progress]: a loop whose exit depends on
// a volatile, atomic or fence-ordered read counts down hw_thread::spinBudget at each turn and calls hw_yield() at zero.
// It depends on the read by its value, or by the way that the read has decided. Loops that merely try again to change a
// word wait for nobody.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
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

llvm::AllocaInst *variableOf(const llvm::LoadInst &load) {
  return llvm::dyn_cast<llvm::AllocaInst>(const_cast<llvm::Value *>(load.getPointerOperand()->stripPointerCasts()));
}

// storesRead() finds the loop's stores to where `load` reads, if that is a variable on the stack: code that is not
// optimised keeps there what it has read of others' memory.
llvm::SmallVector<llvm::StoreInst *> storesRead(const llvm::LoadInst &load, const llvm::Loop &loop) {
  llvm::SmallVector<llvm::StoreInst *> stores;
  llvm::AllocaInst *variable = variableOf(load);
  if (!variable) return stores;
  for (llvm::User *user : variable->users()) {
    auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (store && store->getPointerOperand() == variable && loop.contains(store)) stores.push_back(store);
  }
  return stores;
}

void appendStored(const llvm::LoadInst &load, const llvm::Loop &loop, llvm::SmallVectorImpl<llvm::Value *> &values) {
  for (llvm::StoreInst *store : storesRead(load, loop)) values.push_back(store->getValueOperand());
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

// isSameEachTurn(): the value is the same in all iterations of the loop.
bool isSameEachTurn(const llvm::Value *value, const llvm::Loop &loop) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !loop.contains(instruction)) return true;
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction))
    return variableOf(*load) && storesRead(*load, loop).empty();
  if (llvm::isa<llvm::PHINode>(instruction) || instruction->mayReadOrWriteMemory()) return false;
  return llvm::all_of(instruction->operands(), [&](const llvm::Use &use) { return isSameEachTurn(use, loop); });
}

// polls(): the instruction reads, in each iteration, memory that another thread may write. A loop over the elements of
// an array does not poll, even if its branches depend on their values.
bool polls(const llvm::Instruction &instruction, const llvm::Loop &loop, bool ordered) {
  if (instruction.isAtomic() || instruction.isVolatile()) return true;
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return ordered && !variableOf(*load) && isSameEachTurn(load->getPointerOperand(), loop);
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && !llvm::isa<llvm::IntrinsicInst>(call) && call->mayReadFromMemory() && !call->onlyReadsMemory();
}

// Deciders collects what the exits of a loop depend on, by data or by control.
class Deciders {
 public:
  explicit Deciders(const llvm::Loop &loop) : loop_(loop), after_(*loop.getHeader()->getParent()) {
    for (llvm::BasicBlock *block : loop.blocks())
      if (block->getTerminator()->getNumSuccessors() > 1) forks_.push_back(block);
  }

  bool includePoll(llvm::ArrayRef<llvm::BasicBlock *> exiting, bool ordered) {
    for (llvm::BasicBlock *block : exiting) addBranch(*block);
    while (!work_.empty()) {
      llvm::Instruction *instruction = work_.pop_back_val();
      if (polls(*instruction, loop_, ordered)) return true;
      for (llvm::Value *operand : instruction->operands()) addValue(operand);
      addWaysOf(*instruction);
    }
    return false;
  }

 private:
  void addValue(llvm::Value *value) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction && loop_.contains(instruction) && seen_.insert(instruction).second) work_.push_back(instruction);
  }

  // addWaysOf() adds the control dependences of a phi's incoming values, or of the stores to a variable.
  void addWaysOf(llvm::Instruction &instruction) {
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      for (llvm::BasicBlock *from : phi->blocks()) addBranch(*from);
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      for (llvm::StoreInst *store : storesRead(*load, loop_)) {
        addValue(store->getValueOperand());
        addConditionsOf(*store->getParent());
      }
  }

  // addBranch() adds what decides that the end of `block` is reached, and where it goes.
  void addBranch(llvm::BasicBlock &block) {
    if (!loop_.contains(&block)) return;
    llvm::Instruction *end = block.getTerminator();
    if (end->getNumSuccessors() > 1) addValue(end->getOperand(0));
    addConditionsOf(block);
  }

  // addConditionsOf() adds the conditions that `block` is control-dependent on.
  void addConditionsOf(llvm::BasicBlock &block) {
    if (!placed_.insert(&block).second) return;
    for (llvm::BasicBlock *fork : forks_) {
      if (after_.properlyDominates(&block, fork)) continue;
      const auto leadsHere = [&](llvm::BasicBlock *next) { return after_.dominates(&block, next); };
      if (llvm::none_of(llvm::successors(fork), leadsHere)) continue;
      addValue(fork->getTerminator()->getOperand(0));
      addConditionsOf(*fork);
    }
  }

  const llvm::Loop &loop_;
  const llvm::PostDominatorTree after_;
  llvm::SmallVector<llvm::BasicBlock *> forks_;
  llvm::SmallVector<llvm::Instruction *> work_;
  llvm::SmallPtrSet<llvm::Instruction *, 16> seen_;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> placed_;
};

bool hasPoll(const llvm::Loop &loop, bool ordered) {
  return llvm::any_of(loop.blocks(), [&](llvm::BasicBlock *block) {
    return llvm::any_of(*block, [&](llvm::Instruction &each) { return polls(each, loop, ordered); });
  });
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
  return hasPoll(loop, ordered) && Deciders(loop).includePoll(exiting, ordered);
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
