// Integer division: processors divide no vectors of integers, but vectors of doubles.
#include "compiler/device/lanes/lane_emitter.h"

namespace hostwarp::compiler {

// fitsDouble(): a quotient of two numbers of 32 bits differs from the next integer by more than a double is rounded by.
static bool fitsDouble(const llvm::BinaryOperator &division) {
  return division.getType()->getIntegerBitWidth() <= 32 && !llvm::isa<llvm::Constant>(division.getOperand(1));
}

// widenDivision(): lanes that are not there must not divide by zero. What traps for one thread does so here.
llvm::Value *LaneEmitter::widenDivision(llvm::BinaryOperator &division) {
  llvm::Value *dividend = vectorOf(*division.getOperand(0)), *divisor = vectorOf(*division.getOperand(1));
  llvm::Type *type = dividend->getType();
  if (lanes_ && !llvm::isa<llvm::Constant>(division.getOperand(1)))
    divisor = builder_.CreateSelect(lanes_, divisor, llvm::ConstantInt::get(type, 1));
  if (!fitsDouble(division)) return builder_.CreateBinOp(division.getOpcode(), dividend, divisor);
  llvm::BasicBlock *fast = newBlock("divide"), *exact = newBlock("trap"), *after = newBlock("divided");
  builder_.CreateCondBr(trapsAnywhere(division, dividend, divisor), exact, fast);
  builder_.SetInsertPoint(exact);
  llvm::Value *trapped = builder_.CreateBinOp(division.getOpcode(), dividend, divisor);
  builder_.CreateBr(after);
  builder_.SetInsertPoint(fast);
  llvm::Value *divided = divideAsDoubles(division, dividend, divisor);
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
  llvm::PHINode *result = builder_.CreatePHI(type, 2);
  result->addIncoming(trapped, exact);
  result->addIncoming(divided, fast);
  return result;
}

llvm::Value *LaneEmitter::trapsAnywhere(const llvm::BinaryOperator &division, llvm::Value *dividend,
                                        llvm::Value *divisor) {
  llvm::Type *type = divisor->getType();
  llvm::Value *traps = builder_.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  if (isSigned(division)) {
    const llvm::APInt lowest = llvm::APInt::getSignedMinValue(type->getScalarSizeInBits());
    llvm::Value *isLowest = builder_.CreateICmpEQ(dividend, llvm::ConstantInt::get(type, lowest));
    llvm::Value *isMinusOne = builder_.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type));
    traps = builder_.CreateOr(traps, builder_.CreateAnd(isLowest, isMinusOne));
  }
  return builder_.CreateOrReduce(traps);
}

// pre: no lane traps.
llvm::Value *LaneEmitter::divideAsDoubles(const llvm::BinaryOperator &division, llvm::Value *dividend,
                                          llvm::Value *divisor) {
  llvm::Type *type = dividend->getType(), *doubles = vectorType(builder_.getDoubleTy());
  const bool hasSign = isSigned(division);
  const auto asDouble = [&](llvm::Value *value) {
    return hasSign ? builder_.CreateSIToFP(value, doubles) : builder_.CreateUIToFP(value, doubles);
  };
  llvm::Value *ratio = builder_.CreateFDiv(asDouble(dividend), asDouble(divisor));
  llvm::Value *quotient = hasSign ? builder_.CreateFPToSI(ratio, type) : builder_.CreateFPToUI(ratio, type);
  const bool isRest =
      division.getOpcode() == llvm::Instruction::SRem || division.getOpcode() == llvm::Instruction::URem;
  return isRest ? builder_.CreateSub(dividend, builder_.CreateMul(quotient, divisor)) : quotient;
}

}  // namespace hostwarp::compiler
