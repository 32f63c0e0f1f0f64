// Makes accesses at addresses that are no multiples of their sizes the error that they are on a GPU. Most addresses are
// as aligned as the kernel's parameters are: those a block entry looks at once, and has its threads run one by one
// where they are not, so that only the access itself is an error. Where an offset leaves it open, the access is
// guarded.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <map>

#include "compiler/device/address_alignment.h"
#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

using Promise = AddressAlignment::Promise;

llvm::MDNode *rarely(llvm::LLVMContext &context) { return llvm::MDBuilder(context).createBranchWeights(1, 1 << 20); }

// failUnless() ends the grid in front of `place` when `address` is not a multiple of `alignment`.
void failUnless(llvm::Value &address, uint64_t alignment, llvm::Instruction &place) {
  llvm::IRBuilder<> builder(&place);
  llvm::Value *number = builder.CreatePtrToInt(&address, builder.getInt64Ty());
  llvm::Value *rest = builder.CreateAnd(number, builder.getInt64(alignment - 1));
  llvm::Value *wrong = builder.CreateIsNotNull(rest);
  const llvm::DebugLoc where = place.getDebugLoc();
  builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(wrong, &place, true, rarely(place.getContext())));
  llvm::FunctionCallee fail = abiFunction(*place.getModule(), "hw_misaligned", builder.getVoidTy(),
                                          {builder.getInt64Ty(), builder.getInt32Ty()});
  llvm::CallInst *call = builder.CreateCall(fail, {number, builder.getInt32(static_cast<uint32_t>(alignment))});
  call->setDebugLoc(where);
  call->setDoesNotReturn();
  call->setDoesNotThrow();
}

// beforeLoops() is where a check that every turn of a loop around `place` needs can stand once: at the latest loop
// entry from which the code is sure to come to `place`.
llvm::Instruction *beforeLoops(llvm::Instruction &place, const llvm::LoopInfo &loops, const llvm::DominatorTree &tree) {
  llvm::Instruction *earliest = &place;
  for (llvm::Loop *loop = loops.getLoopFor(place.getParent()); loop && loop->getLoopPreheader();
       loop = loop->getParentLoop()) {
    llvm::SmallVector<llvm::BasicBlock *> ends;
    loop->getExitingBlocks(ends);
    loop->getLoopLatches(ends);
    const auto comesFirst = [&](llvm::BasicBlock *end) { return tree.dominates(earliest->getParent(), end); };
    if (!llvm::all_of(ends, comesFirst)) break;
    earliest = loop->getLoopPreheader()->getTerminator();
  }
  return earliest;
}

// expectLess() lowers the alignment of an access to local memory to what is known of its address: the CPU then executes
// it, aligned or not.
void expectLess(const Access &access, const llvm::DataLayout &layout) {
  const unsigned zeros = llvm::computeKnownBits(access.address, layout).countMinTrailingZeros();
  const llvm::Align known(uint64_t{1} << std::min(zeros, llvm::Log2_64(access.alignment)));
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(access.instruction); load && !load->isAtomic())
    load->setAlignment(std::min(load->getAlign(), known));
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(access.instruction); store && !store->isAtomic())
    store->setAlignment(std::min(store->getAlign(), known));
  auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(access.instruction);
  if (copy && copy->getRawSource() == access.address) copy->setSourceAlignment(known);
  if (copy && copy->getRawDest() == access.address) copy->setDestAlignment(known);
}

// Checks is what has to be done in one function.
class Checks {
 public:
  Checks(llvm::Function &function, const Kernel *kernel, bool trusting)
      : function_(function),
        kernel_(kernel),
        call_(kernel ? callOfBody(threadEntry(*kernel)) : nullptr),
        trusting_(trusting) {}

  // guardOffsets() puts a check before each access whose alignment an offset decides, but for those to local memory.
  // Returns, by the number of the kernel's parameter, the alignments that the accesses without a check rely on.
  std::map<unsigned, uint64_t> guardOffsets() {
    std::map<unsigned, uint64_t> relied;
    std::vector<Access> open, local;
    forEachAccess([&](const Access &access, Promise promise, llvm::ArrayRef<llvm::Value *> parameters) {
      if (promise == Promise::None) open.push_back(access);
      if (promise == Promise::Local) local.push_back(access);
      if (promise != Promise::ByOthers) return;
      for (llvm::Value *parameter : parameters) {
        uint64_t &alignment = relied[*numberOf(*parameter)];
        alignment = std::max(alignment, access.alignment);
      }
    });
    for (const Access &access : local) expectLess(access, function_.getParent()->getDataLayout());
    for (const Access &access : open) failUnless(*access.address, access.alignment, *access.instruction);
    return relied;
  }

