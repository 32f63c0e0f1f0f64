// Loops that only read and write tell of their reads once, before the first turn: to the runtime it comes to the same,
// since the thread neither waits between two of them nor learns of what others do. What was written by the time of a
// read is another question: where somebody asks that, only loops that only read do so.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/device/abi_functions.h"
#include "compiler/device/check_calls.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::compiler {

namespace {

constexpr const char *inPlace = "hostwarp_checks_in_place";

// plainAccess() is what a check is about, if that is a plain read or write; 0: it is not.
uint64_t plainAccess(const llvm::CallInst &check) {
  constexpr uint64_t special =
      HW_ACCESS_ATOMIC | HW_ACCESS_VOLATILE | HW_ACCESS_COMPARES | HW_ACCESS_COPIES | HW_ACCESS_OF_LIBRARY;
  const uint64_t traits = isCheckOf(check, checkAccess) ? checkedTraitsOf(check) : special;
  return (traits & special) != 0 ? 0 : traits & (HW_ACCESS_READS | HW_ACCESS_WRITES);
}

bool isPlainRead(const llvm::CallInst &check) { return plainAccess(check) == HW_ACCESS_READS; }

// isOfOwnVariable(): a store that nobody is told of.
bool isOfOwnVariable(const llvm::StoreInst &store) {
  return store.isSimple() && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(store.getPointerOperand(), 0));
}

// Quiet loops are those in which the thread neither waits nor can end; nor does it write what others may see, unless it
// may, and tells of that. Stores that nobody is told of say which thread runs.
class QuietLoop {
 public:
  explicit QuietLoop(const llvm::Loop &loop)
      : loop_(loop), mayWrite_(loop.getHeader()->getModule()->getModuleFlag(inPlace) == nullptr) {
    for (const llvm::BasicBlock *block : loop.blocks())
      for (const llvm::Instruction &instruction : *block)
        if (auto *check = llvm::dyn_cast<llvm::CallInst>(&instruction);
            check && plainAccess(*check) == HW_ACCESS_WRITES)
          written_.insert(check->getArgOperand(checkedAddress)->stripPointerCasts());
  }

  bool isQuiet() const {
    return llvm::all_of(loop_.blocks(), [&](const llvm::BasicBlock *block) {
      return llvm::all_of(*block, [&](const llvm::Instruction &each) { return isQuiet(each); });
    });
  }

 private:
  bool isQuiet(const llvm::Instruction &instruction) const {
    if (instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd()) return true;
    if (auto *check = llvm::dyn_cast<llvm::CallInst>(&instruction); check && isCheck(*check)) {
      const bool writes = (checkedTraitsOf(*check) & HW_ACCESS_WRITES) != 0;
      const bool isPlain = plainAccess(*check) != 0 || isCheckOf(*check, checkReads) || isCheckOf(*check, checkObject);
      return isPlain && (!writes || mayWrite_);
    }
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isSimple();
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return isOfOwnVariable(*store) ||
             (mayWrite_ && store->isSimple() && written_.contains(store->getPointerOperand()->stripPointerCasts()));
    return !instruction.mayReadOrWriteMemory() && !instruction.mayThrow() && instruction.willReturn();
  }

  const llvm::Loop &loop_;
  const bool mayWrite_;
  llvm::SmallPtrSet<const llvm::Value *, 8> written_;  // what the loop tells that it writes
};

// readChecksOf() lists those that come in each turn, in a loop that tests at the end of each whether there is another.
// A loop over threads has checks that say which one it is.
llvm::SmallVector<llvm::CallInst *> readChecksOf(const llvm::Loop &loop, const llvm::LoopInfo &loops,
                                                 const llvm::DominatorTree &dominators) {
  llvm::SmallVector<llvm::CallInst *> found;
  const llvm::BasicBlock *latch = loop.getLoopLatch();
  if (!latch || loop.getExitingBlock() != latch || !loop.getLoopPreheader()) return found;
  for (llvm::BasicBlock *block : loop.blocks()) {
    if (loops.getLoopFor(block) != &loop || !dominators.dominates(block, latch)) continue;
    for (llvm::Instruction &instruction : *block)
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && isPlainRead(*call) && !call->hasOperandBundles())
        found.push_back(call);
  }
  return found;
}

