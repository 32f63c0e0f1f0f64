// Aligns variables in local memory as a GPU's compiler does: an access of up to 16 bytes that fits into a variable may
// stand at its start, whatever the elements are. Programs read rows of float arrays as uint4.
#include <llvm/ADT/bit.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

constexpr uint64_t widestAccess = 16;

void align(llvm::AllocaInst &variable, const llvm::DataLayout &layout) {
  const auto bytes = variable.getAllocationSize(layout);
  // One of unknown size is as large as the program makes it.
  const uint64_t known = bytes ? bytes->getKnownMinValue() : widestAccess;
  if (known == 0) return;
  const llvm::Align wanted(std::min(llvm::bit_floor(known), widestAccess));
  if (variable.getAlign() < wanted) variable.setAlignment(wanted);
}

}  // namespace

void alignLocalVariables(DeviceModule &device) {
  const llvm::DataLayout &layout = device.module.getDataLayout();
  for (llvm::Function &function : device.module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) align(*variable, layout);
}

}  // namespace hostwarp::compiler
