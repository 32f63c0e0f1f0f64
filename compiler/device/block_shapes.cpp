#include "compiler/device/block_shapes.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

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

namespace {

// mostOf() is the largest number that a lane or a warp has in blocks of the shape; nothing: the instruction does not
// read it. Nothing is said of indices: what LLVM makes of bounded ones hides from lanes/ how they follow each other.
std::optional<uint32_t> mostOf(const llvm::Instruction &instruction, const BlockShape &shape) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  const uint32_t threads = shape[0] * shape[1] * shape[2];
  return llvm::StringSwitch<std::optional<uint32_t>>(callee ? callee->getName() : "")
      .Case("hw_read_laneid", std::min(threads, 32u) - 1)
      .Case("hw_read_warpid", (threads - 1) / 32)
      .Default(std::nullopt);
}

constexpr unsigned bitsOfLane = 5;

bool isIndex(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == "hw_read_tid_x";
}

// isOfWarps(): the number, of threads in one row, says something of their warps alone: it is their quotient by a warp's
// lanes, or compared with a whole number of warps.
bool isOfWarps(const llvm::Instruction &number) {
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(number.getOperand(1));
  if (!constant) return false;
  const llvm::APInt &value = constant->getValue();
  if (number.getOpcode() == llvm::Instruction::LShr) return value.uge(bitsOfLane);
  auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(&number);
  if (!comparison || value.isNegative()) return false;
  const auto predicate = comparison->getUnsignedPredicate();
  return (predicate == llvm::CmpInst::ICMP_ULT && value.countr_zero() >= bitsOfLane) ||
         (predicate == llvm::CmpInst::ICMP_UGT && value.countr_one() >= bitsOfLane);
}

// nameWarps() says of warps what is said of the index: the threads of a warp have it in common.
void nameWarps(llvm::Instruction &index) {
  for (llvm::User *user : llvm::make_early_inc_range(index.users())) {
    auto *number = llvm::dyn_cast<llvm::Instruction>(user);
    if (!number || !llvm::isa<llvm::BinaryOperator, llvm::ICmpInst>(number) || number->getOperand(0) != &index ||
        !isOfWarps(*number))
      continue;
    llvm::IRBuilder<> builder(number);
    llvm::Value *warp = builder.CreateCall(
        index.getModule()->getOrInsertFunction("hw_read_warpid", llvm::cast<llvm::CallInst>(index).getFunctionType()));
    const uint64_t value = llvm::cast<llvm::ConstantInt>(number->getOperand(1))->getZExtValue();
    auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(number);
    number->replaceAllUsesWith(
        comparison ? builder.CreateICmp(comparison->getUnsignedPredicate(), warp, builder.getInt32(value >> bitsOfLane))
                   : builder.CreateLShr(warp, value - bitsOfLane));
    number->eraseFromParent();
  }
}

}  // namespace

llvm::Function &entryForShape(llvm::Function &entry, const BlockShape &shape) {
  llvm::ValueToValueMapTy map;
  llvm::Function &copy = *llvm::CloneFunction(&entry, map);
  if (shape[1] == 1 && shape[2] == 1) {
    llvm::SmallVector<llvm::Instruction *> indices;
    for (llvm::Instruction &instruction : llvm::instructions(copy))
      if (isIndex(instruction)) indices.push_back(&instruction);
    for (llvm::Instruction *index : indices) nameWarps(*index);
  }
  for (llvm::BasicBlock &block : copy)
    for (llvm::Instruction &instruction : block) {
      if (const std::optional<unsigned> dimension = extentReadBy(instruction))
        instruction.replaceAllUsesWith(llvm::ConstantInt::get(instruction.getType(), shape[*dimension]));
      if (const std::optional<uint32_t> most = mostOf(instruction, shape))
        instruction.setMetadata(
            llvm::LLVMContext::MD_range,
            llvm::MDBuilder(copy.getContext()).createRange(llvm::APInt(32, 0), llvm::APInt(32, *most + 1)));
    }
  return copy;
}

}  // namespace hostwarp::compiler
