// Asks for the memory that the threads read next: in loops of their own whose turns lie far apart, that of a turn to
// come, else that of a block to come. The processor finds out by itself about addresses that follow each other, not
// about blocks that read a little here and a little there.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

namespace {

constexpr int64_t nearby = 512;  // bytes that the processor fetches by itself where turns follow each other
constexpr int64_t lineBytes = 64;
constexpr uint64_t leastBytes = 16;  // of an access that is one of several threads
constexpr unsigned turnsAhead = 16;
constexpr uint64_t bytesAhead = 8192;  // that blocks read, at least: what takes as long as memory does
constexpr unsigned blocksAhead = 4;    // where it is not known how far they lie apart
constexpr size_t mostOfFunction = 24;

// The second cache takes what is asked for: far more can be on its way there than to the first.
constexpr uint32_t toRead = 0, intoSecondCache = 2, ofData = 1;

// isBlockNumber(): the value is blockIdx.x.
bool isBlockNumber(const llvm::Value &value) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (!load || !load->getType()->isIntegerTy(32)) return false;
  const llvm::DataLayout &layout = load->getModule()->getDataLayout();
  const llvm::Value *address = load->getPointerOperand();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  const llvm::Value *base = address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return isCurrentThread(*base) && offset == offsetof(hw_thread, blockIdx);
}

// unfrozen() is the value behind a freeze.
llvm::Value *unfrozen(llvm::Value *value) {
  auto *freeze = llvm::dyn_cast<llvm::FreezeInst>(value);
  return freeze ? freeze->getOperand(0) : value;
}

// Steps computes how an address changes. Its answers are guesses where numbers wrap around: a wrong one costs time
// only.
class Steps {
 public:
  Steps(llvm::ScalarEvolution &evolution, llvm::LoopInfo &loops) : evolution_(evolution), loops_(loops) {}

  // of() is by how much the expression grows from one turn of the loop to the next, or, without a loop, from one block
  // to the next; null: nobody knows.
  const llvm::SCEV *of(const llvm::SCEV *expression, const llvm::Loop *loop) {
    if (auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(expression)) return ofUnknown(*unknown, loop);
    if (llvm::isa<llvm::SCEVConstant>(expression)) return none(*expression);
    if (auto *cast = llvm::dyn_cast<llvm::SCEVCastExpr>(expression)) return ofCast(*cast, loop);
    if (auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(expression)) {
      if (loop == recurrence->getLoop())
        return recurrence->isAffine() ? recurrence->getStepRecurrence(evolution_) : nullptr;
      return of(recurrence->getStart(), loop);
    }
    if (llvm::isa<llvm::SCEVAddExpr>(expression)) return ofSum(*expression, loop);
    if (llvm::isa<llvm::SCEVMulExpr>(expression)) return ofProduct(*expression, loop);
    return ofOther(*expression, loop);
  }

 private:
  const llvm::SCEV *none(const llvm::SCEV &expression) {
    return evolution_.getZero(evolution_.getEffectiveSCEVType(expression.getType()));
  }

  const llvm::SCEV *ofUnknown(const llvm::SCEVUnknown &unknown, const llvm::Loop *loop) {
    auto *value = llvm::dyn_cast<llvm::Instruction>(unknown.getValue());
    if (!loop) return value && isBlockNumber(*value) ? evolution_.getOne(unknown.getType()) : none(unknown);
    if (!value || !loop->contains(value)) return none(unknown);
    if (llvm::isa<llvm::FreezeInst>(value)) return of(evolution_.getSCEV(unfrozen(value)), loop);
    auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
    const llvm::Loop *inner = phi ? loops_.getLoopFor(phi->getParent()) : nullptr;
    if (!inner || inner->getHeader() != phi->getParent()) return nullptr;
    if (inner == loop) return addedTo(*phi, *loop);
    llvm::BasicBlock *before = inner->getLoopPredecessor();
    return before ? of(evolution_.getSCEV(phi->getIncomingValueForBlock(before)), loop) : nullptr;
  }

