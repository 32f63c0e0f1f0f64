// Keeps loops in which threads wait for each other from being unrolled into very many waits: a block entry has code of
// its own for each place where threads meet, and none of what unrolling is for, values in registers from turn to turn,
// survives a meeting.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

#include "compiler/device/collectives.h"
#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// A reduction of a warp by shuffles has 5 waits, of three numbers at a time 15. A barrier of the block, with a loop
// over all its threads on both sides, counts as several.
constexpr unsigned mostWaits = 16;
constexpr unsigned barrierCost = 4;

unsigned costOf(const Exchange &exchange) {
  return isBarrierOfAll(exchange.kind) || opensInParts(exchange.kind) ? barrierCost : 1;
}

unsigned waitsIn(const llvm::Loop &loop) {
  unsigned waits = 0;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block)
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const std::optional<Exchange> exchange = exchangeOf(*call)) waits += costOf(*exchange);
  return waits;
}

struct KeepRolledPass : llvm::PassInfoMixin<KeepRolledPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &analyses, llvm::LPMUpdater &) {
    const unsigned waits = waitsIn(loop);
    if (waits && analyses.SE.getSmallConstantMaxTripCount(&loop) > mostWaits / waits) loop.setLoopAlreadyUnrolled();
    return llvm::PreservedAnalyses::all();
  }
};

}  // namespace

void keepWaitsRolled(llvm::PassBuilder &builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](llvm::LoopPassManager &manager, llvm::OptimizationLevel) { manager.addPass(KeepRolledPass()); });
}

}  // namespace hostwarp::compiler
