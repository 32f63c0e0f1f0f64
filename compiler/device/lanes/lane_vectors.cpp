// Makes vectors of loops over threads: several threads go through the code in step, under masks where they part.
// Loops for which that would not pay off are left to LLVM's vectoriser. See docs/design/lane_vectors.md.
#include <llvm/ADT/SmallSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/device/check_calls.h"
#include "compiler/device/lane_functions.h"
#include "compiler/device/lane_meetings.h"
#include "compiler/device/lanes/dead_ends.h"
#include "compiler/device/lanes/inner_loops.h"
#include "compiler/device/lanes/lane_costs.h"
#include "compiler/device/lanes/lane_emitter.h"
#include "compiler/device/lanes/lane_exchanges.h"
#include "compiler/device/lanes/last_values.h"
#include "compiler/device/lanes/retry_loops.h"
#include "compiler/device/passes.h"
#include "compiler/device/remarks.h"
#include "compiler/device/wrap_checks.h"

namespace hostwarp::compiler {

namespace {

// Each block of a thread's code becomes several.
constexpr size_t mostOfThreadLoop = 2000;

// In functions with more code, from libraries, what hardly ever runs is not made of vectors.
constexpr size_t mostOfFunction = 1000;

// Programs that rely on the order of a warp's lanes are simple. Large loops come from libraries, which do not, and
// whose shared memory looks as if it were for exchanges; those unroll what a thread repeats.
constexpr size_t mostInStep = 200;
constexpr size_t mostInStepWithLoops = 1000;

// Registers are what the function's instruction set has for vectors, in bits.
unsigned registerBitsOf(const llvm::Function &function) { return 32 * lanesOfRegister(function); }

size_t instructionsOf(const llvm::Loop &loop) {
  size_t count = 0;
  for (const llvm::BasicBlock *block : loop.blocks()) count += block->size();
  return count;
}

bool isIrreducible(llvm::Loop &loop, llvm::LoopInfo &loops) {
  llvm::LoopBlocksRPO order(&loop);
  order.perform(&loops);
  return llvm::containsIrreducibleCFG<const llvm::BasicBlock *>(order, loops);
}

// FunctionAnalyses are those of a function as it is now.
struct FunctionAnalyses {
  explicit FunctionAnalyses(llvm::Function &function)
      : dominators(function),
        loops(dominators),
        libraryOfTarget(llvm::Triple(function.getParent()->getTargetTriple())),
        library(libraryOfTarget),
        assumptions(function),
        evolution(function, library, assumptions, dominators, loops) {}

  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::TargetLibraryInfoImpl libraryOfTarget;
  llvm::TargetLibraryInfo library;
  llvm::AssumptionCache assumptions;
  llvm::ScalarEvolution evolution;
};

// tellsByWarp(): the runtime is told of accesses, and rows are not known to be shorter than a warp.
bool tellsByWarp(const llvm::Function &function) {
  uint64_t row = 0;
  const bool isKnown = !function.getFnAttribute(expectedRow).getValueAsString().getAsInteger(10, row);
  return function.getParent()->getFunction(checkAccess) && (!isKnown || row >= warpLanes);
}

// goesInStep(): lanes may look at what others of their warp write.
bool goesInStep(const llvm::Loop &loop, const ThreadLoop &threads, const LaneShapes &shapes,
                FunctionAnalyses &analyses) {
  const size_t instructions = instructionsOf(loop);
  if (instructions <= mostInStep) return mayExchange(threads, shapes, analyses.evolution);
  return instructions <= mostInStepWithLoops && mayExchangeInLoops(threads, shapes, analyses.evolution, analyses.loops);
}

// accessesAreNarrow(): all that threads read and write in the loop has one byte or two.
bool accessesAreNarrow(const llvm::Loop &loop) {
  unsigned count = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (!llvm::getLoadStorePointerOperand(&instruction)) continue;
      const llvm::Type *type = llvm::getLoadStoreType(const_cast<llvm::Instruction *>(&instruction));
      if (type->isPointerTy() || type->getScalarSizeInBits() > 16) return false;
      ++count;
    }
  return count > 0;
}

// keepScalar() has LLVM make no vectors of the loop either: it takes elements that lie anywhere for cheaper.
void keepScalar(llvm::Loop &loop) { llvm::addStringMetadataToLoop(&loop, "llvm.loop.isvectorized", 1); }

// LaneVectors does the work for one function.
class LaneVectors {
 public:
  explicit LaneVectors(llvm::Function &function)
      : function_(function),
        registerBits_(registerBitsOf(function)),
        isBrief_(function.getInstructionCount() > mostOfFunction),
        tellsByWarp_(tellsByWarp(function)) {}