  // addedTo() is what some way through the loop adds to the variable.
  const llvm::SCEV *addedTo(llvm::PHINode &variable, const llvm::Loop &loop) {
    llvm::SmallPtrSet<llvm::Value *, 16> seen;
    llvm::SmallVector<llvm::Value *> work;
    if (llvm::BasicBlock *latch = loop.getLoopLatch()) work.push_back(variable.getIncomingValueForBlock(latch));
    while (!work.empty()) {
      llvm::Value *value = work.pop_back_val();
      if (value == &variable || !seen.insert(value).second) continue;
      if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value)) work.append(phi->op_begin(), phi->op_end());
      if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(value))
        work.append({choice->getTrueValue(), choice->getFalseValue()});
      auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
      if (!sum || sum->getOpcode() != llvm::Instruction::Add) continue;
      for (unsigned i = 0; i < 2; ++i)
        if (unfrozen(sum->getOperand(i)) == &variable && loop.isLoopInvariant(sum->getOperand(1 - i)))
          return evolution_.getSCEV(sum->getOperand(1 - i));
    }
    return nullptr;
  }

  const llvm::SCEV *ofCast(const llvm::SCEVCastExpr &cast, const llvm::Loop *loop) {
    const llvm::SCEV *step = of(cast.getOperand(), loop);
    return step ? evolution_.getTruncateOrSignExtend(step, evolution_.getEffectiveSCEVType(cast.getType())) : nullptr;
  }

  const llvm::SCEV *ofSum(const llvm::SCEV &sum, const llvm::Loop *loop) {
    llvm::SmallVector<const llvm::SCEV *> steps;
    for (const llvm::SCEV *part : sum.operands()) {
      steps.push_back(of(part, loop));
      if (!steps.back()) return nullptr;
    }
    return evolution_.getAddExpr(steps);
  }

  const llvm::SCEV *ofProduct(const llvm::SCEV &product, const llvm::Loop *loop) {
    const llvm::SCEV *whole = none(product);
    for (size_t i = 0; i < product.operands().size(); ++i) {
      llvm::SmallVector<const llvm::SCEV *> factors(product.operands());
      factors[i] = of(factors[i], loop);
      if (!factors[i]) return nullptr;
      if (!factors[i]->isZero()) whole = evolution_.getAddExpr(whole, evolution_.getMulExpr(factors));
    }
    return whole;
  }

  const llvm::SCEV *ofOther(const llvm::SCEV &expression, const llvm::Loop *loop) {
    const auto stays = [&](const llvm::SCEV *part) {
      const llvm::SCEV *step = of(part, loop);
      return step && step->isZero();
    };
    return llvm::all_of(expression.operands(), stays) ? none(expression) : nullptr;
  }

  llvm::ScalarEvolution &evolution_;
  llvm::LoopInfo &loops_;
};

// Read is a place where several threads read at once.
struct Read {
  llvm::Instruction *instruction;
  llvm::Value *address;
  uint64_t bytes;
};

bool readsForThreads(llvm::Instruction &instruction, Read &read) {
  if (!instruction.getType()->isVectorTy()) return false;
  const llvm::DataLayout &layout = instruction.getModule()->getDataLayout();
  const uint64_t bytes = layout.getTypeStoreSize(instruction.getType()).getFixedValue();
  if (bytes < leastBytes) return false;
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    read = {load, load->getPointerOperand(), bytes};
  else if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
           call && call->getIntrinsicID() == llvm::Intrinsic::masked_load)
    read = {call, call->getArgOperand(0), bytes};
  else
    return false;
  return true;
}

// PrefetchAhead does the work for one function.
class PrefetchAhead {
 public:
  PrefetchAhead(llvm::Function &function, llvm::FunctionAnalysisManager &analyses)
      : function_(function),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        steps_(evolution_, loops_) {}

  bool run() {
    llvm::SmallVector<Read> reads;
    for (llvm::BasicBlock &block : function_)
      for (llvm::Instruction &instruction : block)
        if (Read read{}; readsForThreads(instruction, read)) reads.push_back(read);
    for (const Read &read : reads)
      if (known_.size() < mostOfFunction) consider(read);
    return !known_.empty();
  }

