// Estimates how much stack a thread of each kernel needs, so that the runtime gives threads with large local arrays
// large stacks: local memory on a GPU is not taken from cudaLimitStackSize [CUDA 3.2.5].
#include <llvm/IR/Instructions.h>

#include "compiler/device/lane_functions.h"
#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// Spilled registers, saved registers and the return address of one frame.
constexpr uint64_t frameOverhead = 256;

// Functions of so many instructions spill more than stacks have to spare.
constexpr uint64_t fewInstructions = 1000;
constexpr uint64_t largestRegister = 64;
// Of a function that runs a block, each value of a loop over threads may become one for all lanes of a warp.
constexpr uint64_t largestVector = uint64_t{32} * sizeof(uint64_t);
constexpr uint64_t mostInLoop = 2000;
// A level of recursion by lane functions has the frames of as many threads as fill a register, in which vectors lie: 4
// KiB where a GPU's thread has some 50 bytes, of which cudaLimitStackSize allows 1,024.
constexpr uint64_t recursionOfLanes = 512 * 1024;

// spills() is what a function could spill if all of its values were alive at once: address space, mostly never touched.
uint64_t spills(const llvm::Function &function) {
  const uint64_t instructions = function.getInstructionCount();
  const uint64_t byLanes = function.hasFnAttribute(runsBlock) ? std::min(instructions, mostInLoop) * largestVector : 0;
  return std::max(byLanes, instructions > fewInstructions ? instructions * largestRegister : 0);
}

class FrameSizes {
 public:
  FrameSizes(const llvm::DataLayout &layout, bool withSpills) : layout_(layout), withSpills_(withSpills) {}

  // deepest() is the largest sum of frames along any call path from `function`. Recursion counts once: its depth is the
  // user's to provide for with cudaLimitStackSize, but for what lane functions need more than threads.
  uint64_t deepest(const llvm::Function &function) {
    if (function.isDeclaration()) return 0;
    auto [entry, isNew] = known_.try_emplace(&function, 0);
    if (!isNew && active_.contains(&function) && isLaneFunction(function)) recursive_.insert(&function);
    if (!isNew) return entry->second;
    active_.insert(&function);
    uint64_t own = withSpills_ ? frameOverhead + spills(function) : 0, callees = 0;
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block) {
        if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) own += bytes(*local);
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) callees = std::max(callees, deepestOf(*call));
      }
    active_.erase(&function);
    if (withSpills_ && recursive_.contains(&function)) own += recursionOfLanes;
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
    if (!size) return 0;
    return size->getFixedValue() + (withSpills_ ? local.getAlign().value() : 0);
  }

  const llvm::DataLayout &layout_;
  const bool withSpills_;
  llvm::DenseMap<const llvm::Function *, uint64_t> known_;
  llvm::SmallPtrSet<const llvm::Function *, 8> active_, recursive_;
};

}  // namespace

void measureStackFrames(DeviceModule &device) {
  FrameSizes locals(device.module.getDataLayout(), false);
  FrameSizes frames(device.module.getDataLayout(), true);
  for (Kernel &kernel : device.kernels) {
    uint64_t most = kernel.localBytes = 0;
    for (const Entry &entry : kernel.entries) {
      if (entry.kind == HW_ENTRY_OF_THREAD)
        kernel.localBytes = std::max(kernel.localBytes, locals.deepest(*entry.function));
      most = std::max(most, frames.deepest(*entry.function));
    }
    kernel.spillBytes = static_cast<uint32_t>(std::min<uint64_t>(most - std::min(most, kernel.localBytes), UINT32_MAX));
  }
}

}  // namespace hostwarp::compiler
