#include "compiler/device/spin_boundaries.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/device/collectives.h"
#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// Turns between two stops: a loop that only looks like waiting must not lose much by them, and one that waits must not
// keep for long whom it waits for.
constexpr uint32_t turnsPerStop = 128;

// mayReadAnew(): the value may change without a barrier in between.
bool mayReadAnew(const llvm::Instruction &instruction) {
  if (instruction.isAtomic() || instruction.isVolatile()) return true;
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && !llvm::isa<llvm::IntrinsicInst>(call) && call->mayReadFromMemory() && !exchangeOf(*call);
}

// spins(): the loop may turn until another thread does something. One that comes to a boundary in its turns, and looks
// at nothing that others change in between, waits there instead.
bool spins(const llvm::Loop &loop) {
  if (!waitsForOthers(loop)) return false;
  bool meets = false, readsAnew = false;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      meets |= call && exchangeOf(*call);
      readsAnew |= mayReadAnew(instruction);
    }
  return !meets || readsAnew;
}

llvm::SmallSetVector<llvm::BasicBlock *, 8> spinningLatches(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::SmallSetVector<llvm::BasicBlock *, 8> latches;
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!spins(*loop)) continue;
    llvm::SmallVector<llvm::BasicBlock *> ends;
    loop->getLoopLatches(ends);
    latches.insert(ends.begin(), ends.end());
  }
  return latches;
}

llvm::CallInst *addStop(llvm::BasicBlock &latch, llvm::AllocaInst &turns) {
  llvm::Instruction *end = latch.getTerminator();
  llvm::IRBuilder<> builder(end);
  llvm::Type *i32 = builder.getInt32Ty();
  llvm::Value *count = builder.CreateAdd(builder.CreateLoad(i32, &turns), builder.getInt32(1));
  builder.CreateStore(count, &turns);
  llvm::Value *isEnough =
      builder.CreateICmpEQ(builder.CreateURem(count, builder.getInt32(turnsPerStop)), builder.getInt32(0));
  builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(isEnough, end, false));
  return builder.CreateCall(
      latch.getModule()->getOrInsertFunction(boundaryName, llvm::FunctionType::get(builder.getVoidTy(), false)));
}

}  // namespace

bool hasSpinLoop(llvm::Function &function) { return !spinningLatches(function).empty(); }

llvm::SmallVector<llvm::CallInst *> addSpinBoundaries(llvm::Function &function, llvm::BasicBlock &start) {
  llvm::SmallVector<llvm::CallInst *> stops;
  llvm::AllocaInst *turns = nullptr;
  for (llvm::BasicBlock *latch : spinningLatches(function)) {
    // What it begins with makes no difference.
    if (!turns)
      turns = new llvm::AllocaInst(llvm::Type::getInt32Ty(function.getContext()), 0, "turns",
                                   start.getTerminator()->getIterator());
    stops.push_back(addStop(*latch, *turns));
  }
  return stops;
}

}  // namespace hostwarp::compiler
