#include "compiler/device/reachable_waits.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Module.h>

#include "compiler/device/abi_functions.h"
#include "compiler/device/block_function.h"
#include "compiler/device/indirect_calls.h"
#include "compiler/device/spin_boundaries.h"

namespace hostwarp::compiler {

namespace {

// hasDynamicLocals(): the size of the thread's own memory is not known beforehand.
bool hasDynamicLocals(const llvm::Function &function) {
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block)
      if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction); local && !local->isStaticAlloca()) return true;
  return false;
}

// isOfAnotherUnit(): what is called so is found by the linker.
bool isOfAnotherUnit(const llvm::Function &function) {
  return function.isDeclaration() && function.getName().starts_with("__hwd_");
}

// isBoundary(): the call, in the kernel itself, is where a thread's turn ends, or no call for a single thread.
bool isBoundary(const llvm::CallBase &call) {
  return exchangeOf(call) || letsOthersRun(call) || arrivalOf(call) != Arrival::None ||
         call.getCalledFunction()->getName() == exitName;
}

bool waitsAt(const llvm::Instruction *instruction) {
  auto *call = llvm::dyn_cast_or_null<llvm::CallBase>(instruction);
  return call && exchangeOf(*call);
}

// mayHoldUpOthers(): a thread spins, perhaps between its arrival at a barrier of the grid or the cluster and its wait
// there, until another block does something that waits for that arrival.
bool mayHoldUpOthers(llvm::Function &entry) {
  const auto arrivesEarly = [](const llvm::Instruction &each) {
    return arrivalAt(each) == Arrival::AtOtherBlocks && !waitsAt(each.getNextNonDebugInstruction());
  };
  const auto hasEarly = [&](const llvm::BasicBlock &block) { return llvm::any_of(block, arrivesEarly); };
  return llvm::any_of(entry, hasEarly) && hasSpinLoop(entry);
}

// WaitSearch goes through the calls.
class WaitSearch {
 public:
  WaitSearch(llvm::Function &function, WaitsOf what, bool relocatable) : what_(what), relocatable_(relocatable) {
    seen_.insert(&function);
  }

  ReachableWaits run() {
    if (what_ == WaitsOf::Kernel) lookAtKernel(*seen_[0]);
    for (next_ = 0; next_ < seen_.size() && found_.why.empty(); ++next_) look(*seen_[next_]);
    return std::move(found_);
  }

 private:
  bool isKernel() const { return next_ == 0 && what_ == WaitsOf::Kernel; }

  void lookAtKernel(llvm::Function &entry) {
    if (hasDynamicLocals(entry)) found_.why = "its local memory has no fixed size";
    if (mayHoldUpOthers(entry))
      found_.why = "it arrives at a barrier of the grid or the cluster, and has a waiting loop";
  }

  void look(llvm::Function &function) {
    if (isOfAnotherUnit(function)) {
      found_.elsewhere.insert(&function);
    } else if (function.isDeclaration()) {
      if (!neverBlocks(function.getName())) found_.why = "it calls " + llvm::demangle(function.getName());
    } else if (!isKernel() && hasSpinLoop(function)) {
      found_.why = llvm::demangle(function.getName()) + ", which was not inlined, has a waiting loop";
    } else {
      for (llvm::BasicBlock &block : function)
        for (llvm::Instruction &instruction : block)
          if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) follow(*call);
    }
  }

  void follow(llvm::CallBase &call) {
    if (isIndirect(call)) {
      found_.anyAddress |= relocatable_;
      for (llvm::Function *callee : possibleCallees(call)) seen_.insert(callee);
    } else if (call.getCalledFunction() && !(isKernel() && isBoundary(call))) {
      seen_.insert(call.getCalledFunction());
    }
  }

  const WaitsOf what_;
  const bool relocatable_;
  llvm::SmallSetVector<llvm::Function *, 16> seen_;
  size_t next_ = 0;
  ReachableWaits found_;
};

}  // namespace

Arrival arrivalAt(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call ? arrivalOf(*call) : Arrival::None;
}

ReachableWaits reachableWaits(llvm::Function &function, WaitsOf what, bool relocatable) {
  return WaitSearch(function, what, relocatable).run();
}

}  // namespace hostwarp::compiler
