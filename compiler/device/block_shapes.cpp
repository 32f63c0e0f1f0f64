#include "compiler/device/block_shapes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace hostwarp::compiler {

namespace {

bool isSelf(const llvm::Value &value) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&value);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == "hw_self";
}

}  // namespace

std::optional<unsigned> extentReadBy(const llvm::Instruction &instruction) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (!load || !load->getType()->isIntegerTy(32)) return std::nullopt;
  const llvm::DataLayout &layout = load->getModule()->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
  if (!isSelf(*load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true))) return std::nullopt;
  for (unsigned dimension = 0; dimension < anyBlock.size(); ++dimension)
    if (offset == extentOffset(dimension)) return dimension;
  return std::nullopt;
}

llvm::Function &entryForShape(llvm::Function &entry, const BlockShape &shape) {
  llvm::ValueToValueMapTy map;
  llvm::Function &copy = *llvm::CloneFunction(&entry, map);
  for (llvm::BasicBlock &block : copy)
    for (llvm::Instruction &instruction : block)
      if (const std::optional<unsigned> dimension = extentReadBy(instruction))
        instruction.replaceAllUsesWith(llvm::ConstantInt::get(instruction.getType(), shape[*dimension]));
  return copy;
}

}  // namespace hostwarp::compiler