  bool run() {
    if (!function_.hasFnAttribute(runsBlock)) return false;
    bool changed = openDeadEnds(function_);
    const RetryLoops retries(function_);
    changed |= retries.hasChanged();
    while (vectoriseNext()) changed = true;
    keepMeetingsScalar();
    return refuseOtherJoins() || changed;
  }

 private:
  // vectoriseNext() takes one loop, after which analyses have to be made anew; false: there is none left.
  bool vectoriseNext() {
    FunctionAnalyses analyses(function_);
    // What becomes of spare loops depends on whether others become vectors.
    for (const bool maySpare : {false, true})
      for (llvm::Loop *loop : analyses.loops.getLoopsInPreorder())
        if (isThreadLoop(*loop) && joinFor(*loop).has_value() == maySpare && isNext(*loop) &&
            vectorise(*loop, analyses))
          return true;
    return false;
  }

  // isNext(): the loop has not been looked at, or what is left of it is next.
  bool isNext(llvm::Loop &loop) { return seen_.insert(loop.getHeader()).second || inStep_.contains(loop.getHeader()); }

  // joinFor() is the number of the joined loop that takes most warps in the loop's place; nothing: there is none.
  static std::optional<int> joinFor(const llvm::Loop &loop) {
    return llvm::getOptionalIntLoopAttribute(&loop, spareLoop);
  }

  // isTakenElsewhere(): there is much code, and in the loop's place whole warps take a joined loop, as vectors.
  bool isTakenElsewhere(const llvm::Loop &loop) const {
    const auto join = joinFor(loop);
    return isBrief_ && join && joined_.contains(*join);
  }

  // keepMeetingsScalar() is for the loops over lanes that meet where hardly a warp does, and for those that would read
  // one element after the other as vectors, too.
  void keepMeetingsScalar() {
    if (!isBrief_) return;
    const llvm::DominatorTree dominators(function_);
    llvm::LoopInfo loops(dominators);
    for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
      const bool isMeeting = !isThreadLoop(*loop);
      if (isMeeting && (llvm::findOptionMDForLoop(loop, lookUpLoop) || isTakenElsewhere(*loop))) keepScalar(*loop);
    }
  }

  // tell() says what became of the loop, at its first instruction that the program has.
  void tell(RemarkKind kind, const llvm::Loop &loop, const std::string &text) {
    const llvm::Instruction *first = nullptr;
    for (const llvm::BasicBlock *block : loop.blocks())
      for (const llvm::Instruction &instruction : *block)
        if (!first && instruction.getDebugLoc() && instruction.getDebugLoc().getLine() > 0) first = &instruction;
    remark(kind, function_, first, text);
  }

  bool miss(const llvm::Loop &loop, const std::string &why) {
    tell(RemarkKind::Missed, loop, "no vectors of its threads: " + why);
    return false;
  }

