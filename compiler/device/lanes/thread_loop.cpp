#include "compiler/device/lanes/thread_loop.h"

#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

bool isThreadLoop(const llvm::Loop &loop) { return llvm::getBooleanLoopAttribute(&loop, threadLoop); }

ThreadLoop::ThreadLoop(llvm::Loop &loop, llvm::ScalarEvolution &evolution) : loop_(loop) {
  if (!loop.isLoopSimplifyForm() || loop.getExitingBlock() != loop.getLoopLatch()) {
    whyNot_ = "threads leave it in more than one place";
    return;
  }
  const llvm::SCEV *back = evolution.getBackedgeTakenCount(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(back)) {
    whyNot_ = "it is not known how many threads there are";
    return;
  }
  turns_ = evolution.getAddExpr(back, evolution.getOne(back->getType()));
  for (llvm::PHINode &phi : loop.getHeader()->phis())
    if (!classify(phi, evolution)) {
      whyNot_ = "a thread needs what the one before has computed";
      return;
    }
}

bool ThreadLoop::classify(llvm::PHINode &phi, llvm::ScalarEvolution &evolution) {
  Variable variable{};
  if (!isCounter(phi, evolution, variable) && !isReduction(phi, evolution, variable) && !isLast(phi, variable))
    return false;
  variable.result = llvm::cast<llvm::Instruction>(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
  variables_[&phi] = variable;
  return true;
}

bool ThreadLoop::isCounter(llvm::PHINode &phi, llvm::ScalarEvolution &evolution, Variable &variable) const {
  llvm::InductionDescriptor counter;
  if (!llvm::InductionDescriptor::isInductionPHI(&phi, &loop_, &evolution, counter)) return false;
  const llvm::ConstantInt *step = counter.getConstIntStepValue();
  if (!step || counter.getKind() == llvm::InductionDescriptor::IK_FpInduction) return false;
  variable.role = Role::Counter;
  variable.step = step->getSExtValue();
  return true;
}

bool ThreadLoop::isReduction(llvm::PHINode &phi, llvm::ScalarEvolution &evolution, Variable &variable) const {
  llvm::RecurrenceDescriptor reduction;
  if (!phi.getType()->isIntegerTy() ||
      !llvm::RecurrenceDescriptor::isReductionPHI(&phi, &loop_, reduction, nullptr, nullptr, nullptr, &evolution))
    return false;
  const llvm::RecurKind kind = reduction.getRecurrenceKind();
  // Lanes may begin with the same value.
  const bool isIdempotent = llvm::RecurrenceDescriptor::isIntMinMaxRecurrenceKind(kind) ||
                            kind == llvm::RecurKind::And || kind == llvm::RecurKind::Or;
  const auto *result = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
  if (!isIdempotent || result != reduction.getLoopExitInstr() || reduction.getRecurrenceType() != phi.getType())
    return false;
  variable.role = Role::Reduction;
  variable.reduction = kind;
  return true;
}

// isLast(): the turn chooses between what there was and a value of its own, and nobody else looks.
bool ThreadLoop::isLast(llvm::PHINode &phi, Variable &variable) const {
  auto *choice = llvm::dyn_cast<llvm::SelectInst>(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
  if (!choice || !phi.hasOneUse() || *phi.user_begin() != choice || choice->getCondition() == &phi) return false;
  if (choice->getTrueValue() == choice->getFalseValue()) return false;
  variable.role = Role::Last;
  return true;
}

llvm::PHINode *ThreadLoop::lastOf(const llvm::Value &value) const {
  for (const auto &[phi, variable] : variables_)
    if (variable.role == Role::Last && variable.result == &value) return phi;
  return nullptr;
}

}  // namespace hostwarp::compiler
