// Conversions to integers saturate on a GPU. LLVM takes vectors of them apart, element by element, where a processor
// converts all at once and a few comparisons say which are out of range.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>

#include <cmath>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

bool isSaturated(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && call->getType()->isVectorTy() &&
         (call->getIntrinsicID() == llvm::Intrinsic::fptosi_sat || call->getIntrinsicID() == llvm::Intrinsic::fptoui_sat);
}

// single() is the vector as floats or doubles, which have all limits.
llvm::Value *single(llvm::IRBuilder<> &builder, llvm::Value *value) {
  llvm::Type *type = value->getType();
  const bool isNarrow = type->getScalarType()->getPrimitiveSizeInBits() < 32;
  return isNarrow ? builder.CreateFPExt(value, type->getWithNewType(builder.getFloatTy())) : value;
}

// expand(): what is no number is 0, as is what the conversion itself must not see.
llvm::Value *expand(llvm::IntrinsicInst &conversion) {
  llvm::IRBuilder<> builder(&conversion);
  const bool isSigned = conversion.getIntrinsicID() == llvm::Intrinsic::fptosi_sat;
  llvm::Type *type = conversion.getType();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Value *value = single(builder, conversion.getArgOperand(0));
  llvm::Type *numbers = value->getType();
  llvm::Constant *end = llvm::ConstantFP::get(numbers, std::ldexp(1.0, static_cast<int>(bits) - (isSigned ? 1 : 0)));
  llvm::Constant *first = isSigned ? llvm::ConstantFP::get(numbers, -std::ldexp(1.0, static_cast<int>(bits) - 1))
                                   : llvm::ConstantFP::get(numbers, 0.0);
  llvm::Value *isAbove = builder.CreateFCmpOGE(value, end), *isBelow = builder.CreateFCmpOLT(value, first);
  llvm::Value *isWithin = builder.CreateAnd(builder.CreateFCmpOGE(value, first), builder.CreateFCmpOLT(value, end));
  llvm::Value *safe = builder.CreateSelect(isWithin, value, llvm::Constant::getNullValue(numbers));
  llvm::Value *result = isSigned ? builder.CreateFPToSI(safe, type) : builder.CreateFPToUI(safe, type);
  const llvm::APInt highest = isSigned ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  result = builder.CreateSelect(isAbove, llvm::ConstantInt::get(type, highest), result);
  if (!isSigned) return result;
  return builder.CreateSelect(isBelow, llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits)), result);
}

struct ConvertVectorsPass : llvm::PassInfoMixin<ConvertVectorsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    bool changed = false;
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (!isSaturated(instruction)) continue;
      instruction.replaceAllUsesWith(expand(llvm::cast<llvm::IntrinsicInst>(instruction)));
      instruction.eraseFromParent();
      changed = true;
    }
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return changed ? kept : llvm::PreservedAnalyses::all();
  }
};

}  // namespace

void convertVectors(llvm::PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes, auto &&...) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(ConvertVectorsPass()));
  });
}

}  // namespace hostwarp::compiler
