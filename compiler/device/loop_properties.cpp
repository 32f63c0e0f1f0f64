#include "compiler/device/loop_properties.h"

#include <llvm/IR/Metadata.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

void addLoopProperty(llvm::BranchInst &latch, llvm::ArrayRef<llvm::Metadata *> property) {
  llvm::SmallVector<llvm::Metadata *> all{nullptr};
  if (llvm::MDNode *known = latch.getMetadata(llvm::LLVMContext::MD_loop))
    all.append(std::next(known->op_begin()), known->op_end());
  all.push_back(llvm::MDNode::get(latch.getContext(), property));
  llvm::MDNode *id = llvm::MDNode::getDistinct(latch.getContext(), all);
  id->replaceOperandWith(0, id);
  latch.setMetadata(llvm::LLVMContext::MD_loop, id);
}

void markThreads(llvm::BranchInst &latch) {
  addLoopProperty(latch, {llvm::MDString::get(latch.getContext(), threadLoop)});
}

void keepRolled(llvm::BranchInst &latch) {
  addLoopProperty(latch, {llvm::MDString::get(latch.getContext(), "llvm.loop.unroll.disable")});
}

void allowReordering(llvm::ArrayRef<llvm::BasicBlock *> blocks, llvm::BranchInst &latch) {
  llvm::LLVMContext &context = latch.getContext();
  llvm::MDNode *group = llvm::MDNode::getDistinct(context, {});
  for (llvm::BasicBlock *block : blocks)
    for (llvm::Instruction &instruction : *block)
      if (instruction.mayReadOrWriteMemory()) instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
  addLoopProperty(latch, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group});
}

}  // namespace hostwarp::compiler
