// Variadic functions [CUDA 5.4 language extensions]: a call leaves its variable arguments in memory and hands on their
// address, as CUDA's own calling convention has it. The host's would know nothing of what clang made of va_list here.
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Pass.h>
#if LLVM_VERSION_MAJOR >= 19
#include <llvm/Transforms/IPO/ExpandVariadics.h>
#endif

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// agrees() tells whether each call of the function has its type, which LLVM's pass takes for granted.
[[maybe_unused]] bool agrees(DeviceModule &device, const llvm::Function &function) {
  for (const llvm::User *user : function.users()) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(user);
    if (!call || call->getCalledOperand() != &function || call->getFunctionType() == function.getFunctionType())
      continue;
    fail(device, call, "the call of the variadic function " + function.getName().str() + " has another type");
    return false;
  }
  return true;
}

}  // namespace

// Before LLVM 19 device code has no va_list: its variable arguments, which nobody takes up, are the host's.
void lowerVariadics([[maybe_unused]] DeviceModule &device) {
#if LLVM_VERSION_MAJOR >= 19
  bool isNeeded = false;
  for (const llvm::Function &function : device.module) {
    if (!function.isVarArg()) continue;
    if (!agrees(device, function)) return;
    isNeeded = true;
  }
  if (!isNeeded) return;
  const std::unique_ptr<llvm::ModulePass> pass(llvm::createExpandVariadicsPass(llvm::ExpandVariadicsMode::Lowering));
  pass->runOnModule(device.module);
#endif
}

}  // namespace hostwarp::compiler
