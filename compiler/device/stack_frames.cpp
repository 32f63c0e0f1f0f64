// Estimates how much stack a thread of each kernel needs, so that the runtime gives threads with large local arrays
// large stacks: local memory on a GPU is not taken from cudaLimitStackSize [CUDA 3.2.5].
#include <llvm/IR/Instructions.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// Spilled registers, saved registers and the return address of one frame.
constexpr uint64_t frameOverhead = 256;

class FrameSizes {
 public:
  explicit FrameSizes(const llvm::DataLayout &layout) : layout_(layout) {}

  // deepest() is the largest sum of frames along any call path from `function`. Recursion counts once: its depth is the
  // user's to provide for with cudaLimitStackSize.
  uint64_t deepest(const llvm::Function &function) {
    if (function.isDeclaration()) return 0;
    auto [entry, isNew] = known_.try_emplace(&function, 0);
    if (!isNew) return entry->second;
    uint64_t own = frameOverhead, callees = 0;
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block) {
        if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) own += bytes(*local);
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) callees = std::max(callees, deepestOf(*call));
      }
    return known_[&function] = own + callees;
  }

 private:
  // A function that is handed on is called from there, on the same stack: what hw_warp_together() does for all lanes.
  uint64_t deepestOf(const llvm::CallBase &call) {
    uint64_t result = 0;
    for (const llvm::Use &operand : call.operands())
      if (auto *function = llvm::dyn_cast<llvm::Function>(operand->stripPointerCasts()))
        result = std::max(result, deepest(*function));
    return result;
  }

  uint64_t bytes(const llvm::AllocaInst &local) const {
    std::optional<llvm::TypeSize> size = local.getAllocationSize(layout_);
    return size ? size->getFixedValue() + local.getAlign().value() : 0;
  }

  const llvm::DataLayout &layout_;
  llvm::DenseMap<const llvm::Function *, uint64_t> known_;
};

}  // namespace

void measureStackFrames(DeviceModule &device) {
  FrameSizes sizes(device.module.getDataLayout());
  for (Kernel &kernel : device.kernels) {
    kernel.localBytes = 0;
    for (llvm::Function *entry : kernel.entry)
      if (entry) kernel.localBytes = std::max(kernel.localBytes, sizes.deepest(*entry));
  }
}

}  // namespace hostwarp::compiler
