#include "compiler/device/uniform_values.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

namespace hostwarp::compiler {

namespace {

// variesByItself(): its value comes from elsewhere than from its operands. A function that was not inlined may ask
// which thread runs.
bool variesByItself(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::AllocaInst>(instruction)) return true;
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call && (!call->getCalledFunction() || !call->getCalledFunction()->isDeclaration())) return true;
  return instruction.mayReadFromMemory() && !instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load);
}

}  // namespace

UniformValues::UniformValues(llvm::Function &function, llvm::ArrayRef<llvm::Value *> sources)
    : dominators_(function), postDominators_(function), loops_(dominators_) {
  for (llvm::Value *source : sources) mark(*source);
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (variesByItself(instruction)) mark(instruction);
  while (!work_.empty())
    for (llvm::User *user : work_.pop_back_val()->users()) {
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (!instruction || varying_.contains(instruction)) continue;
      mark(*instruction);
      if (!instruction->isTerminator() || instruction->getNumSuccessors() < 2) continue;
      markJoins(*instruction->getParent());
      markLeftLoops(*instruction->getParent());
    }
}

void UniformValues::mark(llvm::Value &value) {
  if (varying_.insert(&value).second) work_.push_back(&value);
}

bool UniformValues::separates(const llvm::BasicBlock &block) const {
  const llvm::Instruction *end = block.getTerminator();
  return end->getNumSuccessors() > 1 && varying_.contains(end);
}

llvm::BasicBlock *UniformValues::meeting(llvm::BasicBlock &block) const {
  auto *node = postDominators_.getNode(&block);
  auto *above = node ? node->getIDom() : nullptr;
  return above ? above->getBlock() : nullptr;
}

llvm::DenseSet<llvm::BasicBlock *> UniformValues::reachable(llvm::BasicBlock &from,
                                                            const llvm::BasicBlock *until) const {
  llvm::DenseSet<llvm::BasicBlock *> seen{&from};
  llvm::SmallVector<llvm::BasicBlock *> work{&from};
  while (!work.empty()) {
    llvm::BasicBlock *block = work.pop_back_val();
    if (block == until) continue;
    for (llvm::BasicBlock *next : llvm::successors(block))
      if (seen.insert(next).second) work.push_back(next);
  }
  return seen;
}

// markJoins() finds the blocks where threads meet that the branch has separated: what a phi gives there depends on the
// way a thread took.
void UniformValues::markJoins(llvm::BasicBlock &branch) {
  const llvm::BasicBlock *end = meeting(branch);
  llvm::DenseMap<llvm::BasicBlock *, unsigned> ways;
  for (llvm::BasicBlock *next :
       llvm::SmallPtrSet<llvm::BasicBlock *, 4>(llvm::succ_begin(&branch), llvm::succ_end(&branch)))
    for (llvm::BasicBlock *block : reachable(*next, end)) ++ways[block];
  for (auto [block, count] : ways)
    if (count > 1)
      for (llvm::PHINode &phi : block->phis()) mark(phi);
}

// markLeftLoops(): threads that leave a loop in different turns see different last values of what it computes.
void UniformValues::markLeftLoops(llvm::BasicBlock &branch) {
  for (llvm::Loop *loop = loops_.getLoopFor(&branch); loop; loop = loop->getParentLoop()) {
    const auto stays = [&](llvm::BasicBlock *next) { return loop->contains(next); };
    if (llvm::all_of(llvm::successors(&branch), stays)) continue;
    for (llvm::BasicBlock *block : loop->blocks())
      for (llvm::Instruction &instruction : *block) {
        const auto isOutside = [&](llvm::User *user) { return !loop->contains(llvm::cast<llvm::Instruction>(user)); };
        if (llvm::any_of(instruction.users(), isOutside)) mark(instruction);
      }
  }
}

}  // namespace hostwarp::compiler