  bool vectorise(llvm::Loop &loop, FunctionAnalyses &analyses) {
    if (isTakenElsewhere(loop)) {
      keepScalar(loop);
      return miss(loop, "whole warps run as vectors, and there is much code");
    }
    if (instructionsOf(loop) > mostOfThreadLoop) return miss(loop, "there is too much code between two waits");
    if (isIrreducible(loop, analyses.loops)) return miss(loop, "its loops are entered in several places");
    llvm::simplifyLoop(&loop, &analyses.dominators, &analyses.loops, &analyses.evolution, &analyses.assumptions,
                       nullptr, false);
    llvm::formLCSSARecursively(loop, analyses.dominators, &analyses.loops, &analyses.evolution);
    chooseLastValues(loop);
    const ThreadLoop threads(loop, analyses.evolution);
    if (!threads.whyNot().empty()) return miss(loop, threads.whyNot());
    llvm::PredicatedScalarEvolution evolution(analyses.evolution, loop);
    const LaneShapes shapes(threads, analyses.loops, evolution);
    if (const std::string why = whyNotVectors(threads, shapes); !why.empty()) return miss(loop, why);
    if (const auto number = llvm::getOptionalIntLoopAttribute(&loop, joinedLoop))
      return join(threads, shapes, analyses, evolution, static_cast<unsigned>(*number));
    if (inStep_.erase(loop.getHeader())) {
      LaneEmitter(threads, shapes, analyses.loops, evolution, warpLanes, isBrief_, LaneEmitter::Rest::Masked).emit();
      return true;
    }
    // Lanes that may look at what others of their warp write have to go in step, full warps first, for which there is
    // no code of their own in functions that are to stay short.
    if (!isApart_.contains(loop.getHeader()) && goesInStep(loop, threads, shapes, analyses)) {
      tell(RemarkKind::Passed, loop,
           "32 threads at a time, in step, since they may look at what others of their warp write");
      const bool isShort = function_.hasOptSize();
      if (!isShort) inStep_.insert(loop.getHeader());
      const auto rest = isShort ? LaneEmitter::Rest::Masked : LaneEmitter::Rest::OneByOne;
      LaneEmitter(threads, shapes, analyses.loops, evolution, warpLanes, isBrief_, rest).emit();
      return true;
    }
    constexpr unsigned fewestLanes = 4;
    const unsigned lanes = lanesFor(loop, analyses.evolution);
    if (registerBits_ < 256 || lanes < fewestLanes) return false;
    if (unrollOverElements(threads, shapes, analyses.loops, analyses.evolution, analyses.dominators,
                           analyses.assumptions)) {
      // Of the accesses of an unrolled row less can be told.
      isApart_.insert(loop.getHeader());
      seen_.erase(loop.getHeader());
      return true;
    }
    const LaneCosts costs = costsOf(threads, shapes, analyses.loops, analyses.evolution, lanes, registerBits_);
    if (costs.arePointless()) {
      keepScalar(loop);
      return miss(loop, "looking up what lies anywhere in memory takes longer than one thread after the other");
    }
    if (!costs.payOff()) {
      tell(RemarkKind::Analysis, loop, "left to LLVM's vectoriser (loop-vectorize), which is as good here");
      return false;
    }
    tell(RemarkKind::Passed, loop, std::to_string(lanes) + " threads at a time");
    const auto rest = lanes == warpLanes ? LaneEmitter::Rest::Masked : LaneEmitter::Rest::OneByOne;
    LaneEmitter(threads, shapes, analyses.loops, evolution, lanes, isBrief_, rest).emit();
    return true;
  }

  // lanesFor(): as many as fill a register with floats, or a row that is known to have fewer threads; twice as many of
  // threads that access bytes and words only, where rows are known to have them. As many
  // as a warp has where the calls that tell of accesses take most of the time.
  unsigned lanesFor(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) const {
    const unsigned threads = evolution.getSmallConstantTripCount(&loop), most = registerBits_ / 32;
    if (tellsByWarp_ && registerBits_ >= 256) return warpLanes;
    if (threads == 0) return most;
    const bool areMany = 2 * most < warpLanes && threads % (2 * most) == 0;
    return areMany && accessesAreNarrow(loop) ? 2 * most : std::min(most, llvm::bit_floor(threads));
  }

