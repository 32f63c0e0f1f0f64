// Programs from before independent thread scheduling let the lanes of a warp exchange values through volatile memory
// without a barrier: `v[t] += v[t + 16]; v[t] += v[t + 8]; ...`. GPUs still run such lanes in step [CUDA 3.2.2 SIMT].
// The thread engine runs one lane after the other, so the lanes that come along meet before and after a volatile store:
// nobody stores before all have loaded, and nobody loads before all have stored.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

// mayBeShared(): a thread's own local variables are nobody else's business.
bool mayBeShared(const llvm::StoreInst &store) {
  return !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(store.getPointerOperand()));
}

// meetBefore() inserts a rendezvous of the lanes that come there: a mask of 0.
void meetBefore(llvm::Instruction *place) {
  llvm::IRBuilder<> builder(place);
  auto meet = abiFunction(*place->getModule(), "hw_syncwarp", builder.getVoidTy(), {builder.getInt32Ty()});
  builder.CreateCall(meet, builder.getInt32(0));
}

}  // namespace

void keepWarpsInStep(DeviceModule &device) {
  llvm::SmallVector<llvm::StoreInst *> stores;
  for (llvm::Function &function : device.module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
            store && store->isVolatile() && mayBeShared(*store))
          stores.push_back(store);
  for (llvm::StoreInst *store : stores) {
    meetBefore(store);
    meetBefore(store->getNextNode());
  }
}

}  // namespace hostwarp::compiler
