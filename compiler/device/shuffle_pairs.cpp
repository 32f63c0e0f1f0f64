// Libraries shuffle structures word by word: a tuple of an int and a long takes four shuffles, one of which is of
// nothing but padding.
#include "compiler/device/shuffle_pairs.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

namespace hostwarp::compiler {

namespace {

using Shuffles = llvm::SmallVector<llvm::CallInst *>;

constexpr unsigned wordBits = 32;

// In functions with this many, values do not stay in registers from one shuffle to the next anyway; in others, two
// numbers that have nothing to do with each other are quicker alone.
constexpr size_t manyShuffles = 24;

enum ShuffleArgument { ofMask, ofKind, ofValue, ofLane, ofWidth, ofFlag };

bool isShuffle(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == "hw_shuffle" &&
         llvm::isa<llvm::ConstantPointerNull>(call->getArgOperand(ofFlag));
}

// takeSameLanes(): each lane takes both values from one lane.
bool takeSameLanes(const llvm::CallInst &a, const llvm::CallInst &b) {
  return llvm::all_of(llvm::ArrayRef{ofMask, ofKind, ofLane, ofWidth},
                      [&](ShuffleArgument each) { return a.getArgOperand(each) == b.getArgOperand(each); });
}

// mayBePassed(): no other thread can tell whether it comes before or after a shuffle.
bool mayBePassed(const llvm::Instruction &instruction) {
  if (instruction.isLifetimeStartOrEnd() || llvm::isa<llvm::DbgInfoIntrinsic, llvm::AssumeInst>(instruction))
    return true;
  return !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects();
}

// runsOf() are the shuffles that follow each other without anything in between that has to stay there.
llvm::SmallVector<Shuffles> runsOf(llvm::BasicBlock &block) {
  llvm::SmallVector<Shuffles> runs;
  bool isOpen = false;
  for (llvm::Instruction &instruction : block) {
    if (isShuffle(instruction)) {
      auto *shuffle = llvm::cast<llvm::CallInst>(&instruction);
      if (isOpen && takeSameLanes(*runs.back().front(), *shuffle))
        runs.back().push_back(shuffle);
      else
        runs.push_back({shuffle});
      isOpen = true;
    } else if (!mayBePassed(instruction)) {
      isOpen = false;
    }
  }
  return runs;
}

// PairShuffles is for one function.
class PairShuffles {
 public:
  explicit PairShuffles(llvm::Function &function)
      : function_(function), layout_(function.getParent()->getDataLayout()) {}

  bool run() {
    mayPairAll_ = llvm::count_if(llvm::instructions(function_), isShuffle) >= static_cast<ptrdiff_t>(manyShuffles);
    for (llvm::BasicBlock &block : function_)
      for (Shuffles &run : runsOf(block))
        if (run.size() > 1) shorten(run);
    return changed_;
  }

 private:
  void shorten(Shuffles &run) {
    dropNeedless(run);
    pairWhere(run, [](llvm::CallInst &a, llvm::CallInst &b) {
      return areHalves(a.getArgOperand(ofValue), b.getArgOperand(ofValue));
    });
    if (mayPairAll_) pairWhere(run, [](llvm::CallInst &, llvm::CallInst &) { return true; });
  }

  // pairWhere() pairs what suits the next one that is left; none of a pair is left in the run.
  void pairWhere(Shuffles &run, llvm::function_ref<bool(llvm::CallInst &, llvm::CallInst &)> suits) {
    for (size_t i = 0; i + 1 < run.size();) {
      if (!suits(*run[i], *run[i + 1]) || !canPair(*run[i], *run[i + 1])) {
        ++i;
        continue;
      }
      pair(*run[i], *run[i + 1]);
      run.erase(run.begin() + i, run.begin() + i + 2);
    }
  }

  // dropNeedless() drops those of which the result is known, or not asked for, as long as one is left to meet at.
  void dropNeedless(Shuffles &run) {
    for (size_t i = 0; i < run.size() && run.size() > 1;) {
      llvm::CallInst &shuffle = *run[i];
      auto *constant = llvm::dyn_cast<llvm::Constant>(shuffle.getArgOperand(ofValue));
      if (!constant && !shuffle.use_empty()) {
        ++i;
        continue;
      }
      if (constant) shuffle.replaceAllUsesWith(constant);
      shuffle.eraseFromParent();
      run.erase(run.begin() + i);
      changed_ = true;
    }
  }