  // join() makes one vector of a warp, and says so where that is asked. The numbers that vectors rely on are looked at
  // there, too.
  bool join(const ThreadLoop &threads, const LaneShapes &shapes, FunctionAnalyses &analyses,
            llvm::PredicatedScalarEvolution &evolution, unsigned number) {
    llvm::Instruction *question = questionOf(number);
    if (registerBits_ < 256 || !question) return false;
    llvm::Value *holds = whereItHolds(*question, analyses, evolution);
    if (!holds) return miss(threads.loop(), "numbers may wrap around");
    tell(RemarkKind::Passed, threads.loop(), "a warp at a time, through what its lanes do together");
    LaneEmitter(threads, shapes, analyses.loops, evolution, warpLanes, isBrief_, LaneEmitter::Rest::None).emit();
    joined_.insert(static_cast<int>(number));
    question->replaceAllUsesWith(holds);
    question->eraseFromParent();
    return true;
  }

  // whereItHolds() is whether the predicates under which shapes are right hold; null: that cannot be told there.
  llvm::Value *whereItHolds(llvm::Instruction &question, FunctionAnalyses &analyses,
                            llvm::PredicatedScalarEvolution &evolution) {
    const llvm::SCEVPredicate &predicate = evolution.getPredicate();
    if (predicate.isAlwaysTrue()) return llvm::ConstantInt::getTrue(function_.getContext());
    llvm::SCEVExpander expander(analyses.evolution, function_.getParent()->getDataLayout(), "may_wrap");
    for (const llvm::SCEVPredicate *each : llvm::cast<llvm::SCEVUnionPredicate>(predicate).getPredicates()) {
      auto *wrap = llvm::dyn_cast<llvm::SCEVWrapPredicate>(each);
      if (!wrap) return nullptr;
      for (const llvm::SCEV *operand : wrap->getExpr()->operands())
        if (!expander.isSafeToExpandAt(operand, &question)) return nullptr;
    }
    llvm::Value *isWrong = createWrapCheck(expander, predicate, question);
    return llvm::IRBuilder<>(&question).CreateNot(isWrong);
  }

  llvm::Instruction *questionOf(unsigned number) const {
    for (llvm::Instruction &instruction : llvm::instructions(function_)) {
      if (!isVectorQuestion(instruction)) continue;
      auto *asked = llvm::cast<llvm::ConstantInt>(llvm::cast<llvm::CallInst>(instruction).getArgOperand(0));
      if (asked->equalsInt(number)) return &instruction;
    }
    return nullptr;
  }

  // refuseOtherJoins() has warps not enter loops that have become no vector.
  bool refuseOtherJoins() {
    bool changed = false;
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function_))) {
      if (!isVectorQuestion(instruction)) continue;
      instruction.replaceAllUsesWith(llvm::ConstantInt::getFalse(function_.getContext()));
      instruction.eraseFromParent();
      changed = true;
    }
    return changed;
  }

  llvm::Function &function_;
  const unsigned registerBits_;
  const bool isBrief_;
  const bool tellsByWarp_;
  llvm::SmallPtrSet<llvm::BasicBlock *, 8> seen_;
  llvm::SmallSet<int, 8> joined_;                     // the numbers of the joined loops that have become vectors
  llvm::SmallPtrSet<llvm::BasicBlock *, 8> isApart_;  // headers of loops whose lanes look at nothing that others write
  llvm::SmallPtrSet<llvm::BasicBlock *, 8> inStep_;   // headers of loops with the threads that fill no warp
};

// preferWideVectors(): LLVM takes half of AVX-512's width unless told.
void preferWideVectors(llvm::Function &function) {
  const std::string bits = std::to_string(registerBitsOf(function));
  function.addFnAttr("prefer-vector-width", bits);
  function.addFnAttr("min-legal-vector-width", bits);
}

class LaneVectorsPass : public llvm::PassInfoMixin<LaneVectorsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    if (!LaneVectors(function).run()) return llvm::PreservedAnalyses::all();
    preferWideVectors(function);
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
    passes.run(function, analyses);
    return llvm::PreservedAnalyses::none();
  }
};

}  // namespace

void makeLaneVectors(llvm::PassBuilder &builder) {
  builder.registerOptimizerEarlyEPCallback([](llvm::ModulePassManager &passes, auto &&...) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(LaneVectorsPass()));
  });
}

void vectoriseThreadLoops(llvm::Module &module) {
  for (llvm::Function &function : module) LaneVectors(function).run();
}

}  // namespace hostwarp::compiler
