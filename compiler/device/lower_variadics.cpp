// Variadic functions [CUDA 5.4 language extensions]: a call leaves its variable arguments in memory and hands on their
// address, as CUDA's own calling convention has it. The host's would know nothing of what clang made of va_list here.
#include <llvm/Pass.h>
#include <llvm/Transforms/IPO/ExpandVariadics.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

void lowerVariadics(DeviceModule &device) {
  if (llvm::none_of(device.module, [](const llvm::Function &function) { return function.isVarArg(); })) return;
  const std::unique_ptr<llvm::ModulePass> pass(llvm::createExpandVariadicsPass(llvm::ExpandVariadicsMode::Lowering));
  pass->runOnModule(device.module);
}

}  // namespace hostwarp::compiler
