// Sends the library functions that have a meaning of their own on a device (printf, malloc, assert, new), or are more
// accurate there (cbrt), to the device ABI, as library.def says. Everything else (sinf, memcpy) stays the host
// library's.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

template <class Replace>
void replaceCalls(llvm::Module &module, llvm::StringRef name, Replace replace) {
  llvm::Function *function = module.getFunction(name);
  if (!function || !function->isDeclaration()) return;
  for (llvm::User *user : llvm::make_early_inc_range(function->users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getCalledFunction() != function) continue;
    llvm::IRBuilder<> builder(call);
    llvm::Value *value = replace(builder, *call);
    if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

void rename(llvm::Module &module, llvm::StringRef name, llvm::StringRef newName) {
  llvm::Function *function = module.getFunction(name);
  if (!function || !function->isDeclaration()) return;
  if (llvm::Function *existing = module.getFunction(newName)) {
    function->replaceAllUsesWith(existing);
    function->eraseFromParent();
    return;
  }
  function->setName(newName);
  function->setAttributes({});  // what the library promises (noalias, alloc kinds) need not hold for ours
}

// mathematics() sends a function and the intrinsic that means the same to the device's own. The attributes stay: both
// calculate, and do nothing else.
void mathematics(llvm::Module &module, llvm::StringRef name, llvm::StringRef ours) {
  llvm::Function *function = module.getFunction(name);
  if (!function || !function->isDeclaration()) return;
  auto ready = module.getOrInsertFunction(ours, function->getFunctionType(), function->getAttributes());
  function->replaceAllUsesWith(ready.getCallee());
  function->eraseFromParent();
}

void operatorNew(llvm::Module &module, llvm::StringRef name) {
  replaceCalls(module, name, [&](llvm::IRBuilder<> &builder, llvm::CallInst &call) {
    auto allocate = abiFunction(module, "hw_malloc", builder.getPtrTy(), {builder.getInt64Ty()});
    return builder.CreateCall(allocate, call.getArgOperand(0));
  });
}

void operatorDelete(llvm::Module &module, llvm::StringRef name) {
  replaceCalls(module, name, [&](llvm::IRBuilder<> &builder, llvm::CallInst &call) {
    auto release = abiFunction(module, "hw_free", builder.getVoidTy(), {builder.getPtrTy()});
    return builder.CreateCall(release, call.getArgOperand(0));
  });
}

void assertFail(llvm::Module &module, llvm::StringRef name) {
  replaceCalls(module, name, [&](llvm::IRBuilder<> &builder, llvm::CallInst &call) {
    llvm::Type *ptr = builder.getPtrTy();
    auto report = abiFunction(module, "hw_assert_fail", builder.getVoidTy(),
                              {ptr, ptr, builder.getInt32Ty(), ptr, builder.getInt64Ty()});
    llvm::SmallVector<llvm::Value *> arguments(call.args());
    arguments.push_back(builder.getInt64(1));
    return builder.CreateCall(report, arguments);
  });
}

}  // namespace

void lowerLibraryCalls(DeviceModule &device) {
#define RENAME(name, function) rename(device.module, name, function);
#define OPERATOR_NEW(name) operatorNew(device.module, name);
#define OPERATOR_DELETE(name) operatorDelete(device.module, name);
#define ASSERT_FAIL(name) assertFail(device.module, name);
#define MATHEMATICS_DOUBLE(name)                       \
  mathematics(device.module, #name, "hw_math_" #name); \
  mathematics(device.module, "llvm." #name ".f64", "hw_math_" #name);
#define MATHEMATICS(name)                                      \
  MATHEMATICS_DOUBLE(name)                                     \
  mathematics(device.module, #name "f", "hw_math_" #name "f"); \
  mathematics(device.module, "llvm." #name ".f32", "hw_math_" #name "f");
#include "compiler/device/library.def"
#undef RENAME
#undef OPERATOR_NEW
#undef OPERATOR_DELETE
#undef ASSERT_FAIL
#undef MATHEMATICS_DOUBLE
#undef MATHEMATICS
}

}  // namespace hostwarp::compiler
