#include "compiler/ptx/async_markers.h"

#include <llvm/IR/Instructions.h>

namespace hostwarp::compiler::ptx {

void dropAsyncMarkers(llvm::Module &module) {
  for (const char *name : {"hw_check_async", "hw_check_async_mode", "hw_check_later"}) {
    llvm::Function *marker = module.getFunction(name);
    if (!marker) continue;
    for (llvm::User *user : llvm::make_early_inc_range(marker->users())) {
      auto *call = llvm::cast<llvm::CallInst>(user);
      if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(llvm::Constant::getNullValue(call->getType()));
      call->eraseFromParent();
    }
    marker->eraseFromParent();
  }
}

}  // namespace hostwarp::compiler::ptx
