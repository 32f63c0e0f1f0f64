// Variadic functions [CUDA 5.4 language extensions]: a call leaves its variable arguments in memory and hands on their
// address, as CUDA's own calling convention has it. The host's would know nothing of what clang made of va_list here.
#include <llvm/Config/llvm-config.h>
#include <llvm/Pass.h>
#if LLVM_VERSION_MAJOR >= 19
#include <llvm/Transforms/IPO/ExpandVariadics.h>
#endif

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

// Before LLVM 19 device code has no va_list: its variable arguments, which nobody takes up, are the host's.
void lowerVariadics([[maybe_unused]] DeviceModule &device) {
#if LLVM_VERSION_MAJOR >= 19
  if (llvm::none_of(device.module, [](const llvm::Function &function) { return function.isVarArg(); })) return;
  const std::unique_ptr<llvm::ModulePass> pass(llvm::createExpandVariadicsPass(llvm::ExpandVariadicsMode::Lowering));
  pass->runOnModule(device.module);
#endif
}

}  // namespace hostwarp::compiler