// LoopReads makes calls before a loop of those in its turns.
class LoopReads {
 public:
  LoopReads(const llvm::Loop &loop, llvm::ScalarEvolution &evolution)
      : loop_(loop),
        evolution_(evolution),
        start_(*loop.getLoopPreheader()->getTerminator()),
        expander_(evolution, start_.getDataLayout(), "checked") {
    const llvm::SCEV *turns = evolution.getBackedgeTakenCount(&loop);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(turns) || !turns->getType()->isIntegerTy()) return;
    llvm::Type *number = llvm::Type::getInt64Ty(start_.getContext());
    if (evolution.getTypeSizeInBits(turns->getType()) > 64 || !isThere(turns)) return;
    count_ = evolution.getAddExpr(evolution.getNoopOrZeroExtend(turns, number), evolution.getOne(number));
  }

  // hoist() is false where it is not known what the call will say in the turns to come.
  bool hoist(llvm::CallInst &check) {
    if (!count_ || !isThere(evolution_.getSCEV(check.getArgOperand(checkedBytes)))) return false;
    const llvm::SCEV *address = evolution_.getSCEV(check.getArgOperand(checkedAddress));
    const llvm::SCEV *first = address, *step = evolution_.getZero(count_->getType());
    if (auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address)) {
      if (recurrence->getLoop() == &loop_) {
        if (!recurrence->isAffine()) return false;
        first = recurrence->getStart();
        step = recurrence->getStepRecurrence(evolution_);
      }
    }
    if (!isThere(first) || !isThere(step) || step->getType() != count_->getType()) return false;
    emit(check, first, step);
    return true;
  }

 private:
  // isThere(): it does not change in the loop, and can be computed before it.
  bool isThere(const llvm::SCEV *expression) {
    return evolution_.isLoopInvariant(expression, &loop_) && expander_.isSafeToExpandAt(expression, &start_);
  }

  void emit(llvm::CallInst &check, const llvm::SCEV *first, const llvm::SCEV *step) {
    llvm::IRBuilder<> builder(&start_);
    llvm::Type *pointer = builder.getPtrTy(), *number = builder.getInt64Ty();
    llvm::Value *const bytes = check.getArgOperand(checkedBytes);
    llvm::Value *const arguments[] = {expander_.expandCodeFor(first, pointer, &start_),
                                      expander_.expandCodeFor(evolution_.getSCEV(bytes), number, &start_),
                                      check.getArgOperand(checkedTraits),
                                      check.getArgOperand(checkedSite),
                                      expander_.expandCodeFor(count_, number, &start_),
                                      expander_.expandCodeFor(step, number, &start_)};
    llvm::CallInst *call =
        builder.CreateCall(abiFunction(*check.getModule(), checkReads, builder.getVoidTy(),
                                       {pointer, number, builder.getInt32Ty(), pointer, number, number}),
                           arguments);
    call->copyMetadata(check);
    call->addFnAttr(llvm::Attribute::NoMerge);
    check.eraseFromParent();
  }

  const llvm::Loop &loop_;
  llvm::ScalarEvolution &evolution_;
  llvm::Instruction &start_;
  llvm::SCEVExpander expander_;
  const llvm::SCEV *count_ = nullptr;
};

class TellOfLoopsPass : public llvm::PassInfoMixin<TellOfLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &, llvm::LoopStandardAnalysisResults &results,
                              llvm::LPMUpdater &) {
    if (results.MSSA) return llvm::PreservedAnalyses::all();
    const llvm::SmallVector<llvm::CallInst *> checks = readChecksOf(loop, results.LI, results.DT);
    if (checks.empty() || !QuietLoop(loop).isQuiet()) return llvm::PreservedAnalyses::all();
    LoopReads reads(loop, results.SE);
    bool changed = false;
    for (llvm::CallInst *check : checks) changed |= reads.hoist(*check);
    return changed ? llvm::getLoopPassPreservedAnalyses() : llvm::PreservedAnalyses::all();
  }
};

}  // namespace

void tellInPlace(llvm::Module &module) { module.addModuleFlag(llvm::Module::Override, inPlace, 1); }

void tellOfLoops(llvm::PassBuilder &builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](llvm::LoopPassManager &manager, llvm::OptimizationLevel) { manager.addPass(TellOfLoopsPass()); });
}

}  // namespace hostwarp::compiler