  // isWord(): the upper half is zero, in all ways to a phi.
  bool isWord(const llvm::Value &value) const {
    constexpr size_t mostPhis = 32;
    llvm::SmallSetVector<const llvm::Value *, 8> values;
    values.insert(&value);
    for (size_t i = 0; i < values.size(); ++i) {
      auto *phi = llvm::dyn_cast<llvm::PHINode>(values[i]);
      if (phi && values.size() <= mostPhis)
        values.insert(phi->value_op_begin(), phi->value_op_end());
      else if (llvm::computeKnownBits(values[i], layout_).countMinLeadingZeros() < wordBits)
        return false;
    }
    return true;
  }

  // areHalves(): the values are the lower and the upper half of one number.
  static bool areHalves(llvm::Value *low, llvm::Value *high) {
    using namespace llvm::PatternMatch;
    llvm::Value *whole = nullptr;
    const bool isLow =
        match(low, m_And(m_Value(whole), m_SpecificInt(0xffffffffu))) || match(low, m_ZExt(m_Trunc(m_Value(whole))));
    const auto upper = m_LShr(m_Specific(whole), m_SpecificInt(wordBits));
    return isLow && (match(high, upper) || match(high, m_ZExt(m_Trunc(upper))));
  }

  bool canPair(llvm::CallInst &first, llvm::CallInst &second) const {
    llvm::Value *a = first.getArgOperand(ofValue), *b = second.getArgOperand(ofValue);
    llvm::SmallSetVector<llvm::Instruction *, 8> needed;
    return isWord(*a) && isWord(*b) && collectNeeded(*b, first, needed);
  }

  // collectNeeded() lists what computes the value between `before` and where it is used, operands behind their users;
  // false: some of it must stay there.
  static bool collectNeeded(llvm::Value &value, const llvm::CallInst &before,
                            llvm::SmallSetVector<llvm::Instruction *, 8> &needed) {
    constexpr size_t mostNeeded = 32;
    llvm::SmallVector<llvm::Value *> work{&value};
    while (!work.empty()) {
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
      if (!instruction || instruction->getParent() != before.getParent() || instruction->comesBefore(&before)) continue;
      if (instruction->mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(instruction)) return false;
      if (!needed.insert(instruction)) continue;
      if (needed.size() > mostNeeded) return false;
      work.append(instruction->op_begin(), instruction->op_end());
    }
    return true;
  }

  void pair(llvm::CallInst &first, llvm::CallInst &second) {
    llvm::SmallSetVector<llvm::Instruction *, 8> needed;
    collectNeeded(*second.getArgOperand(ofValue), first, needed);
    llvm::SmallVector<llvm::Instruction *> ordered = needed.takeVector();
    llvm::sort(ordered, [](const llvm::Instruction *a, const llvm::Instruction *b) { return a->comesBefore(b); });
    for (llvm::Instruction *each : ordered) each->moveBefore(&first);
    llvm::IRBuilder<> builder(&first);
    llvm::Value *upper = builder.CreateShl(second.getArgOperand(ofValue), wordBits);
    first.setArgOperand(ofValue, builder.CreateOr(first.getArgOperand(ofValue), upper));
    builder.SetInsertPoint(first.getNextNode());
    auto *low = llvm::cast<llvm::Instruction>(builder.CreateAnd(&first, builder.getInt64(0xffffffffu)));
    first.replaceUsesWithIf(low, [&](const llvm::Use &use) { return use.getUser() != low; });
    second.replaceAllUsesWith(builder.CreateLShr(&first, wordBits));
    second.eraseFromParent();
    changed_ = true;
  }

  llvm::Function &function_;
  const llvm::DataLayout &layout_;
  bool mayPairAll_ = false;
  bool changed_ = false;
};

struct PairShufflesPass : llvm::PassInfoMixin<PairShufflesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    return PairShuffles(function).run() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
};

}  // namespace

void pairShuffles(llvm::PassBuilder &builder) {
  builder.registerScalarOptimizerLateEPCallback(
      [](llvm::FunctionPassManager &manager, llvm::OptimizationLevel) { manager.addPass(PairShufflesPass()); });
}

}  // namespace hostwarp::compiler
