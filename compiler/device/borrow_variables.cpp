// Another build of an image has no managed variables of its own: host code refers to those of the image by address. A
// specialised one, which runs beside the image, has no variables of its own at all. It finds each through a pointer,
// which the runtime sets before a kernel runs.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"
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

llvm::LoadInst *loadPlace(llvm::IRBuilder<> &builder, llvm::GlobalVariable *pointer, const llvm::Twine &name) {
  llvm::LoadInst *place = builder.CreateLoad(builder.getPtrTy(), pointer, name);
  place->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
  return place;
}

// replaceWith() has functions use what `address` makes of the variable.
void replaceWith(llvm::GlobalVariable &variable, llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &)> address) {
  llvm::convertUsersOfConstantsToInstructions({&variable});
  replaceInFunctions(variable, [&](llvm::IRBuilder<> &builder) {
    return builder.CreateAddrSpaceCast(address(builder), variable.getType());
  });
}

// hereOf() is the variable's place on the running device; managed variables exist once.
llvm::Value *hereOf(llvm::IRBuilder<> &builder, const Variable &variable, llvm::GlobalVariable *pointer) {
  llvm::Value *place = loadPlace(builder, pointer, variable.global->getName() + ".place");
  if (variable.kind == HW_VARIABLE_MANAGED) return place;
  llvm::Value *delta = loadField(builder, offsetof(hw_thread, deviceDelta), builder.getInt64Ty());
  return builder.CreateGEP(builder.getInt8Ty(), place, delta);
}

// borrow() leaves constants alone that hold the variable's address: they would hold the wrong one.
void borrow(DeviceModule &device, Variable &variable) {
  llvm::GlobalVariable *pointer = makePointer(device, *variable.global, true);
  replaceWith(*variable.global, [&](llvm::IRBuilder<> &builder) { return hereOf(builder, variable, pointer); });
  variable.global->removeDeadConstantUsers();
  if (variable.global->use_empty())
    variable.global->eraseFromParent();
  else if (device.options.build == Build::Specialised)
    device.errors.push_back(device.options.source + ": error: a constant holds the address of " + variable.name);
  variable.kind = HW_VARIABLE_BORROWED;
  variable.global = pointer;
}

// borrowFromUnits(): a variable that another source defines is managed if there is such a pointer.
void borrowFromUnits(DeviceModule &device) {
  llvm::PointerType *type = llvm::PointerType::get(device.module.getContext(), 0);
  auto *nothing = new llvm::GlobalVariable(device.module, type, true, llvm::GlobalValue::PrivateLinkage,
                                           llvm::ConstantPointerNull::get(type), "hwm_no_place");
  for (llvm::GlobalVariable &global : llvm::make_early_inc_range(device.module.globals())) {
    const unsigned space = global.getAddressSpace();
    if (!global.isDeclaration() || (space != 1 && space != 4) || global.use_empty()) continue;
    llvm::GlobalVariable *pointer = makePointer(device, global, false);
    replaceWith(global, [&](llvm::IRBuilder<> &builder) {
      llvm::Value *isManaged = builder.CreateIsNotNull(pointer);
      llvm::Value *readable = builder.CreateSelect(isManaged, pointer, nothing);
      llvm::Value *place = builder.CreateLoad(builder.getPtrTy(), readable);
      return builder.CreateSelect(isManaged, place, builder.CreateAddrSpaceCast(&global, builder.getPtrTy()));
    });
    global.setLinkage(llvm::GlobalValue::ExternalWeakLinkage);
  }
}

}  // namespace

void borrowVariables(DeviceModule &device) {
  const Options &options = device.options;
  const bool borrowsAll = options.build == Build::Specialised;
  if (!borrowsAll && !options.borrowsManaged) return;
  llvm::SmallVector<Variable *> borrowed;
  for (Variable &variable : device.variables)
    if (borrowsAll || variable.kind == HW_VARIABLE_MANAGED) borrowed.push_back(&variable);
  // What they begin with, which may be addresses of each other, is the image's.
  if (borrowsAll)
    for (Variable *variable : borrowed)
      variable->global->setInitializer(llvm::Constant::getNullValue(variable->global->getValueType()));
  for (Variable *variable : borrowed) borrow(device, *variable);
  if (options.relocatable) borrowFromUnits(device);
}

}  // namespace hostwarp::compiler
