// Conversions of floating-point values to integers saturate on a GPU (PTX cvt.rzi), where C++ leaves them undefined and
// a CPU returns a fixed pattern. NaN becomes 0, or the number with only the top bit set where double or 64-bit integers
// are involved. Programs rely on it.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

bool isFloatToInteger(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::FPToSIInst>(instruction) || llvm::isa<llvm::FPToUIInst>(instruction);
}

// saturate(): results narrower than 32 bits are made in 32 and cut, as CUDA's compiler does.
void saturate(llvm::Instruction &conversion) {
  llvm::IRBuilder<> builder(&conversion);
  llvm::Value *source = conversion.getOperand(0);
  llvm::Type *wanted = conversion.getType();
  unsigned bits = std::max(32u, wanted->getScalarSizeInBits());
  llvm::Type *type = wanted->getWithNewBitWidth(bits);
  auto intrinsic = llvm::isa<llvm::FPToSIInst>(conversion) ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  llvm::Value *result = builder.CreateIntrinsic(intrinsic, {type, source->getType()}, {source});
  if (bits == 64 || source->getType()->getScalarSizeInBits() == 64) {
    llvm::Value *top = llvm::ConstantInt::get(type, llvm::APInt::getSignMask(bits));
    result = builder.CreateSelect(builder.CreateFCmpUNO(source, source), top, result);
  }
  conversion.replaceAllUsesWith(builder.CreateTrunc(result, wanted));
  conversion.eraseFromParent();
}

// lowerUnsaturated() replaces hw_int_of(), with which our own device functions convert what is in range.
void lowerUnsaturated(llvm::Module &module) {
  llvm::Function *function = module.getFunction("hw_int_of");
  if (!function) return;
  for (llvm::User *user : llvm::make_early_inc_range(function->users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateFPToSI(call->getArgOperand(0), call->getType()));
    call->eraseFromParent();
  }
  function->eraseFromParent();
}

// rounding() is the intrinsic that rounds as a conversion like lround() does; not_intrinsic for other instructions.
llvm::Intrinsic::ID rounding(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  switch (call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
    case llvm::Intrinsic::lround:
    case llvm::Intrinsic::llround:
      return llvm::Intrinsic::round;
    case llvm::Intrinsic::lrint:
    case llvm::Intrinsic::llrint:
      return llvm::Intrinsic::rint;
    default:
      return llvm::Intrinsic::not_intrinsic;
  }
}

// splitRounded() makes of lround() and its like, which the CPU's library does not saturate, a rounding and a
// conversion.
void splitRounded(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
      const llvm::Intrinsic::ID rounds = rounding(instruction);
      if (rounds == llvm::Intrinsic::not_intrinsic) continue;
      llvm::IRBuilder<> builder(&instruction);
      llvm::Value *rounded = builder.CreateUnaryIntrinsic(rounds, instruction.getOperand(0));
      instruction.replaceAllUsesWith(builder.CreateFPToSI(rounded, instruction.getType()));
      instruction.eraseFromParent();
    }
}

}  // namespace

void lowerConversions(DeviceModule &device) {
  for (llvm::Function &function : device.module) splitRounded(function);
  llvm::SmallVector<llvm::Instruction *> conversions;
  for (llvm::Function &function : device.module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (isFloatToInteger(instruction)) conversions.push_back(&instruction);
  for (llvm::Instruction *conversion : conversions) saturate(*conversion);
  lowerUnsaturated(device.module);
}

}  // namespace hostwarp::compiler
