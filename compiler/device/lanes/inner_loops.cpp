#include "compiler/device/lanes/inner_loops.h"

#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

namespace hostwarp::compiler {

namespace {

constexpr unsigned turns = 8;
constexpr size_t mostOfInnerLoop = 60;
constexpr llvm::StringLiteral done = "llvm.loop.unroll.disable";

// goesOverElements(): from turn to turn the thread reads the next element, and other threads have theirs elsewhere.
bool goesOverElements(const llvm::Instruction &instruction, const llvm::Loop &loop, const LaneShapes &shapes,
                      llvm::ScalarEvolution &evolution) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (!load || !load->isSimple() || load->getType()->isVectorTy()) return false;
  auto *address = const_cast<llvm::Value *>(load->getPointerOperand());
  const auto bytes = load->getModule()->getDataLayout().getTypeStoreSize(load->getType()).getFixedValue();
  const Shape shape = shapes.of(*address);
  if (shape.isUniform() || (shape.isStrided() && shape.stride() < static_cast<int64_t>(2 * bytes))) return false;
  auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(address));
  if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine()) return false;
  auto *step = llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution));
  return step && step->getAPInt() == bytes && bytes * turns <= 64;
}

bool isCandidate(llvm::Loop &loop, const LaneShapes &shapes, llvm::ScalarEvolution &evolution) {
  if (!loop.isInnermost() || loop.getNumBlocks() != 1 || loop.getHeader()->size() > mostOfInnerLoop) return false;
  if (shapes.isDivergent(&loop) || llvm::getBooleanLoopAttribute(&loop, done)) return false;
  const TurnGraph &around = shapes.graphOf(loop.getParentLoop());
  if (shapes.isPartial(around, around.nodeOf(loop.getHeader()))) return false;
  return llvm::any_of(*loop.getHeader(), [&](const llvm::Instruction &instruction) {
    return goesOverElements(instruction, loop, shapes, evolution);
  });
}

}  // namespace

bool unrollOverElements(const ThreadLoop &threads, const LaneShapes &shapes, llvm::LoopInfo &loops,
                        llvm::ScalarEvolution &evolution, llvm::DominatorTree &dominators,
                        llvm::AssumptionCache &assumptions) {
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (loop == &threads.loop() || !threads.loop().contains(loop) || !isCandidate(*loop, shapes, evolution)) continue;
    llvm::UnrollLoopOptions options{};
    options.Count = turns;
    options.Force = true;
    options.Runtime = true;
    options.AllowExpensiveTripCount = true;
    llvm::Function &function = *loop->getHeader()->getParent();
    const llvm::TargetTransformInfo target(function.getParent()->getDataLayout());
    llvm::OptimizationRemarkEmitter remarks(&function);
    llvm::addStringMetadataToLoop(loop, done.data(), 1);
    llvm::Loop *rest = nullptr;
    if (llvm::UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &target, &remarks,
                         /*PreserveLCSSA=*/true, &rest) == llvm::LoopUnrollResult::Unmodified)
      continue;
    if (rest) llvm::addStringMetadataToLoop(rest, done.data(), 1);
    return true;
  }
  return false;
}

}  // namespace hostwarp::compiler
