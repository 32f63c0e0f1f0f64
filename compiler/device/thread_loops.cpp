// Gives each kernel whose threads wait for one another only at barriers for the whole block a second entry, which runs
// a whole block. The engine then has no threads to start, to switch and to end, and LLVM vectorises across them.
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/block_function.h"
#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

bool hasSpinLoop(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  return llvm::any_of(loops.getLoopsInPreorder(), [](llvm::Loop *loop) { return waitsForOthers(*loop); });
}

// isBlockBarrier(): the call is hw_barrier(0, 0).
bool isBlockBarrier(const llvm::CallBase &call) {
  const auto isZero = [](const llvm::Value *value) {
    auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value);
    return constant && constant->isZero();
  };
  return call.getCalledFunction() && call.getCalledFunction()->getName() == "hw_barrier" &&
         llvm::all_of(call.args(), isZero);
}

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
    if (!function.isDeclaration() && hasSpinLoop(function)) return true;
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call || call->isInlineAsm() || (&function == &entry && isBlockBarrier(*call))) continue;
        if (!call->getCalledFunction()) return true;
        seen.insert(call->getCalledFunction());
      }
  }
  return false;
}

}  // namespace

void makeThreadLoops(DeviceModule &device) {
  if (device.options.optimisation == 0) return;
  for (Kernel &kernel : device.kernels) {
    llvm::Function &entry = *kernel.entry[HW_ISA_BASELINE];
    // A block that is run again to find out which thread failed must not print twice.
    if ((kernel.flags & HW_KERNEL_MAY_PRINT) || hasDynamicLocals(entry) || waitsElsewhere(entry)) continue;
    BlockFunction block(entry);
    kernel.blockEntry[HW_ISA_BASELINE] = block.build("__hwd_block." + kernel.name);
    if (kernel.blockEntry[HW_ISA_BASELINE]) kernel.frameBytes = block.frameBytes();
  }
}

}  // namespace hostwarp::compiler
