#include "compiler/device/thread_state.h"

#include "compiler/device/passes.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

llvm::FunctionCallee abiFunction(llvm::Module &module, llvm::StringRef name, llvm::Type *result,
                                 llvm::ArrayRef<llvm::Type *> parameters) {
  return module.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
}

llvm::Value *selfCall(llvm::IRBuilder<> &builder) {
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee self = abiFunction(module, "hw_self", builder.getPtrTy(), {});
  auto *function = llvm::cast<llvm::Function>(self.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return builder.CreateCall(self);
}

llvm::LoadInst *markInvariant(llvm::LoadInst *load) {
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
  return load;
}

llvm::Value *loadField(llvm::IRBuilder<> &builder, size_t offset, llvm::Type *type) {
  llvm::Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), selfCall(builder), offset);
  llvm::LoadInst *load = builder.CreateLoad(type, address);
  markInvariant(load);
  return load;
}

static llvm::GlobalVariable *currentThreadVariable(llvm::Module &module) {
  if (auto *existing = module.getGlobalVariable("hw_current")) return existing;
  return new llvm::GlobalVariable(module, llvm::PointerType::get(module.getContext(), 0), false,
                                  llvm::GlobalValue::ExternalLinkage, nullptr, "hw_current", nullptr,
                                  llvm::GlobalValue::InitialExecTLSModel);
}

static void replaceSelfCall(llvm::CallInst *call, llvm::GlobalVariable *current) {
  llvm::IRBuilder<> builder(call);
  llvm::LLVMContext &context = call->getContext();
  llvm::LoadInst *load = builder.CreateLoad(builder.getPtrTy(), builder.CreateThreadLocalAddress(current), "self");
  markInvariant(load);
  auto bytes = llvm::ConstantAsMetadata::get(builder.getInt64(sizeof(hw_thread)));
  load->setMetadata(llvm::LLVMContext::MD_nonnull, llvm::MDNode::get(context, {}));
  load->setMetadata(llvm::LLVMContext::MD_noundef, llvm::MDNode::get(context, {}));
  load->setMetadata(llvm::LLVMContext::MD_dereferenceable, llvm::MDNode::get(context, {bytes}));
  auto align = llvm::ConstantAsMetadata::get(builder.getInt64(alignof(hw_thread)));
  load->setMetadata(llvm::LLVMContext::MD_align, llvm::MDNode::get(context, {align}));
  call->replaceAllUsesWith(load);
  call->eraseFromParent();
}

void lowerSelf(llvm::Module &module) {
  llvm::Function *self = module.getFunction("hw_self");
  if (!self) return;
  llvm::GlobalVariable *current = currentThreadVariable(module);
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::User *user : self->users())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user)) calls.push_back(call);
  for (llvm::CallInst *call : calls) replaceSelfCall(call, current);
  if (self->use_empty()) self->eraseFromParent();
}

}  // namespace hostwarp::compiler
