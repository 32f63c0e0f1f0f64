// Decides which kernels get a second entry, which runs a whole block: those whose threads wait for one another only at
// barriers for the whole block, at warp collectives and in loops that wait for memory to change. The engine then has no
// threads to start, to switch and to end, and LLVM vectorises across them. See docs/design/block_functions.md.
#include <llvm/ADT/SetVector.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "compiler/device/barrier_function.h"
#include "compiler/device/collectives.h"
#include "compiler/device/passes.h"
#include "compiler/device/reachable_waits.h"
#include "compiler/device/remarks.h"
#include "compiler/device/spin_boundaries.h"
#include "compiler/device/wait_notes.h"
#include "compiler/device/warp_function.h"

namespace hostwarp::compiler {

namespace {

std::unique_ptr<BlockFunction> blockFunctionOf(llvm::Function &entry) {
  const auto waitsInWarp = [](const llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const std::optional<Exchange> exchange = call ? exchangeOf(*call) : std::nullopt;
    return (exchange && exchange->kind != HW_AT_BARRIER) || arrivalAt(instruction) != Arrival::None;
  };
  for (const llvm::BasicBlock &block : entry)
    if (llvm::any_of(block, waitsInWarp)) return std::make_unique<WarpFunction>(entry);
  if (hasSpinLoop(entry)) return std::make_unique<WarpFunction>(entry);
  return std::make_unique<BarrierFunction>(entry);
}

// makeBlockEntry() says why the kernel gets none; empty: it has one now.
std::string makeBlockEntry(const DeviceModule &device, Kernel &kernel) {
  llvm::Function &entry = *kernel.entry[HW_ISA_BASELINE];
  const ReachableWaits waits = reachableWaits(entry, WaitsOf::Kernel, device.options.relocatable);
  if (!waits.why.empty()) return waits.why;
  const std::unique_ptr<BlockFunction> block = blockFunctionOf(entry);
  llvm::Function *function = block->build("__hwd_block." + kernel.name);
  if (!function) return block->whyRefused();
  kernel.blockEntry[HW_ISA_BASELINE] = function;
  kernel.frameBytes = block->frameBytes();
  if (waits.dependsOnOthers()) lookAtWaitNotes(*function, waits);
  return "";
}

// explain() says why the kernel runs with a fiber per thread.
void explain(const DeviceModule &device, const Kernel &kernel, const std::string &why) {
  remark(why.empty() ? RemarkKind::Passed : RemarkKind::Missed, *kernel.entry[HW_ISA_BASELINE], nullptr,
         why.empty() ? "whole blocks run as loops over their threads" : "it has a fiber per thread: " + why);
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
  writeWaitNotes(device);
  if (device.options.optimisation == 0) return;
  for (Kernel &kernel : device.kernels) explain(device, kernel, makeBlockEntry(device, kernel));
  keepWithinBudget(device);
}

}  // namespace hostwarp::compiler
