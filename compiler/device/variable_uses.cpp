#include "compiler/device/variable_uses.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

namespace hostwarp::compiler {

void replaceInFunctions(llvm::GlobalVariable &variable,
                        llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &)> address) {
  llvm::DenseMap<llvm::Function *, llvm::Value *> made;
  llvm::SmallVector<llvm::Use *> uses;
  for (llvm::Use &use : variable.uses())
    if (llvm::isa<llvm::Instruction>(use.getUser())) uses.push_back(&use);
  for (llvm::Use *use : uses) {
    llvm::Function *function = llvm::cast<llvm::Instruction>(use->getUser())->getFunction();
    llvm::Value *&here = made[function];
    if (!here) {
      llvm::BasicBlock &entry = function->getEntryBlock();
      llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
      here = address(builder);
    }
    use->set(here);
  }
}

}  // namespace hostwarp::compiler
