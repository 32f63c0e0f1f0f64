// Another build of an image has no managed variables of its own: host code refers to those of the image by address. It
// finds each through a pointer, which the runtime sets before a kernel runs.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

#include "compiler/device/passes.h"
#include "compiler/device/variable_uses.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral pointerPrefix = "hwm_place.";

llvm::GlobalVariable *makePointer(DeviceModule &device, const llvm::GlobalVariable &variable, bool isDefinition) {
  llvm::PointerType *type = llvm::PointerType::get(device.module.getContext(), 0);
  auto *pointer = new llvm::GlobalVariable(
      device.module, type, false,
      isDefinition ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::ExternalWeakLinkage,
      isDefinition ? llvm::ConstantPointerNull::get(type) : nullptr, pointerPrefix + variable.getName());
  pointer->setVisibility(llvm::GlobalValue::HiddenVisibility);
  if (isDefinition && (!device.options.relocatable || variable.hasLocalLinkage()))
    pointer->setLinkage(llvm::GlobalValue::InternalLinkage);
  return pointer;
}

// addressOf() is the variable's place. A variable that another source defines is managed if there is such a pointer.
llvm::Value *addressOf(llvm::IRBuilder<> &builder, llvm::GlobalVariable &variable, llvm::GlobalVariable *pointer,
                       llvm::GlobalVariable *nothing) {
  const auto load = [&] {
    llvm::LoadInst *place = builder.CreateLoad(builder.getPtrTy(), pointer, variable.getName() + ".place");
    place->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
    return builder.CreateAddrSpaceCast(place, variable.getType());
  };
  if (!pointer->hasExternalWeakLinkage()) return load();
  llvm::Value *isManaged = builder.CreateIsNotNull(pointer);
  llvm::Value *readable = builder.CreateSelect(isManaged, pointer, nothing);
  llvm::Value *place = builder.CreateLoad(builder.getPtrTy(), readable);
  llvm::Value *own = builder.CreateAddrSpaceCast(&variable, builder.getPtrTy());
  return builder.CreateAddrSpaceCast(builder.CreateSelect(isManaged, place, own), variable.getType());
}

void replaceUses(llvm::GlobalVariable &variable, llvm::GlobalVariable *pointer,
                 llvm::GlobalVariable *nothing = nullptr) {
  llvm::convertUsersOfConstantsToInstructions({&variable});
  replaceInFunctions(variable,
                     [&](llvm::IRBuilder<> &builder) { return addressOf(builder, variable, pointer, nothing); });
}

}  // namespace

void borrowManaged(DeviceModule &device) {
  if (!device.options.borrowsManaged) return;
  for (Variable &variable : device.variables) {
    if (variable.kind != HW_VARIABLE_MANAGED) continue;
    llvm::GlobalVariable *pointer = makePointer(device, *variable.global, true);
    replaceUses(*variable.global, pointer);
    if (variable.global->use_empty()) variable.global->eraseFromParent();
    variable.kind = HW_VARIABLE_BORROWED;
    variable.global = pointer;
  }
  if (!device.options.relocatable) return;
  llvm::PointerType *type = llvm::PointerType::get(device.module.getContext(), 0);
  auto *nothing = new llvm::GlobalVariable(device.module, type, true, llvm::GlobalValue::PrivateLinkage,
                                           llvm::ConstantPointerNull::get(type), "hwm_no_place");
  for (llvm::GlobalVariable &global : llvm::make_early_inc_range(device.module.globals())) {
    const unsigned space = global.getAddressSpace();
    if (!global.isDeclaration() || (space != 1 && space != 4) || global.use_empty()) continue;
    replaceUses(global, makePointer(device, global, false), nothing);
    global.setLinkage(llvm::GlobalValue::ExternalWeakLinkage);
  }
}

}  // namespace hostwarp::compiler
