#include "compiler/device/spin_boundaries.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/device/collectives.h"
#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

namespace {

// Turns until the next stop of a thread that has come after one that stopped: by then the threads of the warp, which
// have their turns one after the other, probably wait for somebody.
constexpr uint32_t turnsAfterStop = 16;

// What a turn counts for in a loop that knows that it waits.
constexpr uint32_t turnsOfWaiting = 64;

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

llvm::SmallVector<llvm::CallInst *> yieldsOf(llvm::Function &function) {
  llvm::SmallVector<llvm::CallInst *> yields;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && letsOthersRun(*call))
        yields.push_back(call);
  return yields;
}

llvm::CallInst *createStop(llvm::IRBuilder<> &builder) {
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(
      module.getOrInsertFunction(boundaryName, llvm::FunctionType::get(builder.getVoidTy(), false)));
}

bool isLookAtClock(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || callee->getName() != "hw_special_register") return false;
  auto *which = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  return which && (which->equalsInt(HW_SREG_CLOCK64) || which->equalsInt(HW_SREG_GLOBALTIMER));
}

// knowsThatItWaits(): the loop looks at the clock, or lets others run.
bool knowsThatItWaits(const llvm::Loop &loop) {
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call && (isLookAtClock(*call) || letsOthersRun(*call)))
        return true;
  return false;
}

// Latch is where a turn of such a loop ends, and how many turns it counts for.
struct Latch {
  llvm::BasicBlock *block;
  uint32_t cost;
  llvm::SmallPtrSet<llvm::BasicBlock *, 8> blocks;  // of the loop
};

llvm::SmallVector<Latch> spinningLatches(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::SmallVector<Latch> latches;
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!spins(*loop)) continue;
    llvm::SmallVector<llvm::BasicBlock *> ends;
    loop->getLoopLatches(ends);
    const llvm::SmallPtrSet<llvm::BasicBlock *, 8> loopBlocks(loop->block_begin(), loop->block_end());
    for (llvm::BasicBlock *end : ends)
      if (llvm::none_of(latches, [&](const Latch &known) { return known.block == end; }))
        latches.push_back({end, knowsThatItWaits(*loop) ? turnsOfWaiting : 1, loopBlocks});
  }
  return latches;
}

llvm::CallInst *addStop(const Latch &latch, llvm::Value &self) {
  llvm::IRBuilder<> builder(countDownTurns(*latch.block, self, latch.cost));
  llvm::Value *budget = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &self, offsetof(hw_thread, spinBudget));
  builder.CreateStore(builder.getInt32(turnsAfterStop), budget);
  return createStop(builder);
}

llvm::Value *nanosecondsNow(llvm::IRBuilder<> &builder) {
  auto read = abiFunction(*builder.GetInsertBlock()->getModule(), "hw_special_register", builder.getInt64Ty(),
                          {builder.getInt32Ty()});
  return builder.CreateCall(read, builder.getInt32(HW_SREG_GLOBALTIMER));
}

// stopFor() puts stops before `next` until so many nanoseconds have passed: the host sees that a kernel which sleeps is
// not done yet. No GPU sleeps for more than a millisecond.
llvm::CallInst *stopFor(llvm::Value &nanoseconds, llvm::Instruction &next) {
  llvm::IRBuilder<> builder(&next);
  llvm::Value *longest = builder.getInt32(1000000);
  llvm::Value *shortened = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, &nanoseconds, longest);
  llvm::Value *wanted = builder.CreateZExt(shortened, builder.getInt64Ty());
  llvm::Value *start = nanosecondsNow(builder);
  llvm::BasicBlock *before = next.getParent();
  llvm::BasicBlock *turn = llvm::SplitBlock(before, &next);
  llvm::BasicBlock *after = llvm::SplitBlock(turn, &next);
  llvm::IRBuilder<> inTurn(turn->getTerminator());
  llvm::CallInst *stop = createStop(inTurn);
  llvm::Value *passed = inTurn.CreateSub(nanosecondsNow(inTurn), start);
  inTurn.CreateCondBr(inTurn.CreateICmpULT(passed, wanted), turn, after);
  turn->getTerminator()->eraseFromParent();
  return stop;
}

}  // namespace

bool letsOthersRun(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && (callee->getName() == "hw_yield" || callee->getName() == "hw_nanosleep");
}

bool hasSpinLoop(llvm::Function &function) { return !yieldsOf(function).empty() || !spinningLatches(function).empty(); }

llvm::SmallVector<llvm::CallInst *> addSpinBoundaries(llvm::Function &function, llvm::Value &self) {
  const llvm::SmallVector<Latch> latches = spinningLatches(function);
  llvm::SmallVector<llvm::CallInst *> stops;
  for (llvm::CallInst *yield : yieldsOf(function)) {
    llvm::IRBuilder<> builder(yield);
    // One in a loop that spins has the stop at its end: what it waits for may come before its time is over.
    const auto has = [&](const Latch &latch) { return latch.blocks.contains(yield->getParent()); };
    if (llvm::none_of(latches, has))
      stops.push_back(yield->arg_empty() ? createStop(builder) : stopFor(*yield->getArgOperand(0), *yield));
    yield->eraseFromParent();
  }
  for (const Latch &latch : latches) stops.push_back(addStop(latch, self));
  return stops;
}

}  // namespace hostwarp::compiler
