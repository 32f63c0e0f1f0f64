// Mathematical functions: the device's library, libdevice of an installed toolkit, has them as __nv_sinf() and the
// like.
#include <llvm/ADT/STLExtras.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Support/MemoryBuffer.h>

#include "compiler/device/gpu/gpu_steps.h"
#include "compiler/device/gpu/libdevice.h"
#include "compiler/gpu_library/gpu_library.h"
#include "compiler/ptx/bitcode.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral libdevicePrefix = "__nv_";

// Intrinsics that the GPU has no instruction for.
constexpr llvm::StringLiteral calculated[] = {"acos",  "asin", "atan",  "atan2", "cos",   "cosh", "exp",
                                              "exp10", "exp2", "ldexp", "log",   "log10", "log2", "pow",
                                              "powi",  "sin",  "sinh",  "tan",   "tanh"};

// libraryName() is what libdevice would call a function that calculates the same; empty: none could.
std::string libraryName(const llvm::Function &function) {
  llvm::StringRef name = function.getName();
  if (!name.consume_front("llvm.")) {
    name.consume_front("hw_math_");
    return (libdevicePrefix + name).str();
  }
  const auto [base, types] = name.split('.');
  if (!llvm::is_contained(calculated, base)) return "";
  if (types.starts_with("f32")) return (libdevicePrefix + base + "f").str();
  return types.starts_with("f64") ? (libdevicePrefix + base).str() : "";
}

// callRemainders() makes calls of fmod() of remainder instructions, for which the back end divides: that loses digits.
void callRemainders(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::Type *type = instruction.getType();
      if (instruction.getOpcode() != llvm::Instruction::FRem || !(type->isFloatTy() || type->isDoubleTy())) continue;
      llvm::IRBuilder<> builder(&instruction);
      const auto callee = module.getOrInsertFunction(type->isFloatTy() ? "fmodf" : "fmod", type, type, type);
      instruction.replaceAllUsesWith(
          builder.CreateCall(callee, {instruction.getOperand(0), instruction.getOperand(1)}));
      instruction.eraseFromParent();
    }
}

// writeLongScale() makes scalbln() of scalbn(): libdevice has it for int only, and no exponent is beyond that.
void writeLongScale(llvm::Module &module, llvm::StringRef name, llvm::StringRef ofInt) {
  llvm::Function *function = module.getFunction(name);
  if (!function || !function->isDeclaration() || function->use_empty() || function->arg_size() != 2) return;
  function->setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", function));
  llvm::Value *number = function->getArg(0), *exponent = function->getArg(1);
  llvm::Type *type = exponent->getType();
  constexpr int64_t most = 1 << 16;
  exponent = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, exponent, llvm::ConstantInt::get(type, most));
  exponent = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, exponent, llvm::ConstantInt::getSigned(type, -most));
  const auto callee = module.getOrInsertFunction(ofInt, number->getType(), number->getType(), builder.getInt32Ty());
  builder.CreateRet(builder.CreateCall(callee, {number, builder.CreateTrunc(exponent, builder.getInt32Ty())}));
}

// conversion() is the instruction that makes a whole number of 64 bits, rounded to the nearest or cut.
llvm::Intrinsic::ID conversion(bool isDouble, bool rounds) {
  if (isDouble) return rounds ? llvm::Intrinsic::nvvm_d2ll_rn : llvm::Intrinsic::nvvm_d2ll_rz;
  return rounds ? llvm::Intrinsic::nvvm_f2ll_rn : llvm::Intrinsic::nvvm_f2ll_rz;
}

// writeRoundings() makes conversions of lrint(), lround() and their like, also the libraries', which the back end does
// not know.
void writeRoundings(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || !call->getType()->isIntegerTy()) continue;
      const llvm::Intrinsic::ID id = call->getIntrinsicID();
      const bool isEven = id == llvm::Intrinsic::lrint || id == llvm::Intrinsic::llrint;
      if (!isEven && id != llvm::Intrinsic::lround && id != llvm::Intrinsic::llround) continue;
      llvm::Value *number = call->getArgOperand(0);
      if (!number->getType()->isFloatTy() && !number->getType()->isDoubleTy()) continue;
      llvm::IRBuilder<> builder(call);
      if (!isEven) number = builder.CreateUnaryIntrinsic(llvm::Intrinsic::round, number);
      llvm::Value *whole = builder.CreateIntrinsic(conversion(number->getType()->isDoubleTy(), isEven), {}, {number});
      call->replaceAllUsesWith(builder.CreateSExtOrTrunc(whole, call->getType()));
      call->eraseFromParent();
    }
}

// redirect() has calls of the function go to the library's; false where that takes other operands.
bool redirect(llvm::Function &function, const llvm::Function &ready) {
  if (ready.getFunctionType() != function.getFunctionType()) return false;
  function.replaceAllUsesWith(
      function.getParent()->getOrInsertFunction(ready.getName(), ready.getFunctionType()).getCallee());
  return true;
}

}  // namespace

std::string callGpuMath(llvm::Module &module) {
  callRemainders(module);
  writeLongScale(module, "scalbln", "scalbn");
  writeLongScale(module, "scalblnf", "scalbnf");
  const std::unique_ptr<llvm::MemoryBuffer> file = libdevice();
  const llvm::StringRef bytes = file ? file->getBuffer() : gpuLibrary();
  auto library = llvm::getLazyBitcodeModule({bytes, "library"}, module.getContext());
  if (!library) return "libdevice: " + llvm::toString(library.takeError());
  bool isNeeded = false;
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.use_empty()) continue;
    const std::string name = libraryName(function);
    const llvm::Function *ready = name.empty() ? nullptr : (*library)->getFunction(name);
    if (ready) isNeeded |= redirect(function, *ready);
  }
  const std::string error = isNeeded ? linkBitcode(module, bytes, libdevicePrefix) : "";
  writeRoundings(module);
  return error.empty() ? "" : "mathematical functions: " + error;
}

}  // namespace hostwarp::compiler
