// Of `if (x == k) a[k] = ...` LLVM's GVN makes `a[x]`, since x is the older value. Where x is a thread's index and k
// the same in all threads, that turns one element for all into one of each lane, which is a gather, or a row under a
// mask of one lane.
#include "compiler/device/guarded_values.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/device/uniform_values.h"

namespace hostwarp::compiler {

namespace {

// Guard is an edge behind which two numbers are known to be equal.
struct Guard {
  llvm::BasicBlockEdge edge;
  llvm::Value *varying;
  llvm::Value *uniform;
};

// comparisonsIn() lists those that must hold for the condition to be true, or, with `isFalse`, to be false: all parts
// of `a && b` are true where it is, all of `a || b` false.
void comparisonsIn(llvm::Value *condition, bool isFalse, llvm::SmallVectorImpl<llvm::ICmpInst *> &found) {
  if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(condition)) {
    const auto wanted = isFalse ? llvm::CmpInst::ICMP_NE : llvm::CmpInst::ICMP_EQ;
    if (comparison->getPredicate() == wanted && comparison->getOperand(0)->getType()->isIntegerTy())
      found.push_back(comparison);
    return;
  }
  using namespace llvm::PatternMatch;
  llvm::Value *one = nullptr, *other = nullptr;
  const bool isOfBoth = isFalse ? match(condition, m_LogicalOr(m_Value(one), m_Value(other)))
                                : match(condition, m_LogicalAnd(m_Value(one), m_Value(other)));
  if (!isOfBoth) return;
  comparisonsIn(one, isFalse, found);
  comparisonsIn(other, isFalse, found);
}

// guardsIn() does not yet know which of the two numbers varies.
llvm::SmallVector<Guard> guardsIn(llvm::Function &function) {
  llvm::SmallVector<Guard> guards;
  for (llvm::BasicBlock &block : function) {
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    for (const bool isFalse : {false, true}) {
      llvm::SmallVector<llvm::ICmpInst *, 4> comparisons;
      comparisonsIn(branch->getCondition(), isFalse, comparisons);
      for (llvm::ICmpInst *comparison : comparisons)
        if (!llvm::isa<llvm::Constant>(comparison->getOperand(1)))
          guards.push_back(
              {{&block, branch->getSuccessor(isFalse)}, comparison->getOperand(0), comparison->getOperand(1)});
    }
  }
  return guards;
}

// keepOneForAll() leaves those of which one number is the same in all threads, and the other is not.
void keepOneForAll(llvm::SmallVectorImpl<Guard> &guards, const UniformValues &values) {
  for (Guard &guard : guards)
    if (values.isUniform(*guard.varying)) std::swap(guard.varying, guard.uniform);
  llvm::erase_if(guards, [&](const Guard &guard) {
    return values.isUniform(*guard.varying) || !values.isUniform(*guard.uniform);
  });
}

// Behind one guard: Replacement has what depends on the varying value computed anew, from the uniform one.
class Replacement {
 public:
  Replacement(const Guard &guard, const llvm::DominatorTree &dominators) : guard_(guard), dominators_(dominators) {
    known_[guard.varying] = guard.uniform;
  }

  void run() {
    auto *end = const_cast<llvm::BasicBlock *>(guard_.edge.getEnd());
    if (!dominators_.dominates(guard_.edge, end)) return;
    place_ = &*end->getFirstInsertionPt();
    llvm::SmallVector<llvm::BasicBlock *> behind;
    dominators_.getDescendants(end, behind);
    const llvm::SmallPtrSet<llvm::BasicBlock *, 8> inside(behind.begin(), behind.end());
    llvm::SmallVector<llvm::Use *> uses;
    for (llvm::BasicBlock *block : behind)
      for (llvm::Instruction &instruction : *block)
        if (!llvm::isa<llvm::PHINode>(instruction))
          for (llvm::Use &use : instruction.operands()) uses.push_back(&use);
    for (llvm::Use *use : uses) {
      auto *outer = llvm::dyn_cast<llvm::Instruction>(use->get());
      if (use->get() != guard_.varying && (!outer || inside.contains(outer->getParent()))) continue;
      if (llvm::Value *value = replaced(*use->get(), 0)) use->set(value);
    }
  }

 private:
  // replaced() is null where the value does not depend on the varying one, or not by arithmetic alone.
  llvm::Value *replaced(llvm::Value &value, unsigned depth) {
    constexpr unsigned deepest = 6;
    if (const auto known = known_.find(&value); known != known_.end()) return known->second;
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (depth == deepest || !instruction ||
        !llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(instruction))
      return nullptr;
    llvm::Instruction *copy = nullptr;
    for (unsigned i = 0; i < instruction->getNumOperands(); ++i) {
      llvm::Value *operand = replaced(*instruction->getOperand(i), depth + 1);
      if (!operand) continue;
      if (!copy) copy = instruction->clone();
      copy->setOperand(i, operand);
    }
    if (copy) copy->insertBefore(place_);
    return known_[&value] = copy;
  }

  const Guard &guard_;
  const llvm::DominatorTree &dominators_;
  llvm::Instruction *place_ = nullptr;
  llvm::DenseMap<llvm::Value *, llvm::Value *> known_;
};

}  // namespace

void useGuardedValues(llvm::Function &function, llvm::ArrayRef<llvm::Value *> sources) {
  llvm::SmallVector<Guard> guards = guardsIn(function);
  if (guards.empty()) return;
  keepOneForAll(guards, UniformValues(function, sources));
  if (guards.empty()) return;
  const llvm::DominatorTree dominators(function);
  for (const Guard &guard : guards) Replacement(guard, dominators).run();
}

}  // namespace hostwarp::compiler
