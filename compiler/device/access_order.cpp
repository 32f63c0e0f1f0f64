// Keeps the order of each thread's own accesses where loops over threads become vectors. Those loops say that their
// turns do not depend on each other (llvm.loop.parallel_accesses). LLVM 19 takes that for the accesses within one turn,
// too, when it makes one wide access of several with a stride (an "interleaved group"): loads move up to the first of
// the group, stores down to the last, past whatever stands between. An access that must not move is hidden from that
// by an address that the analysis does not see through; it becomes a gather or a scatter, in its place.
//
// The same is done to an address that is the same in all turns but is computed in the loop, behind a condition: there
// is a division in it. LLVM 19 does such a division once for a vector, and then only if the vector's first turn comes
// there. And to one by a number of few bits whose check LLVM lacks (wrap_checks.h).
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopAccessAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>

#include <cstdlib>

#include "compiler/device/passes.h"
#include "compiler/device/wrap_checks.h"

namespace hostwarp::compiler {

namespace {

// LLVM asks for each pair of accesses; beyond so many they are taken to touch the same.
constexpr size_t mostQuestions = 20000;

// AccessOrder finds the accesses of one loop, in the order of a turn, that may not become part of a group.
class AccessOrder {
 public:
  AccessOrder(llvm::Loop &loop, llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution, llvm::AAResults &aliases)
      : loop_(loop), evolution_(evolution, loop), aliases_(aliases) {
    llvm::LoopBlocksRPO order(&loop);
    order.perform(&loops);
    for (llvm::BasicBlock *block : order)
      for (llvm::Instruction &instruction : *block)
        if (instruction.mayReadOrWriteMemory()) accesses_.push_back(&instruction);
  }

  llvm::SmallVector<llvm::Instruction *> pinned() {
    llvm::SmallVector<llvm::Instruction *> result;
    for (size_t i = 0; i < accesses_.size(); ++i)
      if (isStrided(*accesses_[i]) && mayOvertake(i)) result.push_back(accesses_[i]);
    return result;
  }

 private:
  // isStrided() asks as LLVM does when it looks for groups: with the next thread, the address moves on by a constant
  // number of elements, not by one.
  bool isStrided(llvm::Instruction &access) {
    llvm::Value *address = llvm::getLoadStorePointerOperand(&access);
    if (!address || access.isVolatile() || access.isAtomic()) return false;
    const int64_t stride = llvm::getPtrStride(evolution_, llvm::getLoadStoreType(&access), address, &loop_,
                                              llvm::DenseMap<llvm::Value *, const llvm::SCEV *>(),
                                              /*Assume=*/true, /*ShouldCheckWrap=*/false)
                               .value_or(0);
    return std::abs(stride) > 1;
  }

  // mayOvertake(): as a member of an interleaved group the access could move past one that it may alias with: a load
  // moves up to the group's first member, a store down to the last one.
  bool mayOvertake(size_t index) {
    const bool isLoad = llvm::isa<llvm::LoadInst>(accesses_[index]);
    bool meets = false;
    for (size_t i = index; isLoad ? i-- > 0 : ++i < accesses_.size();) {
      llvm::Instruction &other = *accesses_[i];
      if (meets && llvm::isa<llvm::LoadInst>(other) == isLoad && isStrided(other)) return true;
      meets = meets || meet(*accesses_[index], other);
    }
    return false;
  }

  // meet(): the order of the two matters: they may alias, and one of them writes. Metadata about types does not count,
  // because CUDA programs reinterpret memory freely.
  bool meet(llvm::Instruction &access, llvm::Instruction &other) {
    if (!access.mayWriteToMemory() && !other.mayWriteToMemory()) return false;
    if (++questions_ > mostQuestions) return true;
    const llvm::MemoryLocation place = llvm::MemoryLocation::get(&access).getWithoutAATags();
    const llvm::ModRefInfo effect = aliases_.getModRefInfo(&other, place);
    return access.mayWriteToMemory() ? llvm::isModOrRefSet(effect) : llvm::isModSet(effect);
  }

  llvm::Loop &loop_;
  llvm::PredicatedScalarEvolution evolution_;
  llvm::AAResults &aliases_;
  llvm::SmallVector<llvm::Instruction *> accesses_;
  size_t questions_ = 0;
};

// isCommonButPartial(): the address is the same in all turns, but nothing could move it out of the loop.
bool isCommonButPartial(llvm::Instruction &access, const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  auto *address = llvm::dyn_cast_or_null<llvm::Instruction>(llvm::getLoadStorePointerOperand(&access));
  return address && loop.contains(address) && evolution.isLoopInvariant(evolution.getSCEV(address), &loop);
}

// mayBeCut(): the address depends on a number of few bits that may wrap around, and LLVM would not see that.
bool mayBeCut(llvm::Instruction &access, const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  llvm::Value *address = llvm::getLoadStorePointerOperand(&access);
  return address && llvm::SCEVExprContains(evolution.getSCEV(address), [&](const llvm::SCEV *part) {
           auto *wide = llvm::dyn_cast<llvm::SCEVZeroExtendExpr>(part);
           auto *number = wide ? llvm::dyn_cast<llvm::SCEVAddRecExpr>(wide->getOperand()) : nullptr;
           return number && number->getLoop() == &loop && number->isAffine() && lacksCheck(*number, evolution);
         });
}

// pin() hides the access's address from analyses.
void pin(llvm::Instruction &access) {
  llvm::IRBuilder<> builder(&access);
  const unsigned operand = llvm::isa<llvm::LoadInst>(access) ? 0 : 1;
  access.setOperand(operand, builder.CreateFreeze(access.getOperand(operand), "pinned"));
}

class AccessOrderPass : public llvm::PassInfoMixin<AccessOrderPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
    auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    auto &aliases = analyses.getResult<llvm::AAManager>(function);
    llvm::SmallVector<llvm::Instruction *> pinned;
    for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
      if (!loop->isInnermost()) continue;
      for (llvm::BasicBlock *block : loop->blocks())
        for (llvm::Instruction &instruction : *block)
          if (isCommonButPartial(instruction, *loop, evolution) || mayBeCut(instruction, *loop, evolution))
            pinned.push_back(&instruction);
      if (function.hasFnAttribute(runsBlock) && loop->isAnnotatedParallel())
        pinned.append(AccessOrder(*loop, loops, evolution, aliases).pinned());
    }
    for (llvm::Instruction *access : pinned) pin(*access);
    return pinned.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
  }
};

}  // namespace

void keepAccessOrder(llvm::PassBuilder &builder) {
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) { passes.addPass(AccessOrderPass()); });
}

}  // namespace hostwarp::compiler
