// Loops over threads in which a guard lets only the first threads do something, `if (t < half) ...`, have no turns for
// the others. Sums by halving are made of such loops.
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <optional>

#include "compiler/device/lane_meetings.h"
#include "compiler/device/lanes/thread_loop.h"
#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// Clipped is a loop whose first block decides whether the thread does anything.
struct Clipped {
  llvm::Loop *loop;
  llvm::BranchInst *guard;      // at the end of the first block
  const llvm::SCEV *most;       // turns in which the guard holds, which come first
  llvm::Instruction *nextTurn;  // the counter that the loop's end is compared with
  const llvm::SCEV *firstTurn;  // its value in the first turn
};

bool hasEffects(const llvm::BasicBlock &block) {
  return llvm::any_of(block, [](const llvm::Instruction &instruction) { return instruction.mayHaveSideEffects(); });
}

// isUsedBehind(): something that the loop computes is used behind it.
bool isUsedBehind(const llvm::Loop &loop) {
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      for (const llvm::User *user : instruction.users())
        if (!loop.contains(llvm::cast<llvm::Instruction>(user))) return true;
  return false;
}

// ThreadLoopClipper does the work for one function.
class ThreadLoopClipper {
 public:
  explicit ThreadLoopClipper(llvm::Function &function)
      : function_(function),
        dominators_(function),
        loops_(dominators_),
        libraryOfTarget_(llvm::Triple(function.getParent()->getTargetTriple())),
        library_(libraryOfTarget_),
        assumptions_(function),
        evolution_(function, library_, assumptions_, dominators_, loops_) {}

  void run() {
    llvm::SmallVector<Clipped> all;
    for (llvm::Loop *loop : loops_.getLoopsInPreorder())
      if (isThreadLoop(*loop) && !llvm::getOptionalIntLoopAttribute(loop, joinedLoop))
        if (const std::optional<Clipped> clipped = lookAt(*loop)) all.push_back(*clipped);
    for (const Clipped &each : all) clip(each);
  }

 private:
  std::optional<Clipped> lookAt(llvm::Loop &loop) {
    llvm::BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
    if (!loop.getLoopPreheader() || !latch || header == latch || loop.getExitingBlock() != latch) return std::nullopt;
    auto *guard = llvm::dyn_cast<llvm::BranchInst>(header->getTerminator());
    const bool leadsOn = guard && guard->isConditional() && llvm::is_contained(guard->successors(), latch);
    if (!leadsOn || !latch->phis().empty() || !loop.getExitBlock()->phis().empty()) return std::nullopt;
    if (hasEffects(*header) || hasEffects(*latch) || isUsedBehind(loop)) return std::nullopt;
    Clipped clipped{&loop, guard, nullptr, nullptr, nullptr};
    if (!findMost(clipped, guard->getSuccessor(1) != latch) || !findEnd(clipped, *latch)) return std::nullopt;
    return clipped;
  }

  // findMost() takes the guard apart: a counter that goes up by one is below a bound, or the number that the loop
  // begins with.
  bool findMost(Clipped &clipped, bool isInverted) {
    auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(clipped.guard->getCondition());
    if (!comparison) return false;
    llvm::CmpInst::Predicate predicate = comparison->getPredicate();
    const llvm::SCEV *counter = evolution_.getSCEV(comparison->getOperand(0));
    const llvm::SCEV *bound = evolution_.getSCEV(comparison->getOperand(1));
    if (evolution_.isLoopInvariant(counter, clipped.loop)) {
      std::swap(counter, bound);
      predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    }
    if (isInverted) predicate = llvm::CmpInst::getInversePredicate(predicate);
    auto *turns = llvm::dyn_cast<llvm::SCEVAddRecExpr>(counter);
    if (!turns || turns->getLoop() != clipped.loop || !turns->isAffine() ||
        !evolution_.isLoopInvariant(bound, clipped.loop) || !turns->getStepRecurrence(evolution_)->isOne())
      return false;
    const llvm::SCEV *start = turns->getStart();
    if (predicate == llvm::CmpInst::ICMP_SLT && turns->hasNoSignedWrap())
      clipped.most = evolution_.getMinusSCEV(evolution_.getSMaxExpr(bound, start), start);
    else if (predicate == llvm::CmpInst::ICMP_ULT && turns->hasNoUnsignedWrap())
      clipped.most = evolution_.getMinusSCEV(evolution_.getUMaxExpr(bound, start), start);
    else if (predicate == llvm::CmpInst::ICMP_EQ && bound == start && turns->hasNoUnsignedWrap())
      clipped.most = evolution_.getOne(turns->getType());
    return clipped.most != nullptr;
  }

