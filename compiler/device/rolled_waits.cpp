#include "compiler/device/rolled_waits.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/device/abi_functions.h"
#include "compiler/device/collectives.h"

namespace hostwarp::compiler {

namespace {

// A reduction of a warp by shuffles has 5 waits, of three numbers at a time 15. A barrier of the block, with a loop
// over all its threads on both sides, counts as several.
constexpr unsigned mostWaits = 16;
constexpr unsigned barrierCost = 4;

unsigned costOf(const Exchange &exchange) {
  return isBarrierOfAll(exchange.kind) || opensInParts(exchange.kind) ? barrierCost : 1;
}

// What unrolled steps come to: of a loop, and of a function.
constexpr unsigned mostSteps = 24;
constexpr size_t mostUnrolled = 1000;
constexpr unsigned mostWaitsOfFunction = 64;

constexpr llvm::StringLiteral keptRolled = "hostwarp.kept_rolled", notUnrolled = "llvm.loop.unroll.disable";
// Of loops that LLVM may decide about when all of their code is there.
constexpr llvm::StringLiteral rolledForNow = "hostwarp.rolled_for_now";

unsigned waitsIn(const llvm::BasicBlock &block, unsigned (*costOf)(const Exchange &)) {
  unsigned waits = 0;
  for (const llvm::Instruction &instruction : block)
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const std::optional<Exchange> exchange = exchangeOf(*call)) waits += costOf(*exchange);
  return waits;
}

unsigned waitsIn(const llvm::Loop &loop, unsigned (*costOf)(const Exchange &)) {
  unsigned waits = 0;
  for (const llvm::BasicBlock *block : loop.blocks()) waits += waitsIn(*block, costOf);
  return waits;
}

// What LLVM unrolls at most, and what an operation of 16 bits becomes that is only a call yet.
constexpr size_t mostUnrolledCode = 300;
constexpr size_t sizeOfOperation = 8, sizeOfBrainProduct = 40;

size_t instructionsIn(const llvm::Loop &loop) {
  size_t count = 0;
  for (const llvm::BasicBlock *block : loop.blocks()) count += block->size();
  return count;
}

// sizeToBe() is how many instructions the loop will have, or 0 where none of them is a call of that kind.
size_t sizeToBe(const llvm::Loop &loop) {
  size_t more = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::StringRef name = call && call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
      if (name.starts_with(fusible)) more += name.ends_with("brain_mul") ? sizeOfBrainProduct : sizeOfOperation;
    }
  return more ? more + instructionsIn(loop) : 0;
}

struct KeepRolledPass : llvm::PassInfoMixin<KeepRolledPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &analyses, llvm::LPMUpdater &) {
    const unsigned waits = waitsIn(loop, costOf);
    if (waits && analyses.SE.getSmallConstantMaxTripCount(&loop) > mostWaits / waits) {
      loop.setLoopAlreadyUnrolled();
      llvm::addStringMetadataToLoop(&loop, keptRolled.data(), 1);
    }
    if (llvm::hasUnrollTransformation(&loop) == llvm::TM_Unspecified &&
        analyses.SE.getSmallConstantTripCount(&loop) * sizeToBe(loop) > mostUnrolledCode) {
      llvm::addStringMetadataToLoop(&loop, notUnrolled.data(), 1);
      llvm::addStringMetadataToLoop(&loop, rolledForNow.data(), 1);
    }
    return llvm::PreservedAnalyses::all();
  }
};

bool isShiftedBy(const llvm::Value &amount) {
  return llvm::any_of(amount.uses(), [](const llvm::Use &use) {
    auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(use.getUser());
    return operation && operation->isShift() && use.getOperandNo() == 1;
  });
}

// changesDistances(): a number of the loop is halved or doubled, or two to the power of one counts.
bool changesDistances(llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  return llvm::any_of(loop.getHeader()->phis(), [&](llvm::PHINode &number) {
    if (!number.getType()->isIntegerTy()) return false;
    auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&number));
    return !recurrence || !recurrence->isAffine() || isShiftedBy(number);
  });
}

struct UnrollStepsPass : llvm::PassInfoMixin<UnrollStepsPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &analyses, llvm::LPMUpdater &) {
    if (isToUnroll(loop, analyses.SE)) {
      llvm::LLVMContext &context = loop.getHeader()->getContext();
      auto *whole = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.full"));
      loop.setLoopID(
          llvm::makePostTransformationMetadata(context, loop.getLoopID(), {"llvm.loop.unroll.", keptRolled}, {whole}));
    }
    return llvm::PreservedAnalyses::all();
  }

 private:
  static bool isToUnroll(llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
    const bool isProgramsWish =
        llvm::getBooleanLoopAttribute(&loop, notUnrolled) && !llvm::findStringMetadataForLoop(&loop, keptRolled);
    const auto each = [](const Exchange &) { return 1u; };
    const unsigned waits = waitsIn(loop, each), turns = evolution.getSmallConstantTripCount(&loop);
    if (isProgramsWish || waits == 0 || turns == 0) return false;
    unsigned ofFunction = waits * (turns - 1);
    for (const llvm::BasicBlock &block : *loop.getHeader()->getParent()) ofFunction += waitsIn(block, each);
    return turns <= mostSteps / waits && turns * instructionsIn(loop) <= mostUnrolled &&
           ofFunction <= mostWaitsOfFunction && changesDistances(loop, evolution);
  }
};

}  // namespace

void keepWaitsRolled(llvm::PassBuilder &builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](llvm::LoopPassManager &manager, llvm::OptimizationLevel) { manager.addPass(KeepRolledPass()); });
}

void letUnroll(llvm::Function &function) {
  llvm::LLVMContext &context = function.getContext();
  for (llvm::BasicBlock &block : function) {
    llvm::Instruction *end = block.getTerminator();
    llvm::MDNode *loop = end ? end->getMetadata(llvm::LLVMContext::MD_loop) : nullptr;
    if (loop && llvm::findOptionMDForLoopID(loop, rolledForNow))
      end->setMetadata(llvm::LLVMContext::MD_loop,
                       llvm::makePostTransformationMetadata(context, loop, {rolledForNow, notUnrolled}, {}));
  }
}

void unrollSteps(llvm::LoopPassManager &passes) {
  passes.addPass(UnrollStepsPass());
  passes.addPass(llvm::LoopFullUnrollPass(2, /*OnlyWhenForced=*/true));
}

}  // namespace hostwarp::compiler
