// Host functions that a function for both sides calls: compiled with a warning, as by nvcc. On a GPU nothing happens
// at such a call and its result is undefined; here it is zero, and the function is named on stderr. What never returns
// is a trap.
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

void returnZero(llvm::IRBuilder<> &builder, llvm::Function &function, llvm::Type *resultInMemory) {
  if (resultInMemory) {
    const uint64_t bytes = function.getParent()->getDataLayout().getTypeAllocSize(resultInMemory);
    builder.CreateMemSet(function.getArg(0), builder.getInt8(0), bytes, llvm::MaybeAlign());
  }
  llvm::Type *result = function.getReturnType();
  if (result->isVoidTy()) {
    builder.CreateRetVoid();
  } else {
    builder.CreateRet(llvm::Constant::getNullValue(result));
  }
}

void defineAsNothing(llvm::Function &function) {
  llvm::Type *resultInMemory = function.arg_size() > 0 ? function.getParamStructRetType(0) : nullptr;
  const bool returns = !function.doesNotReturn();
  function.deleteBody();
  function.setAttributes({});  // pure and the like no longer hold
  function.setComdat(nullptr);
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", &function));
  auto report =
      abiFunction(*function.getParent(), "hw_host_function_called", builder.getVoidTy(), {builder.getPtrTy()});
  builder.CreateCall(report, builder.CreateGlobalString(llvm::demangle(function.getName())));
  if (returns) return returnZero(builder, function, resultInMemory);
  // The caller has no code behind the call.
  builder.CreateIntrinsic(llvm::Intrinsic::trap, llvm::ArrayRef<llvm::Type *>(), llvm::ArrayRef<llvm::Value *>());
  builder.CreateUnreachable();
}

}  // namespace

void leaveOutHostFunctions(DeviceModule &device) {
  constexpr llvm::StringLiteral mark = "hostwarp.host";
  for (llvm::Function &function : device.module)
    if (function.getFnAttribute("dontcall-warn").getValueAsString() == mark) defineAsNothing(function);
}

}  // namespace hostwarp::compiler