  // guardParameters() guards the accesses that rely on the kernel's parameters.
  void guardParameters() {
    llvm::DominatorTree tree(function_);
    llvm::LoopInfo loops(tree);
    std::vector<Access> guards;
    forEachAccess([&](const Access &access, Promise promise, llvm::ArrayRef<llvm::Value *> parameters) {
      if (promise != Promise::ByOthers) return;
      llvm::Instruction *place = beforeLoops(*access.instruction, loops, tree);
      llvm::Value *parameter = parameters[0];
      if (parameters.size() > 1 || !parameter->getType()->isPointerTy() || !tree.dominates(parameter, place))
        guards.push_back(access);
      else
        guards.push_back({place, parameter, access.alignment});
    });
    for (const Access &guard : guards) failUnless(*guard.address, guard.alignment, *guard.instruction);
  }

 private:
  std::optional<unsigned> numberOf(const llvm::Value &value) const {
    return kernel_ ? kernelParameter(value, threadEntry(*kernel_), call_) : std::nullopt;
  }

  template <class Visit>
  void forEachAccess(Visit visit) {
    const llvm::DataLayout &layout = function_.getParent()->getDataLayout();
    const auto isParameter = [&](const llvm::Value &value) { return numberOf(value).has_value(); };
    for (const Access &access : accessesOf(function_)) {
      AddressAlignment alignment(layout, access.alignment, isParameter, trusting_);
      const Promise promise = alignment.of(*access.address);
      visit(access, promise, alignment.parameters());
    }
  }

  llvm::Function &function_;
  const Kernel *kernel_;
  const llvm::CallInst *call_;
  bool trusting_;
};

llvm::Function *bodyOf(const Kernel &kernel) {
  llvm::CallInst *call = callOfBody(threadEntry(kernel));
  return call ? call->getCalledFunction() : nullptr;
}

// kernelOf() is the kernel that the function is the body or the entry of.
Kernel *kernelOf(DeviceModule &device, const llvm::Function &function) {
  for (Kernel &kernel : device.kernels)
    if (&threadEntry(kernel) == &function || bodyOf(kernel) == &function) return &kernel;
  return nullptr;
}

// refuseWholeBlocks() has the kernel's threads run one by one where a parameter is not as aligned as accesses rely on.
void refuseWholeBlocks(const Kernel &kernel, llvm::Function &block) {
  llvm::Instruction &start = *block.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  llvm::IRBuilder<> builder(&start);
  llvm::Value *rest = nullptr;
  for (const auto &[parameter, alignment] : kernel.reliedAlignments) {
    llvm::Value *slot = builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), block.getArg(0), parameter);
    llvm::Value *stored = markInvariant(builder.CreateLoad(builder.getPtrTy(), slot));
    llvm::Type *type = builder.getIntNTy(8 * std::min(kernel.parameters[parameter].bytes, 8u));
    llvm::Value *value = markInvariant(builder.CreateLoad(type, stored));
    value = builder.CreateZExt(value, builder.getInt64Ty());
    value = builder.CreateAnd(value, builder.getInt64(alignment - 1));
    rest = rest ? builder.CreateOr(rest, value) : value;
  }
  llvm::Value *wrong = builder.CreateIsNotNull(rest);
  builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(wrong, &start, true, rarely(block.getContext())));
  llvm::CallInst *call =
      builder.CreateCall(abiFunction(*block.getParent(), "hw_run_thread_by_thread", builder.getVoidTy(), {}));
  call->setDoesNotReturn();
  call->setDoesNotThrow();
}

}  // namespace

void checkOffsets(DeviceModule &device) {
  const bool trusting = device.options.optimisation != 0;
  for (llvm::Function &function : device.module) {
    if (function.isDeclaration()) continue;
    Kernel *kernel = kernelOf(device, function);
    for (const auto &[parameter, alignment] : Checks(function, kernel, trusting).guardOffsets()) {
      uint64_t &relied = kernel->reliedAlignments[parameter];
      relied = std::max(relied, alignment);
    }
  }
}

void checkParameters(DeviceModule &device) {
  for (Kernel &kernel : device.kernels) {
    if (kernel.reliedAlignments.empty()) continue;
    llvm::Function &entry = threadEntry(kernel), *body = bodyOf(kernel);
    Checks(entry, &kernel, true).guardParameters();
    if (body) Checks(*body, &kernel, true).guardParameters();
    for (llvm::Function *block : blockEntries(kernel)) refuseWholeBlocks(kernel, *block);
  }
}

}  // namespace hostwarp::compiler
