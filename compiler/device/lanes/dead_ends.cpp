#include "compiler/device/lanes/dead_ends.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace hostwarp::compiler {

namespace {

// isChoice(): the block goes to the dead end or somewhere else.
bool isChoice(llvm::BasicBlock &block) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  return branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1);
}

// ownEnd() is a copy of the dead end for one of the blocks that lead to it.
llvm::BasicBlock *ownEnd(llvm::BasicBlock &end, llvm::BasicBlock &from) {
  llvm::ValueToValueMapTy map;
  llvm::BasicBlock *copy = llvm::CloneBasicBlock(&end, map, "", end.getParent());
  // Cloning has mapped them to copies.
  for (llvm::PHINode &phi : end.phis()) {
    llvm::cast<llvm::PHINode>(map[&phi])->eraseFromParent();
    map[&phi] = phi.getIncomingValueForBlock(&from);
  }
  llvm::remapInstructionsInBlocks({copy}, map);
  from.getTerminator()->replaceSuccessorWith(&end, copy);
  end.removePredecessor(&from, /*KeepOneInputPHIs=*/true);
  return copy;
}

void goOn(llvm::BasicBlock &end, llvm::BasicBlock &from) {
  auto *branch = llvm::cast<llvm::BranchInst>(from.getTerminator());
  llvm::BasicBlock *otherwise = branch->getSuccessor(branch->getSuccessor(0) == &end ? 1 : 0);
  for (llvm::PHINode &phi : otherwise->phis()) phi.addIncoming(phi.getIncomingValueForBlock(&from), &end);
  end.getTerminator()->eraseFromParent();
  llvm::BranchInst::Create(otherwise, &end);
}

}  // namespace

bool isDeadEnd(const llvm::BasicBlock &block) {
  auto *call = llvm::dyn_cast_or_null<llvm::CallInst>(block.getTerminator()->getPrevNonDebugInstruction());
  return call && call->doesNotReturn() && !call->isMustTailCall();
}

bool openDeadEnds(llvm::Function &function) {
  llvm::SmallVector<llvm::BasicBlock *> ends;
  for (llvm::BasicBlock &block : function)
    if (llvm::isa<llvm::UnreachableInst>(block.getTerminator()) && isDeadEnd(block) && !block.hasAddressTaken())
      ends.push_back(&block);
  bool changed = false;
  for (llvm::BasicBlock *end : ends) {
    const llvm::SmallVector<llvm::BasicBlock *> from(llvm::pred_begin(end), llvm::pred_end(end));
    if (from.empty() || !llvm::all_of(from, [](llvm::BasicBlock *block) { return isChoice(*block); })) continue;
    for (llvm::BasicBlock *block : llvm::drop_begin(from)) goOn(*ownEnd(*end, *block), *block);
    goOn(*end, *from.front());
    changed = true;
  }
  return changed;
}

}  // namespace hostwarp::compiler
