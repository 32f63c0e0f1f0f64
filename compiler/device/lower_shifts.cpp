// Shifts by as many bits as the operand has, or more, give 0 on a GPU, or the sign (PTX shl, shr), where C++ leaves
// them undefined and a CPU counts modulo the bits. Programs rely on it.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

bool isOpenShift(const llvm::Instruction &instruction) {
  return instruction.isShift() && !llvm::isa<llvm::Constant>(instruction.getOperand(1));
}

void bound(llvm::Instruction &shift) {
  llvm::IRBuilder<> builder(&shift);
  llvm::Value *amount = shift.getOperand(1);
  llvm::Type *type = shift.getType();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Value *isInside = builder.CreateICmpULT(amount, llvm::ConstantInt::get(type, bits));
  if (shift.getOpcode() == llvm::Instruction::AShr) {
    shift.setOperand(1, builder.CreateSelect(isInside, amount, llvm::ConstantInt::get(type, bits - 1)));
    return;
  }
  builder.SetInsertPoint(shift.getNextNode());
  llvm::Value *bounded = builder.CreateSelect(isInside, &shift, llvm::Constant::getNullValue(type));
  shift.replaceUsesWithIf(bounded, [&](const llvm::Use &use) { return use.getUser() != bounded; });
}

}  // namespace

void lowerShifts(DeviceModule &device) {
  llvm::SmallVector<llvm::Instruction *> shifts;
  for (llvm::Function &function : device.module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (isOpenShift(instruction)) shifts.push_back(&instruction);
  for (llvm::Instruction *shift : shifts) bound(*shift);
}

}  // namespace hostwarp::compiler
