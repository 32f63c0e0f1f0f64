#include "compiler/device/chosen_locals.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>

namespace hostwarp::compiler {

namespace {

// isLocal(): the address is of a local variable, whichever, that the load may read. `choices` is how many are looked
// at, so that none is where the choices go around in a loop.
bool isLocal(const llvm::Value &address, const llvm::LoadInst &load, unsigned &choices) {
  if (choices == 0) return false;
  --choices;
  if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&address)) {
    const llvm::DataLayout &layout = load.getModule()->getDataLayout();
    const std::optional<llvm::TypeSize> size = local->getAllocationSize(layout);
    const bool hasRoom = size && llvm::TypeSize::isKnownGE(*size, layout.getTypeStoreSize(load.getType()));
    return hasRoom && local->getAlign() >= load.getAlign();
  }
  const auto isLocalToo = [&](const llvm::Value *each) { return isLocal(*each, load, choices); };
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&address)) return llvm::all_of(phi->incoming_values(), isLocalToo);
  auto *choice = llvm::dyn_cast<llvm::SelectInst>(&address);
  return choice && isLocalToo(choice->getTrueValue()) && isLocalToo(choice->getFalseValue());
}

// readsWhatCame(): memory is at the load what it was when its block began.
bool readsWhatCame(const llvm::LoadInst &load) {
  for (const llvm::Instruction *each = load.getPrevNode(); each; each = each->getPrevNode())
    if (each->mayWriteToMemory() && !each->isLifetimeStartOrEnd()) return false;
  return true;
}

bool canChoose(const llvm::LoadInst &load) {
  unsigned choices = 32;
  const llvm::Value &address = *load.getPointerOperand();
  if (!load.isSimple() || llvm::isa<llvm::AllocaInst>(address) || !isLocal(address, load, choices)) return false;
  auto *phi = llvm::dyn_cast<llvm::PHINode>(&address);
  return !phi || (phi->getParent() == load.getParent() && readsWhatCame(load));
}

// Reads replaces loads. What they are replaced by may be reads of chosen variables again.
class Reads {
 public:
  bool replaceAll(llvm::Function &function) {
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && canChoose(*load)) work_.push_back(load);
    const bool found = !work_.empty();
    while (!work_.empty()) {
      llvm::LoadInst *load = work_.pop_back_val();
      if (!canChoose(*load)) continue;
      load->replaceAllUsesWith(chosen(*load));
      load->eraseFromParent();
    }
    return found;
  }

 private:
  llvm::Value *chosen(llvm::LoadInst &load) {
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(load.getPointerOperand())) return joined(load, *phi);
    auto *choice = llvm::cast<llvm::SelectInst>(load.getPointerOperand());
    llvm::IRBuilder<> builder(&load);
    llvm::Value *yes = copy(load, *choice->getTrueValue(), load), *no = copy(load, *choice->getFalseValue(), load);
    return builder.CreateSelect(choice->getCondition(), yes, no);
  }

  llvm::Value *joined(llvm::LoadInst &load, llvm::PHINode &phi) {
    llvm::IRBuilder<> builder(&phi);
    llvm::PHINode *value = builder.CreatePHI(load.getType(), phi.getNumIncomingValues());
    llvm::DenseMap<llvm::BasicBlock *, llvm::Value *> values;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      llvm::BasicBlock *from = phi.getIncomingBlock(i);
      llvm::Value *&each = values[from];
      if (!each) each = copy(load, *phi.getIncomingValue(i), *from->getTerminator());
      value->addIncoming(each, from);
    }
    return value;
  }

  // copy() is the load of another variable, in front of `at`, where what is known of the value need not hold.
  llvm::Value *copy(llvm::LoadInst &load, llvm::Value &address, llvm::Instruction &at) {
    auto *read = new llvm::LoadInst(load.getType(), &address, "", false, load.getAlign(), at.getIterator());
    read->setDebugLoc(load.getDebugLoc());
    work_.push_back(read);
    return read;
  }

  llvm::SmallVector<llvm::LoadInst *> work_;
};

struct ReadChosenLocalsPass : llvm::PassInfoMixin<ReadChosenLocalsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    if (!Reads().replaceAll(function)) return llvm::PreservedAnalyses::all();
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    llvm::FunctionPassManager tidying;
    tidying.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    tidying.addPass(llvm::EarlyCSEPass());
    tidying.addPass(llvm::InstCombinePass());
    tidying.run(function, analyses);
    return llvm::PreservedAnalyses::none();
  }
};

}  // namespace

void readChosenLocals(llvm::PassBuilder &builder) {
  builder.registerScalarOptimizerLateEPCallback(
      [](llvm::FunctionPassManager &manager, llvm::OptimizationLevel) { manager.addPass(ReadChosenLocalsPass()); });
}

}  // namespace hostwarp::compiler
