// Keeps the registers of gathers apart. A gather's result and what it looks up by have to be in different registers, or
// it is an illegal instruction. LLVM 19 sees to that, but for lanes of which it knows that they are not there: what is
// undefined may be in any register. So lanes that are not there look up the element 0, where they may be undefined.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

bool isMaskedLoad(const llvm::IntrinsicInst &call) {
  return call.getIntrinsicID() == llvm::Intrinsic::masked_gather ||
         call.getIntrinsicID() == llvm::Intrinsic::masked_load;
}

// UndefinedLanes finds out whether some lanes of a value may be undefined by what the code says.
class UndefinedLanes {
 public:
  bool mayBeIn(const llvm::Value &value) {
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(&value))
      return llvm::isa<llvm::UndefValue>(constant) || constant->containsUndefOrPoisonElement();
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || !seen_.insert(instruction).second) return false;
    if (seen_.size() > most) return true;
    if (const llvm::Value *splat = llvm::getSplatValue(instruction)) return mayBeIn(*splat);
    // What is loaded for no lane at all is what it would be without.
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction); call && isMaskedLoad(*call))
      return mayBeIn(*call->getArgOperand(3));
    auto *shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(instruction);
    if (shuffle && llvm::is_contained(shuffle->getShuffleMask(), llvm::PoisonMaskElem)) return true;
    if (!llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::CastInst, llvm::BinaryOperator, llvm::GetElementPtrInst,
                   llvm::ShuffleVectorInst, llvm::InsertElementInst>(instruction))
      return false;
    return llvm::any_of(instruction->operands(), [&](const llvm::Use &operand) { return mayBeIn(*operand); });
  }

 private:
  static constexpr unsigned most = 64;
  llvm::SmallPtrSet<const llvm::Value *, 32> seen_;
};

llvm::Value *numbersOfThose(llvm::IRBuilder<> &builder, llvm::Value *mask, llvm::Value *numbers) {
  return builder.CreateSelect(mask, numbers, llvm::Constant::getNullValue(numbers->getType()));
}

// withNumbersOfThose() has the operand's narrow number, if it has one, or else itself be 0 in lanes out of the mask.
llvm::Value *withNumbersOfThose(llvm::IRBuilder<> &builder, llvm::Value *mask, llvm::Value *numbers) {
  auto *wide = llvm::dyn_cast<llvm::CastInst>(numbers);
  if (!wide || !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(wide)) return numbersOfThose(builder, mask, numbers);
  return builder.CreateCast(wide->getOpcode(), numbersOfThose(builder, mask, wide->getOperand(0)), wide->getType());
}

void keepApart(llvm::IntrinsicInst &gather) {
  llvm::Value *addresses = gather.getArgOperand(0), *mask = gather.getArgOperand(2);
  auto *constant = llvm::dyn_cast<llvm::Constant>(mask);
  if ((constant && constant->isAllOnesValue()) || !UndefinedLanes().mayBeIn(*addresses)) return;
  llvm::IRBuilder<> builder(&gather);
  auto *place = llvm::dyn_cast<llvm::GetElementPtrInst>(addresses);
  const bool hasBase = place && place->getNumIndices() == 1 && !place->getPointerOperandType()->isVectorTy();
  if (!hasBase) {
    gather.setArgOperand(0, numbersOfThose(builder, mask, addresses));
    return;
  }
  llvm::Value *numbers = withNumbersOfThose(builder, mask, place->getOperand(1));
  gather.setArgOperand(0, builder.CreateGEP(place->getSourceElementType(), place->getPointerOperand(), numbers));
}

class GatherRegistersPass : public llvm::PassInfoMixin<GatherRegistersPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
            call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather)
          keepApart(*call);
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return kept;
  }
};

}  // namespace

void keepGatherRegistersApart(llvm::PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes, auto &&...) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(GatherRegistersPass()));
  });
}

}  // namespace hostwarp::compiler
