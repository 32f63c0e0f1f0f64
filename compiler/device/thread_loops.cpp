// Gives each kernel whose threads wait for one another only at barriers for the whole block a second entry, which runs
// a whole block. The engine then has no threads to start, to switch and to end, and LLVM vectorises across them.
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/barrier_function.h"
#include "compiler/device/collectives.h"
#include "compiler/device/passes.h"
#include "compiler/device/spin_boundaries.h"
#include "compiler/device/warp_function.h"

namespace hostwarp::compiler {

namespace {

// hasDynamicLocals(): the size of the thread's own memory is not known beforehand.
bool hasDynamicLocals(const llvm::Function &function) {
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block)
      if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction); local && !local->isStaticAlloca()) return true;
  return false;
}

// waitsElsewhere(): some thread that runs `entry` may have to wait otherwise than at a barrier that stands in the entry
// itself. Functions of other translation units are not known, and so may.
bool waitsElsewhere(llvm::Function &entry) {
  llvm::SmallSetVector<llvm::Function *, 16> seen;
  seen.insert(&entry);
  for (size_t next = 0; next < seen.size(); ++next) {
    llvm::Function &function = *seen[next];
    if (function.isDeclaration() && (!neverBlocks(function.getName()) || function.getName().starts_with("__hwd_")))
      return true;
    if (&function != &entry && !function.isDeclaration() && hasSpinLoop(function)) return true;
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call || call->isInlineAsm() || (&function == &entry && exchangeOf(*call))) continue;
        if (!call->getCalledFunction()) return true;
        seen.insert(call->getCalledFunction());
      }
  }
  return false;
}

std::unique_ptr<BlockFunction> blockFunctionOf(llvm::Function &entry) {
  const auto waitsInWarp = [](const llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const std::optional<Exchange> exchange = call ? exchangeOf(*call) : std::nullopt;
    return exchange && exchange->kind != HW_AT_BARRIER;
  };
  for (const llvm::BasicBlock &block : entry)
    if (llvm::any_of(block, waitsInWarp)) return std::make_unique<WarpFunction>(entry);
  if (hasSpinLoop(entry)) return std::make_unique<WarpFunction>(entry);
  return std::make_unique<BarrierFunction>(entry);
}

}  // namespace

void makeThreadLoops(DeviceModule &device) {
  if (device.options.optimisation == 0) return;
  for (Kernel &kernel : device.kernels) {
    llvm::Function &entry = *kernel.entry[HW_ISA_BASELINE];
    // A block that is run again to find out which thread failed must not print twice.
    if ((kernel.flags & HW_KERNEL_MAY_PRINT) || hasDynamicLocals(entry) || waitsElsewhere(entry)) continue;
    const std::unique_ptr<BlockFunction> block = blockFunctionOf(entry);
    kernel.blockEntry[HW_ISA_BASELINE] = block->build("__hwd_block." + kernel.name);
    if (kernel.blockEntry[HW_ISA_BASELINE]) kernel.frameBytes = block->frameBytes();
  }
}

}  // namespace hostwarp::compiler
