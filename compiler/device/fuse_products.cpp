// Which product of a sum is fused with it: nvcc's choice, as far as it is known (LLVM's for NVPTX).
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <optional>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

bool mayFuse(const llvm::Instruction &instruction) {
  const llvm::Type *number = instruction.getType()->getScalarType();
  return (number->isFloatTy() || number->isDoubleTy()) && instruction.hasAllowContract();
}

bool isSum(const llvm::Instruction &instruction) {
  const unsigned opcode = instruction.getOpcode();
  return (opcode == llvm::Instruction::FAdd || opcode == llvm::Instruction::FSub) && mayFuse(instruction);
}

llvm::BinaryOperator *productIn(llvm::Value &value) {
  auto *product = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  return product && product->getOpcode() == llvm::Instruction::FMul && mayFuse(*product) ? product : nullptr;
}

// sideToFuse() is the operand with the product that the sum takes in: of two the one with fewer uses, or the first.
std::optional<unsigned> sideToFuse(const llvm::Instruction &sum) {
  const llvm::BinaryOperator *first = productIn(*sum.getOperand(0)), *second = productIn(*sum.getOperand(1));
  if (!first && !second) return std::nullopt;
  if (!first || !second) return first ? 0U : 1U;
  return second->getNumUses() < first->getNumUses() ? 1U : 0U;
}

// fuse(): a * b - c is a * b + -c, and c - a * b is -a * b + c. The product stays for its other uses.
void fuse(llvm::Instruction &sum, unsigned side) {
  llvm::BinaryOperator &product = *productIn(*sum.getOperand(side));
  llvm::IRBuilder<> builder(&sum);
  builder.setFastMathFlags(sum.getFastMathFlags());
  const bool isDifference = sum.getOpcode() == llvm::Instruction::FSub;
  llvm::Value *factor = product.getOperand(0), *other = sum.getOperand(1 - side);
  if (isDifference && side == 0) other = builder.CreateFNeg(other);
  if (isDifference && side == 1) factor = builder.CreateFNeg(factor);
  llvm::Value *whole =
      builder.CreateIntrinsic(llvm::Intrinsic::fmuladd, {sum.getType()}, {factor, product.getOperand(1), other});
  whole->takeName(&sum);
  sum.replaceAllUsesWith(whole);
  sum.eraseFromParent();
  if (product.use_empty()) product.eraseFromParent();
}

}  // namespace

void fuseProducts(llvm::Module &module) {
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::Instruction *> sums;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (isSum(instruction)) sums.push_back(&instruction);
    for (llvm::Instruction *sum : sums)
      if (const std::optional<unsigned> side = sideToFuse(*sum)) fuse(*sum, *side);
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (llvm::isa<llvm::FPMathOperator>(instruction)) instruction.setHasAllowContract(false);
  }
}

}  // namespace hostwarp::compiler