 private:
  void consider(const Read &read) {
    const llvm::SCEV *address = evolution_.getSCEV(read.address);
    const auto *base = llvm::dyn_cast<llvm::SCEVUnknown>(evolution_.getPointerBase(address));
    if (!base || llvm::isa<llvm::AllocaInst>(base->getValue())) return;
    const llvm::SCEV *distance = distanceOf(read, address);
    if (!distance || isKnown(address)) return;
    llvm::SCEVExpander expander(evolution_, function_.getParent()->getDataLayout(), "ahead");
    llvm::Loop *inner = loops_.getLoopFor(read.instruction->getParent());
    llvm::Instruction *place =
        inner && inner->getLoopPreheader() ? inner->getLoopPreheader()->getTerminator() : read.instruction;
    if (!expander.isSafeToExpandAt(distance, place)) place = read.instruction;
    if (!expander.isSafeToExpandAt(distance, place)) return;
    llvm::IRBuilder<> builder(read.instruction);
    llvm::Value *bytes = expander.expandCodeFor(distance, builder.getInt64Ty(), place);
    for (uint64_t line = 0; line < read.bytes; line += lineBytes) {
      llvm::Value *offset = line == 0 ? bytes : builder.CreateAdd(bytes, builder.getInt64(line));
      llvm::Value *ahead = builder.CreatePtrAdd(read.address, offset);
      builder.CreateIntrinsic(
          llvm::Intrinsic::prefetch, {ahead->getType()},
          {ahead, builder.getInt32(toRead), builder.getInt32(intoSecondCache), builder.getInt32(ofData)});
    }
    known_.push_back(address);
  }

  // distanceOf() is how far ahead of the address to ask for memory; null: nowhere.
  const llvm::SCEV *distanceOf(const Read &read, const llvm::SCEV *address) {
    uint64_t bytes = read.bytes;  // that a block reads
    for (llvm::Loop *loop = loops_.getLoopFor(read.instruction->getParent()); loop; loop = loop->getParentLoop()) {
      const bool isRow = llvm::getBooleanLoopAttribute(loop, rowLoop);
      const llvm::SCEV *step = isRow ? nullptr : steps_.of(address, loop);
      if (!isRow && !step) return nullptr;
      if (!isRow && !isNear(*step))
        return evolution_.getMulExpr(step, evolution_.getConstant(step->getType(), turnsAhead));
      if (isRow || !step->isZero()) bytes *= std::max(1u, evolution_.getSmallConstantTripCount(loop));
    }
    const llvm::SCEV *step = steps_.of(address, nullptr);
    if (!step || step->isZero()) return nullptr;
    auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(step);
    const uint64_t apart = constant ? constant->getAPInt().abs().getLimitedValue(bytesAhead) : 0;
    // Blocks without waits read in one go, one behind the other, unless they have rows.
    const bool waits = function_.getFnAttribute(runsBlock).getValueAsString() == waitsInside;
    if (!waits && (apart == 0 || bytes <= apart)) return nullptr;
    const uint64_t blocks = apart == 0 ? blocksAhead : llvm::divideCeil(bytesAhead, std::max(apart, bytes));
    return evolution_.getMulExpr(step, evolution_.getConstant(step->getType(), blocks));
  }

  static bool isNear(const llvm::SCEV &step) {
    auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(&step);
    return constant && constant->getAPInt().abs().ule(nearby);
  }

  // isKnown(): the line is asked for already.
  bool isKnown(const llvm::SCEV *address) {
    return llvm::any_of(known_, [&](const llvm::SCEV *other) {
      auto *difference = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(address, other));
      return difference && difference->getAPInt().abs().ult(lineBytes);
    });
  }

  llvm::Function &function_;
  llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
  Steps steps_;
  llvm::SmallVector<const llvm::SCEV *> known_;
};

class PrefetchAheadPass : public llvm::PassInfoMixin<PrefetchAheadPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    if (!function.hasFnAttribute(runsBlock) || !PrefetchAhead(function, analyses).run())
      return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return kept;
  }
};

}  // namespace

void prefetchAhead(llvm::PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes, auto &&...) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(PrefetchAheadPass()));
  });
}

}  // namespace hostwarp::compiler
