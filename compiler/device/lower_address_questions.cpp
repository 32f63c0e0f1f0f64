// Code that copies asks of each address which space it is in: libcu++ does, before it takes cp.async. Most are in
// device memory, which shows by the address itself.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/device/passes.h"
#include "include/hostwarp/device_addresses.h"

namespace hostwarp::compiler {

namespace {

// askIfUnclear() calls only for addresses that are not plainly in device memory: those are neither local nor constant.
void askIfUnclear(llvm::CallInst &call) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *place = builder.CreatePtrToInt(call.getArgOperand(0), builder.getInt64Ty());
  llvm::Value *isUnclear = builder.CreateICmpNE(builder.CreateLShr(place, HW_DEVICE_ADDRESS_SHIFT),
                                                builder.getInt64(HW_DEVICE_ADDRESS_PREFIX));
  llvm::BasicBlock *clear = call.getParent();
  llvm::Instruction *end = llvm::SplitBlockAndInsertIfThen(isUnclear, &call, /*Unreachable=*/false);
  llvm::IRBuilder<> after(&call);
  llvm::PHINode *answer = after.CreatePHI(call.getType(), 2);
  call.replaceAllUsesWith(answer);
  call.moveBefore(end);
  answer->addIncoming(llvm::ConstantInt::get(call.getType(), 0), clear);
  answer->addIncoming(&call, call.getParent());
}

}  // namespace

void lowerAddressQuestions(DeviceModule &device) {
  for (const char *name : {"hw_is_local", "hw_is_constant"}) {
    llvm::Function *function = device.module.getFunction(name);
    if (!function || !function->isDeclaration()) continue;
    for (llvm::User *user : llvm::make_early_inc_range(function->users()))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == function)
        askIfUnclear(*call);
  }
}

}  // namespace hostwarp::compiler
