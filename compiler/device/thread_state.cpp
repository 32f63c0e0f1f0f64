#include "compiler/device/thread_state.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/device/passes.h"
#include "compiler/device/thread_fields.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

llvm::Value *selfCall(llvm::IRBuilder<> &builder) {
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(abiFunction(module, "hw_self", builder.getPtrTy(), {}));
}

llvm::LoadInst *markInvariant(llvm::LoadInst *load) {
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
  return load;
}

static llvm::LoadInst *fieldLoad(llvm::IRBuilder<> &builder, size_t offset, llvm::Type *type) {
  return builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), selfCall(builder), offset));
}

llvm::Value *loadField(llvm::IRBuilder<> &builder, size_t offset, llvm::Type *type) {
  const ThreadField *field = threadFieldAt(offset);
  if (!field) return markInvariant(fieldLoad(builder, offset, type));
  return builder.CreateCall(abiFunction(*builder.GetInsertBlock()->getModule(), field->read, type, {}));
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

// callsOf() are those of the function with this name.
static llvm::SmallVector<llvm::CallInst *> callsOf(llvm::Module &module, llvm::StringRef name) {
  llvm::SmallVector<llvm::CallInst *> calls;
  if (llvm::Function *function = module.getFunction(name))
    for (llvm::User *user : function->users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user)) calls.push_back(call);
  return calls;
}

// noteReads(): what an optimiser has found out about functions that call the readers is no longer true.
static void noteReads(llvm::SmallSetVector<llvm::Function *, 16> &readers) {
  for (size_t next = 0; next < readers.size(); ++next) {
    llvm::Function &reader = *readers[next];
    const auto widen = [](llvm::MemoryEffects known) { return known | llvm::MemoryEffects::readOnly(); };
    reader.setMemoryEffects(widen(reader.getMemoryEffects()));
    for (llvm::User *user : reader.users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user)) {
        call->setMemoryEffects(widen(call->getMemoryEffects()));
        readers.insert(call->getFunction());
      }
  }
}

// The loads are not invariant: a function that runs a whole block writes the fields before it calls others.
void lowerThreadFields(llvm::Module &module) {
  llvm::SmallSetVector<llvm::Function *, 16> readers;
  for (const ThreadField &field : threadFields) {
    for (llvm::CallInst *call : callsOf(module, field.read)) {
      readers.insert(call->getFunction());
      llvm::IRBuilder<> builder(call);
      call->replaceAllUsesWith(fieldLoad(builder, field.offset, call->getType()));
      call->eraseFromParent();
    }
  }
  noteReads(readers);
}

bool isCurrentThread(const llvm::Value &value) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  const llvm::Value *variable = load ? load->getPointerOperand() : nullptr;
  if (auto *place = llvm::dyn_cast_or_null<llvm::IntrinsicInst>(variable);
      place && place->getIntrinsicID() == llvm::Intrinsic::threadlocal_address)
    variable = place->getArgOperand(0);
  return variable && variable->getName() == "hw_current";
}

void lowerSelf(llvm::Module &module) {
  llvm::Function *self = module.getFunction("hw_self");
  if (!self) return;
  llvm::GlobalVariable *current = currentThreadVariable(module);
  for (llvm::CallInst *call : callsOf(module, "hw_self")) replaceSelfCall(call, current);
  if (self->use_empty()) self->eraseFromParent();
}

}  // namespace hostwarp::compiler