  // findEnd() finds the counter by which the loop ends.
  bool findEnd(Clipped &clipped, llvm::BasicBlock &latch) {
    auto *end = llvm::dyn_cast<llvm::BranchInst>(latch.getTerminator());
    auto *comparison = end ? llvm::dyn_cast<llvm::ICmpInst>(end->getCondition()) : nullptr;
    if (!comparison || llvm::isa<llvm::SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(clipped.loop)))
      return false;
    auto *next = llvm::dyn_cast<llvm::Instruction>(comparison->getOperand(0));
    auto *turns = next ? llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(next)) : nullptr;
    if (!turns || turns->getLoop() != clipped.loop || !turns->isAffine() ||
        !turns->getStepRecurrence(evolution_)->isOne())
      return false;
    clipped.nextTurn = next;
    clipped.firstTurn = turns->getStart();
    return true;
  }

  // clip() ends the loop after the turns that do something, and skips it where there are none.
  void clip(const Clipped &clipped) {
    llvm::Loop &loop = *clipped.loop;
    llvm::BasicBlock *preheader = loop.getLoopPreheader(), *latch = loop.getLoopLatch(), *exit = loop.getExitBlock();
    const llvm::SCEV *back = evolution_.getBackedgeTakenCount(&loop);
    const llvm::SCEV *turns = evolution_.getAddExpr(back, evolution_.getOne(back->getType()));
    const llvm::SCEV *left = evolution_.getUMinFromMismatchedTypes(turns, clipped.most);
    llvm::SCEVExpander expander(evolution_, function_.getParent()->getDataLayout(), "clipped");
    llvm::Instruction *place = preheader->getTerminator();
    if (!expander.isSafeToExpandAt(left, place) || !expander.isSafeToExpandAt(clipped.firstTurn, place)) return;
    llvm::Value *count = expander.expandCodeFor(left, left->getType(), place);
    llvm::Value *first = expander.expandCodeFor(clipped.firstTurn, clipped.nextTurn->getType(), place);
    llvm::IRBuilder<> builder(place);
    // The counter has its first value at the end of the first turn.
    llvm::Value *rest = builder.CreateSub(count, llvm::ConstantInt::get(count->getType(), 1));
    llvm::Value *last = builder.CreateAdd(first, builder.CreateZExtOrTrunc(rest, first->getType()), "last");
    llvm::BasicBlock *begin = llvm::BasicBlock::Create(function_.getContext(), "clipped", &function_, loop.getHeader());
    builder.CreateCondBr(builder.CreateIsNull(count), exit, begin);
    place->eraseFromParent();
    llvm::BranchInst::Create(loop.getHeader(), begin);
    loop.getHeader()->replacePhiUsesWith(preheader, begin);
    auto *end = llvm::cast<llvm::BranchInst>(latch->getTerminator());
    builder.SetInsertPoint(end);
    const bool goesOnIfTrue = end->getSuccessor(0) == loop.getHeader();
    end->setCondition(goesOnIfTrue ? builder.CreateICmpNE(clipped.nextTurn, last)
                                   : builder.CreateICmpEQ(clipped.nextTurn, last));
    clipped.guard->setCondition(builder.getInt1(clipped.guard->getSuccessor(1) == latch));
  }

  llvm::Function &function_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::TargetLibraryInfoImpl libraryOfTarget_;
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;
  llvm::ScalarEvolution evolution_;
};

}  // namespace

void clipThreadLoops(DeviceModule &device) {
  for (const Kernel &kernel : device.kernels)
    for (llvm::Function *block : blockEntries(kernel)) ThreadLoopClipper(*block).run();
}

}  // namespace hostwarp::compiler
