#include "compiler/device/lanes/retry_loops.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/device/lanes/thread_loop.h"
#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

bool isOfThreads(const llvm::Loop &loop) {
  for (const llvm::Loop *around = loop.getParentLoop(); around; around = around->getParentLoop())
    if (isThreadLoop(*around)) return true;
  return false;
}

// mayMove(): it does the same in a function of its own.
bool mayMove(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::AllocaInst>(instruction)) return false;
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return !call || (llvm::isa<llvm::IntrinsicInst>(call) && !call->isConvergent());
}

bool exchanges(const llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function),
                      [](const llvm::Instruction &each) { return llvm::isa<llvm::AtomicCmpXchgInst>(each); });
}

// tries(): a loop of one thread with a compare-and-exchange. Those that wait for another thread have calls as well.
bool tries(const llvm::Loop &loop) {
  if (!loop.isInnermost() || isThreadLoop(loop) || !isOfThreads(loop)) return false;
  if (!loop.getLoopPreheader() || !loop.getUniqueExitBlock()) return false;
  bool hasExchange = false;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (!mayMove(instruction)) return false;
      hasExchange |= llvm::isa<llvm::AtomicCmpXchgInst>(instruction);
    }
  return hasExchange;
}

bool isOneValue(const llvm::Type &type) { return type.isIntegerTy() || type.isFloatingPointTy() || type.isPointerTy(); }

// Region is a loop with the block behind it, where all that leave it come by.
struct Region {
  Region(llvm::Loop &loop, llvm::BasicBlock &last)
      : before(loop.getLoopPreheader()), blocks(loop.blocks()), last(&last) {
    blocks.push_back(&last);
    for (llvm::BasicBlock *block : blocks)
      for (llvm::Instruction &instruction : *block) add(instruction);
  }

  bool contains(const llvm::Instruction &instruction) const {
    return llvm::is_contained(blocks, instruction.getParent());
  }
  llvm::BasicBlock *first() const { return blocks.front(); }
  llvm::BasicBlock *after() const { return last->getSingleSuccessor(); }

  llvm::BasicBlock *before;
  llvm::SmallVector<llvm::BasicBlock *> blocks;
  llvm::BasicBlock *last;
  llvm::SetVector<llvm::Value *> inputs;
  llvm::Instruction *output = nullptr;  // the one value that others take from it; null: none does
  bool isSimple = true;

 private:
  void add(llvm::Instruction &instruction) {
    for (llvm::Value *operand : instruction.operands()) {
      auto *made = llvm::dyn_cast<llvm::Instruction>(operand);
      if (!llvm::isa<llvm::Argument>(operand) && (!made || contains(*made))) continue;
      isSimple &= isOneValue(*operand->getType());
      inputs.insert(operand);
    }
    const bool leaves = llvm::any_of(
        instruction.users(), [&](const llvm::User *user) { return !contains(llvm::cast<llvm::Instruction>(*user)); });
    if (!leaves) return;
    isSimple &= !output && isOneValue(*instruction.getType());
    output = &instruction;
  }
};

// functionOf() has the region between a block that enters it and one that returns the output.
llvm::Function *functionOf(const Region &region) {
  llvm::Function &around = *region.first()->getParent();
  llvm::LLVMContext &context = around.getContext();
  llvm::SmallVector<llvm::Type *> parameters;
  for (const llvm::Value *input : region.inputs) parameters.push_back(input->getType());
  llvm::Type *result = region.output ? region.output->getType() : llvm::Type::getVoidTy(context);
  auto *function =
      llvm::Function::Create(llvm::FunctionType::get(result, parameters, false), llvm::Function::InternalLinkage,
                             around.getName() + ".retry", around.getParent());
  function->setDoesNotThrow();
  llvm::ValueToValueMapTy copies;
  for (const auto &[input, parameter] : llvm::zip_equal(region.inputs, function->args())) copies[input] = &parameter;
  auto *entry = llvm::BasicBlock::Create(context, "entry", function);
  for (llvm::BasicBlock *block : region.blocks) copies[block] = llvm::CloneBasicBlock(block, copies, "", function);
  auto *done = llvm::BasicBlock::Create(context, "done", function);
  copies[region.before] = entry;
  copies[region.after()] = done;
  for (llvm::BasicBlock &block : *function)
    for (llvm::Instruction &instruction : block) {
      // They get the place of the call when they are back.
      instruction.setDebugLoc({});
      llvm::RemapInstruction(&instruction, copies, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
    }
  llvm::BranchInst::Create(llvm::cast<llvm::BasicBlock>(copies[region.first()]), entry);
  llvm::ReturnInst::Create(context, region.output ? static_cast<llvm::Value *>(copies[region.output]) : nullptr, done);
  return function;
}

llvm::DebugLoc placeOf(const Region &region) {
  for (const llvm::BasicBlock *block : region.blocks)
    for (const llvm::Instruction &instruction : *block)
      if (llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) return instruction.getDebugLoc();
  return {};
}

}  // namespace

RetryLoops::RetryLoops(llvm::Function &function) : function_(function) {
  if (!exchanges(function)) return;
  while (setOneApart()) {
  }
}

bool RetryLoops::setOneApart() {
  llvm::DominatorTree dominators(function_);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop *loop : loops.getLoopsInPreorder())
    if (tries(*loop) && seen_.insert(loop->getHeader()).second) {
      setApart(*loop);
      return true;
    }
  return false;
}

void RetryLoops::setApart(llvm::Loop &loop) {
  llvm::SmallVector<llvm::BasicBlock *> leaving;
  loop.getExitingBlocks(leaving);
  const Region region(loop, *llvm::SplitBlockPredecessors(loop.getUniqueExitBlock(), leaving, ".left"));
  if (!region.isSimple) return;
  llvm::Function *function = functionOf(region);
  apart_.push_back(function);
  llvm::BasicBlock *after = region.after();
  region.before->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> builder(region.before);
  builder.SetCurrentDebugLocation(placeOf(region));
  llvm::CallInst *call = builder.CreateCall(function, region.inputs.getArrayRef());
  call->setDoesNotThrow();
  builder.CreateBr(after);
  after->replacePhiUsesWith(region.last, region.before);
  if (region.output)
    region.output->replaceUsesWithIf(
        call, [&](const llvm::Use &use) { return !region.contains(llvm::cast<llvm::Instruction>(*use.getUser())); });
  // The block behind no longer counts the last one among those before it.
  region.last->getTerminator()->eraseFromParent();
  llvm::IRBuilder<>(region.last).CreateUnreachable();
  llvm::DeleteDeadBlocks(region.blocks);
}

RetryLoops::~RetryLoops() {
  for (llvm::Function *function : apart_) {
    while (!function->use_empty()) {
      llvm::InlineFunctionInfo info;
      llvm::InlineFunction(*llvm::cast<llvm::CallBase>(function->user_back()), info);
    }
    function->eraseFromParent();
  }
}

}  // namespace hostwarp::compiler
