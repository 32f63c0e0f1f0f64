// Decides which kernels get a second entry, which runs a whole block: those that are not too large and whose threads
// wait for one another in the kernel's own code only, at barriers, at warp collectives and in loops that wait for
// memory to change. The engine then has no threads to start, to switch and to end. See docs/design/block_functions.md.
#include <llvm/ADT/SetVector.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "compiler/device/barrier_function.h"
#include "compiler/device/block_shapes.h"
#include "compiler/device/check_calls.h"
#include "compiler/device/code_parts.h"
#include "compiler/device/collectives.h"
#include "compiler/device/counted_barriers.h"
#include "compiler/device/lane_functions.h"
#include "compiler/device/optimise_and_emit.h"
#include "compiler/device/passes.h"
#include "compiler/device/reachable_waits.h"
#include "compiler/device/remarks.h"
#include "compiler/device/spin_boundaries.h"
#include "compiler/device/wait_notes.h"
#include "compiler/device/warp_function.h"

namespace hostwarp::compiler {

namespace {

// hasOnlyBarriers(): its threads wait for one another at barriers for the whole block, and nowhere else.
bool hasOnlyBarriers(llvm::Function &entry) {
  const auto waitsInWarp = [](const llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const std::optional<Exchange> exchange = call ? exchangeOf(*call) : std::nullopt;
    return (exchange && exchange->kind != HW_AT_BARRIER) || arrivalAt(instruction) != Arrival::None;
  };
  for (const llvm::BasicBlock &block : entry)
    if (llvm::any_of(block, waitsInWarp)) return false;
  return !hasSpinLoop(entry);
}

// canTellOfMeetings(): where threads meet, a block function can tell the runtime of it.
bool canTellOfMeetings(llvm::Function &entry) {
  const auto isOther = [](const llvm::Instruction &instruction) {
    if (arrivalAt(instruction) != Arrival::None) return true;
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const std::optional<Exchange> exchange = call ? exchangeOf(*call) : std::nullopt;
    if (!exchange) return false;
    return exchange->kind == HW_AT_TOGETHER || (!isBarrierOfAll(exchange->kind) && opensInParts(exchange->kind));
  };
  return llvm::none_of(llvm::instructions(entry), isOther) && !hasSpinLoop(entry);
}

// tellsOfAsync(): the runtime is told of asynchronous operations in several calls, between which no other thread may
// come.
bool tellsOfAsync(llvm::Function &entry) {
  return llvm::any_of(llvm::instructions(entry), [](const llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && call->getCalledFunction() && call->getCalledFunction()->getName() == "hw_check_async";
  });
}

std::unique_ptr<BlockFunction> blockFunctionOf(llvm::Function &entry, const BlockShape &shape) {
  if (hasOnlyBarriers(entry)) return std::make_unique<BarrierFunction>(entry, shape);
  return std::make_unique<WarpFunction>(entry, shape);
}

// mostBetweenWaits(): the specialised build is of one kernel, which is known to run for long.
size_t mostBetweenWaits(const Options &options) {
  return options.build == Build::Specialised ? 3 * options.mostBetweenWaits : options.mostBetweenWaits;
}

// addBlockEntry() says why the kernel gets none for blocks of the shape; empty: it has one now. `staysTogether`: it
// gets none where threads may part on their way to a barrier.
std::string addBlockEntry(const DeviceModule &device, Kernel &kernel, llvm::Function &entry,
                          const ReachableWaits &waits, const BlockShape &shape, bool staysTogether = false) {
  const std::unique_ptr<BlockFunction> block = blockFunctionOf(entry, shape);
  block->limitTo(mostBetweenWaits(device.options));
  if (staysTogether) block->stayTogether();
  llvm::Function *function = block->build((shape == anyBlock ? "__hwd_block." : "__hwd_shaped_block.") + kernel.name);
  if (!function && block->isTooLong()) kernel.flags |= HW_KERNEL_LEFT_OUT;
  if (!function) return block->whyRefused();
  kernel.entries.push_back({.kind = HW_ENTRY_OF_BLOCK,
                            .shape = shape,
                            .frameBytes = static_cast<uint32_t>(block->frameBytes()),
                            .function = function});
  if (waits.dependsOnOthers()) lookAtWaitNotes(*function, waits);
  return "";
}

std::string textOf(const BlockShape &shape) {
  return std::to_string(shape[0]) + " x " + std::to_string(shape[1]) + " x " + std::to_string(shape[2]);
}

bool addShapedBlockEntry(const DeviceModule &device, Kernel &kernel, const ReachableWaits &waits,
                         llvm::TargetMachine &machine) {
  const BlockShape &shape = kernel.expectedBlock;
  llvm::Function &entry = entryForShape(threadEntry(kernel), shape);
  simplifyForShape(entry, machine);
  bool isThere = false;
  // Other units may arrive at barriers, too.
  if (llvm::Function *simple = device.options.relocatable ? nullptr : entryWithBarriersForAll(entry, shape)) {
    isThere = addBlockEntry(device, kernel, *simple, waits, shape, true).empty();
    simple->eraseFromParent();
  }
  if (!isThere) isThere = addBlockEntry(device, kernel, entry, waits, shape).empty();
  entry.eraseFromParent();
  return isThere;
}

// dropThreadCode() leaves of the entry for a thread, which a kernel has in any case, what costs nothing.
void dropThreadCode(llvm::Function &entry) {
  entry.deleteBody();
  entry.setSubprogram(nullptr);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(entry.getContext(), "", &entry));
  builder.CreateIntrinsic(llvm::Intrinsic::trap, {}, {});
  builder.CreateUnreachable();
  entry.setLinkage(llvm::GlobalValue::InternalLinkage);
}

// specialise() makes the one entry of the specialised build; it says why there is none.
std::string specialise(const DeviceModule &device, Kernel &kernel, const ReachableWaits &waits,
                       llvm::TargetMachine &machine) {
  // Much more than the usual build has for a kernel: this one is alone, and known to run for long.
  constexpr unsigned mostCode = 90000;
  if (!addShapedBlockEntry(device, kernel, waits, machine)) return "it cannot run in whole blocks";
  return blockEntries(kernel).front()->getInstructionCount() > mostCode ? "it is too large" : "";
}

// addBlockEntries() says why the kernel gets none; empty: it has one for blocks of any shape now, and one more for the
// shape that is expected.
std::string addBlockEntries(const DeviceModule &device, Kernel &kernel, llvm::TargetMachine &machine) {
  const bool isChecked = device.options.build == Build::Checked;
  if (device.options.followsValues) return "its values are followed";
  if (isChecked && tellsOfAsync(threadEntry(kernel))) return "it is checked, and has asynchronous operations";
  if (isChecked && !canTellOfMeetings(threadEntry(kernel)))
    return "it is checked, and threads wait in it otherwise than at barriers and with their warp";
  const ReachableWaits waits = reachableWaits(threadEntry(kernel), WaitsOf::Kernel, device.options.relocatable);
  if (!waits.why.empty()) return waits.why;
  if (device.options.build == Build::Specialised) return specialise(device, kernel, waits, machine);
  if (std::string why = addBlockEntry(device, kernel, threadEntry(kernel), waits, anyBlock); !why.empty()) return why;
  if (isChecked && kernel.expectedBlock != anyBlock)
    kernel.entries.back().function->addFnAttr(expectedRow, std::to_string(kernel.expectedBlock[0]));
  // Code for one shape is smaller, and faster by a third where warps have something to do together.
  constexpr unsigned mostForShape = 12000;
  const bool isWorthIt = kernel.expectedBlock != anyBlock && !isChecked &&
                         kernel.entries.back().function->getInstructionCount() < mostForShape;
  if (isWorthIt && addShapedBlockEntry(device, kernel, waits, machine))
    remark(RemarkKind::Passed, threadEntry(kernel), nullptr,
           "blocks of " + textOf(kernel.expectedBlock) + " threads have code of their own");
  return "";
}

// explain() says why the kernel runs with a fiber per thread.
void explain(const DeviceModule &device, const Kernel &kernel, const std::string &why) {
  remark(why.empty() ? RemarkKind::Passed : RemarkKind::Missed, threadEntry(kernel), nullptr,
         why.empty() ? "whole blocks run as loops over their threads" : "it has a fiber per thread: " + why);
  if (device.options.explain && !why.empty())
    llvm::errs() << llvm::demangle(kernel.name) << " has a fiber per thread: " << why << "\n";
}

// completeSpecialised(): the build has nothing but the entry, without which it is of no use.
void completeSpecialised(DeviceModule &device, Kernel &kernel, const std::string &why) {
  if (why.empty()) return dropThreadCode(threadEntry(kernel));
  device.errors.push_back(device.options.source + ": error: " + llvm::demangle(kernel.name) + ": " + why);
}

// SizedEntry is a block entry of a kernel. LLVM counts instructions one by one: so their number is kept.
struct SizedEntry {
  Kernel *kernel;
  llvm::Function *function;
  bool isShaped;
  size_t instructions;
};

// inOrderOfWorth() are the block entries of all kernels: those for any shape of block first, the smallest first.
std::vector<SizedEntry> inOrderOfWorth(DeviceModule &device) {
  std::vector<SizedEntry> entries;
  for (Kernel &kernel : device.kernels)
    for (const Entry &entry : kernel.entries)
      if (entry.kind == HW_ENTRY_OF_BLOCK)
        entries.push_back({&kernel, entry.function, entry.shape != anyBlock, entry.function->getInstructionCount()});
  std::ranges::stable_sort(entries, {},
                           [](const SizedEntry &one) { return std::pair(one.isShaped, one.instructions); });
  return entries;
}

// keepWithinBudget() drops the largest block entries of modules, such as a sorting library's, that would take minutes
// to compile.
void keepWithinBudget(DeviceModule &device) {
  size_t spent = 0;
  for (const SizedEntry &one : inOrderOfWorth(device)) {
    spent += one.instructions * (isLarge(*one.function) ? 1 : HW_ISA_COUNT);
    if (spent <= device.options.mostBlockCode) continue;
    llvm::erase_if(one.kernel->entries, [&](const Entry &entry) { return entry.function == one.function; });
    one.function->eraseFromParent();
    if (!blockEntries(*one.kernel).empty()) continue;
    one.kernel->flags |= HW_KERNEL_LEFT_OUT;
    explain(device, *one.kernel, "there is too much code for whole blocks");
  }
}

}  // namespace

void makeThreadLoops(DeviceModule &device, llvm::TargetMachine &machine) {
  writeWaitNotes(device);
  if (device.options.optimisation == 0) return;
  for (Kernel &kernel : device.kernels) {
    const std::string why = addBlockEntries(device, kernel, machine);
    explain(device, kernel, why);
    if (device.options.build == Build::Specialised) completeSpecialised(device, kernel, why);
  }
  keepWithinBudget(device);
  if (device.options.relocatable && device.options.build == Build::Usual) offerLaneFunctions(device);
}

}  // namespace hostwarp::compiler
