// Replaces inline PTX by LLVM IR, with the translator of compiler/ptx.
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/passes.h"
#include "compiler/ptx/translator.h"

namespace hostwarp::compiler {

static bool isKernel(const DeviceModule &device, const llvm::Function *function) {
  return llvm::any_of(device.kernels, [&](const Kernel &kernel) { return kernel.function == function; });
}

void lowerInlinePtx(DeviceModule &device) {
  llvm::SmallVector<llvm::CallBase *> statements;
  for (llvm::Function &function : device.module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && call->isInlineAsm())
          statements.push_back(call);
  ptx::Translator translator(device.module, device.options.build == Build::Checked);
  for (llvm::CallBase *statement : statements) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(statement);
    const std::string error =
        call ? translator.translate(*call, isKernel(device, call->getFunction())) : "asm goto is not supported";
    if (!error.empty()) fail(device, statement, "inline PTX: " + error);
  }
  const std::string error = translator.finish();
  if (!error.empty()) fail(device, nullptr, "inline PTX: " + error);
}

}  // namespace hostwarp::compiler
