// Decides which kernels get a second entry, which runs a whole block: those whose threads wait for one another only at
// barriers for the whole block, at warp collectives and in loops that wait for memory to change. The engine then has no
// threads to start, to switch and to end, and LLVM vectorises across them. See docs/design/block_functions.md.
#include <llvm/ADT/SetVector.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "compiler/device/abi_functions.h"
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

// whyInterrupted() says what in a function that the kernel calls, or in the kernel itself where isEntry, may make a
// thread wait otherwise than at the boundaries of a block entry; empty: nothing.
std::string whyInterrupted(llvm::Function &function, bool isEntry) {
  const llvm::StringRef name = function.getName();
  if (function.isDeclaration()) {
    // Functions of other translation units are not known, and so may.
    const bool mayWait = !neverBlocks(name) || name.starts_with("__hwd_");
    return mayWait ? ("it calls " + llvm::demangle(name)) : "";
  }
  if (!isEntry && hasSpinLoop(function)) return llvm::demangle(name) + ", which was not inlined, has a waiting loop";
  return "";
}

// isIndirect(): the call is of a function by its address.
bool isIndirect(const llvm::CallBase &call) { return !call.isInlineAsm() && !call.getCalledFunction(); }

// possibleCallees() are the functions of the type whose addresses somebody takes. pre: no other module's can be called.
llvm::SmallVector<llvm::Function *> possibleCallees(llvm::Module &module, const llvm::CallBase &call) {
  llvm::SmallVector<llvm::Function *> found;
  for (llvm::Function &function : module)
    if (!function.isIntrinsic() && function.getFunctionType() == call.getFunctionType() &&
        function.hasAddressTaken(nullptr, false, true, /*IgnoreLLVMUsed=*/true))
      found.push_back(&function);
  return found;
}

// isBoundary(): the call, in the kernel itself, is where a thread's turn ends.
bool isBoundary(const llvm::CallBase &call) {
  return exchangeOf(call) || letsOthersRun(call) || call.getCalledFunction()->getName() == exitName;
}

// whyThreads() says why each thread of the kernel needs a fiber of its own; empty: none does.
std::string whyThreads(llvm::Function &entry, bool mayCallOtherModules) {
  if (hasDynamicLocals(entry)) return "its local memory has no fixed size";
  llvm::SmallSetVector<llvm::Function *, 16> seen;
  seen.insert(&entry);
  for (size_t next = 0; next < seen.size(); ++next) {
    llvm::Function &function = *seen[next];
    if (std::string why = whyInterrupted(function, next == 0); !why.empty()) return why;
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && isIndirect(*call)) {
          if (mayCallOtherModules) return "it calls functions by their addresses, which may be another unit's";
          for (llvm::Function *callee : possibleCallees(*entry.getParent(), *call)) seen.insert(callee);
        } else if (call && call->getCalledFunction() && !(next == 0 && isBoundary(*call))) {
          seen.insert(call->getCalledFunction());
        }
  }
  return "";
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

// makeBlockEntry() says why the kernel gets none; empty: it has one now.
std::string makeBlockEntry(const DeviceModule &device, Kernel &kernel) {
  llvm::Function &entry = *kernel.entry[HW_ISA_BASELINE];
  if (std::string why = whyThreads(entry, device.options.relocatable); !why.empty()) return why;
  const std::unique_ptr<BlockFunction> block = blockFunctionOf(entry);
  llvm::Function *function = block->build("__hwd_block." + kernel.name);
  if (!function) return block->whyRefused();
  kernel.blockEntry[HW_ISA_BASELINE] = function;
  kernel.frameBytes = block->frameBytes();
  return "";
}

void explain(const DeviceModule &device, const Kernel &kernel, const std::string &why) {
  if (device.options.explain && !why.empty())
    llvm::errs() << llvm::demangle(kernel.name) << " has a fiber per thread: " << why << "\n";
}

// keepWithinBudget() drops the largest block entries of modules, such as a sorting library's, that would take minutes
// to compile.
void keepWithinBudget(DeviceModule &device) {
  constexpr size_t budget = 200000;
  std::vector<Kernel *> kernels;
  for (Kernel &kernel : device.kernels)
    if (kernel.blockEntry[HW_ISA_BASELINE]) kernels.push_back(&kernel);
  const auto size = [](const Kernel *kernel) { return kernel->blockEntry[HW_ISA_BASELINE]->getInstructionCount(); };
  std::ranges::stable_sort(kernels, {}, size);
  size_t spent = 0;
  for (Kernel *kernel : kernels) {
    llvm::Function *&block = kernel->blockEntry[HW_ISA_BASELINE];
    spent += size(kernel) * (isLargeBlockEntry(*block) ? 1 : HW_ISA_COUNT);
    if (spent <= budget) continue;
    block->eraseFromParent();
    block = nullptr;
    kernel->frameBytes = 0;
    explain(device, *kernel, "there is too much code for whole blocks");
  }
}

}  // namespace

bool isLargeBlockEntry(const llvm::Function &function) {
  constexpr size_t small = 4000;
  return function.getInstructionCount() > small;
}

void makeThreadLoops(DeviceModule &device) {
  if (device.options.optimisation == 0) return;
  for (Kernel &kernel : device.kernels) explain(device, kernel, makeBlockEntry(device, kernel));
  keepWithinBudget(device);
}

}  // namespace hostwarp::compiler
