// Kernels that kernels launch [CUDA 4.18 dynamic parallelism]: hwcc has made kernel(arguments),
// startLaunch(configuration) of a launch. A call of a kernel notes it and lays its arguments out as its parameters lie;
// the start hands both over.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/device/gpu/gpu_steps.h"

namespace hostwarp::compiler {

namespace {

using Calls = llvm::SmallVector<llvm::CallInst *>;

constexpr llvm::StringLiteral start = "hw_start_launch", startOnGpu = "hw_gpu_start_launch";

bool isKernelCall(const llvm::CallInst &call) {
  const llvm::Function *called = call.getCalledFunction();
  return called && called->getCallingConv() == llvm::CallingConv::PTX_Kernel;
}

bool isStart(const llvm::CallInst &call) {
  const llvm::Function *called = call.getCalledFunction();
  return called && called->getName() == start;
}

template <class Wanted>
Calls callsIn(llvm::Function &function, Wanted wanted) {
  Calls calls;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && wanted(*call)) calls.push_back(call);
  return calls;
}

// bringStartsToKernels() inlines the functions of headers that start what their callers have called.
void bringStartsToKernels(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *> wrappers;
  for (llvm::Function &function : module)
    if (!callsIn(function, isStart).empty() && callsIn(function, isKernelCall).empty()) wrappers.push_back(&function);
  for (llvm::Function *wrapper : wrappers)
    for (llvm::User *user : llvm::make_early_inc_range(wrapper->users()))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledOperand() == wrapper) {
        llvm::InlineFunctionInfo info;
        llvm::InlineFunction(*call, info);
      }
}

// Parameters are the places of a kernel's parameters, each behind the one before it at its alignment.
struct Parameters {
  llvm::SmallVector<uint64_t> offsets;
  uint64_t bytes = 0;
};

llvm::Type *typeInMemory(const llvm::CallInst &call, unsigned number) {
  if (llvm::Type *type = call.getParamByValType(number)) return type;
  llvm::Type *type = call.getArgOperand(number)->getType();
  return type->isIntegerTy(1) ? llvm::Type::getInt8Ty(type->getContext()) : type;
}

Parameters parametersOf(const llvm::CallInst &call) {
  const llvm::DataLayout &layout = call.getModule()->getDataLayout();
  Parameters result;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    llvm::Type *type = typeInMemory(call, i);
    const llvm::MaybeAlign asked = call.getParamByValType(i) ? call.getParamAlign(i) : std::nullopt;
    const uint64_t offset = llvm::alignTo(result.bytes, asked.value_or(layout.getABITypeAlign(type)));
    result.offsets.push_back(offset);
    result.bytes = offset + layout.getTypeAllocSize(type);
  }
  return result;
}

// addCallsByPointer() adds calls of kernels whose addresses the program has taken: the last ones before the starts.
void addCallsByPointer(const Calls &starts, Calls &kernels) {
  for (llvm::CallInst *begin : starts)
    for (llvm::Instruction *before = begin->getPrevNode(); before; before = before->getPrevNode()) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(before);
      if (!call) continue;
      if (isKernelCall(*call) || isStart(*call)) break;
      if (!call->isIndirectCall() || !call->getType()->isVoidTy()) continue;
      kernels.push_back(call);
      break;
    }
}

// Noted is a function's memory for what it is about to launch.
class Noted {
 public:
  Noted(llvm::Function &function, uint64_t bytes) {
    llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
    kernel_ = builder.CreateAlloca(builder.getPtrTy());
    bytes_ = builder.CreateAlloca(builder.getInt64Ty());
    auto *arguments = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), std::max<uint64_t>(bytes, 1)));
    arguments->setAlignment(llvm::Align(16));
    arguments_ = arguments;
  }

  void note(llvm::CallInst &call) {
    const Parameters parameters = parametersOf(call);
    llvm::IRBuilder<> builder(&call);
    builder.CreateStore(call.getCalledOperand(), kernel_);
    builder.CreateStore(builder.getInt64(parameters.bytes), bytes_);
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      llvm::Value *place = builder.CreateConstGEP1_64(builder.getInt8Ty(), arguments_, parameters.offsets[i]);
      copy(builder, place, llvm::commonAlignment(llvm::Align(16), parameters.offsets[i]), call, i);
    }
    call.eraseFromParent();
  }

  void start(llvm::CallInst &call) {
    llvm::Module &module = *call.getModule();
    llvm::IRBuilder<> builder(&call);
    llvm::SmallVector<llvm::Value *> values = {builder.CreateLoad(builder.getPtrTy(), kernel_), arguments_,
                                               builder.CreateLoad(builder.getInt64Ty(), bytes_)};
    values.append(call.arg_begin(), call.arg_end());
    llvm::SmallVector<llvm::Type *> types;
    for (const llvm::Value *value : values) types.push_back(value->getType());
    auto *type = llvm::FunctionType::get(builder.getVoidTy(), types, false);
    builder.CreateCall(module.getOrInsertFunction(startOnGpu, type), values);
    call.eraseFromParent();
  }

 private:
  static void copy(llvm::IRBuilder<> &builder, llvm::Value *place, llvm::Align alignment, const llvm::CallInst &call,
                   unsigned number) {
    llvm::Value *value = call.getArgOperand(number);
    llvm::Type *type = typeInMemory(call, number);
    if (call.getParamByValType(number))
      builder.CreateMemCpy(place, alignment, value, call.getParamAlign(number),
                           call.getModule()->getDataLayout().getTypeAllocSize(type));
    else
      builder.CreateAlignedStore(type == value->getType() ? value : builder.CreateZExt(value, type), place, alignment);
  }

  llvm::Value *kernel_, *bytes_, *arguments_;
};

}  // namespace

std::string launchKernels(llvm::Module &module) {
  bringStartsToKernels(module);
  for (llvm::Function &function : module) {
    Calls kernels = callsIn(function, isKernelCall);
    const Calls starts = callsIn(function, isStart);
    addCallsByPointer(starts, kernels);
    if (kernels.empty() && starts.empty()) continue;
    if (kernels.empty() && function.hasLocalLinkage() && function.use_empty()) continue;
    if (kernels.empty() || starts.empty())
      return "the kernel that " + function.getName().str() + " launches is not known there";
    uint64_t most = 0;
    for (const llvm::CallInst *call : kernels) most = std::max(most, parametersOf(*call).bytes);
    Noted noted(function, most);
    for (llvm::CallInst *call : kernels) noted.note(*call);
    for (llvm::CallInst *call : starts) noted.start(*call);
  }
  return "";
}

}  // namespace hostwarp::compiler
