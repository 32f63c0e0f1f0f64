#include "compiler/device/wait_notes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "compiler/device/abi_functions.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral waitsPrefix = "hw_waits.";
// The linker collects in this section the notes of all functions whose addresses are taken.
constexpr llvm::StringLiteral addressSection = "hw_wait_notes_of_addresses";

llvm::StructType *typeOfNote(llvm::LLVMContext &context) {
  llvm::Type *i32 = llvm::Type::getInt32Ty(context), *pointer = llvm::PointerType::getUnqual(context);
  return llvm::StructType::get(context, {i32, i32, pointer, pointer, pointer});
}

// declared() is a global that another unit may define; null at run time if none does.
llvm::GlobalVariable *declared(llvm::Module &module, const llvm::Twine &name) {
  const std::string text = name.str();
  if (llvm::GlobalVariable *known = module.getNamedGlobal(text)) return known;
  auto *note = new llvm::GlobalVariable(module, typeOfNote(module.getContext()), false,
                                        llvm::GlobalValue::ExternalWeakLinkage, nullptr, text);
  note->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return note;
}

llvm::GlobalVariable *noteOf(const llvm::Function &function) {
  return declared(*const_cast<llvm::Module *>(function.getParent()), waitsPrefix + function.getName());
}

// contentsOf() is the hw_wait_note.
llvm::Constant *contentsOf(llvm::Module &module, const llvm::Twine &name, const ReachableWaits &waits) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *i32 = llvm::Type::getInt32Ty(context), *pointer = llvm::PointerType::getUnqual(context);
  llvm::SmallVector<llvm::Constant *> callees;
  for (const llvm::Function *each : waits.elsewhere) callees.push_back(noteOf(*each));
  llvm::Constant *none = llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context));
  llvm::Constant *list = none, *first = none, *end = none;
  if (!callees.empty()) {
    auto *type = llvm::ArrayType::get(pointer, callees.size());
    list = new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::InternalLinkage,
                                    llvm::ConstantArray::get(type, callees), name + ".callees");
  }
  if (waits.anyAddress) {
    first = declared(module, "__start_" + addressSection);
    end = declared(module, "__stop_" + addressSection);
  }
  const unsigned answer = !waits.why.empty()        ? HW_WAITS_SOMEWHERE
                          : waits.dependsOnOthers() ? HW_WAITS_UNKNOWN
                                                    : HW_WAITS_NEVER;
  return llvm::ConstantStruct::get(
      typeOfNote(context),
      {llvm::ConstantInt::get(i32, answer), llvm::ConstantInt::get(i32, callees.size()), list, first, end});
}

// define() gives a note its contents, and the linkage of the function.
void define(llvm::Function &function, const ReachableWaits &waits) {
  llvm::GlobalVariable *note = noteOf(function);
  note->setInitializer(contentsOf(*function.getParent(), note->getName(), waits));
  note->setLinkage(function.hasLocalLinkage()                                   ? llvm::GlobalValue::InternalLinkage
                   : function.hasWeakLinkage() || function.hasLinkOnceLinkage() ? llvm::GlobalValue::WeakAnyLinkage
                                                                                : llvm::GlobalValue::ExternalLinkage);
  note->setVisibility(function.hasLocalLinkage() ? llvm::GlobalValue::DefaultVisibility
                                                 : llvm::GlobalValue::HiddenVisibility);
}

bool isCalledByAddress(const llvm::Function &function) {
  return !function.isIntrinsic() && function.getName().starts_with("__hwd_") &&
         function.hasAddressTaken(nullptr, false, true, /*IgnoreLLVMUsed=*/true);
}

// offer() puts the note of a function into the section of those that are called by address.
void offer(llvm::Function &function) {
  llvm::Module &module = *function.getParent();
  llvm::GlobalVariable *note = noteOf(function);
  auto *entry = new llvm::GlobalVariable(module, note->getType(), false, llvm::GlobalValue::InternalLinkage, note,
                                         note->getName() + ".address");
  entry->setSection(addressSection);
  llvm::appendToCompilerUsed(module, {entry});
}

}  // namespace

void writeWaitNotes(DeviceModule &device) {
  if (!device.options.relocatable) return;
  llvm::SmallVector<llvm::Function *> noted, addressed;
  for (llvm::Function &function : device.module) {
    const bool isOffered = isCalledByAddress(function);
    const bool isExported = !function.isDeclaration() && !function.hasLocalLinkage();
    if (isOffered) addressed.push_back(&function);
    if (!function.isDeclaration() && (isOffered || (isExported && function.getName().starts_with("__hwd_"))))
      noted.push_back(&function);
  }
  for (llvm::Function *function : noted) define(*function, reachableWaits(*function, WaitsOf::Function, true));
  for (llvm::Function *function : addressed) offer(*function);
  // The lists of used values that have been replaced would look as if somebody took the functions' addresses.
  for (llvm::Function &function : device.module) function.removeDeadConstantUsers();
}

void lookAtWaitNotes(llvm::Function &blockEntry, const ReachableWaits &waits) {
  llvm::Module &module = *blockEntry.getParent();
  llvm::LLVMContext &context = module.getContext();
  const std::string name = (waitsPrefix + blockEntry.getName()).str();
  auto *note = new llvm::GlobalVariable(module, typeOfNote(context), false, llvm::GlobalValue::InternalLinkage,
                                        contentsOf(module, name, waits), name);
  llvm::Instruction *start = &*blockEntry.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  llvm::IRBuilder<> builder(start);
  const auto ifRarely = [&](llvm::Value *condition, bool ends) {
    llvm::MDNode *rarely = llvm::MDBuilder(context).createBranchWeights(1, 1 << 20);
    builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(condition, builder.GetInsertPoint(), ends, rarely));
  };
  llvm::LoadInst *answer = builder.CreateAlignedLoad(builder.getInt32Ty(), note, llvm::Align(4));
  answer->setAtomic(llvm::AtomicOrdering::Monotonic);
  ifRarely(builder.CreateICmpNE(answer, builder.getInt32(HW_WAITS_NEVER)), false);
  llvm::CallInst *mayWait =
      builder.CreateCall(abiFunction(module, "hw_may_wait", builder.getInt32Ty(), {builder.getPtrTy()}), {note});
  ifRarely(builder.CreateIsNotNull(mayWait), true);
  llvm::CallInst *refuse = builder.CreateCall(abiFunction(module, "hw_run_thread_by_thread", builder.getVoidTy(), {}));
  refuse->setDoesNotReturn();
  refuse->setDoesNotThrow();
}

}  // namespace hostwarp::compiler
