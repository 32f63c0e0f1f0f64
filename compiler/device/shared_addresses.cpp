// Constants with addresses of shared variables: clang makes one of `float *tiles[2] = {first, second};`. They differ
// from block to block, so they become local variables.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

constexpr unsigned spaceOfShared = 3;

bool namesShared(const llvm::Constant &constant, llvm::SmallPtrSetImpl<const llvm::Constant *> &seen) {
  if (!seen.insert(&constant).second) return false;
  if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant))
    return variable->getAddressSpace() == spaceOfShared;
  if (llvm::isa<llvm::GlobalValue>(constant)) return false;
  return llvm::any_of(constant.operands(), [&](const llvm::Use &each) {
    auto *part = llvm::dyn_cast<llvm::Constant>(each.get());
    return part && namesShared(*part, seen);
  });
}

bool namesShared(const llvm::GlobalVariable &variable) {
  llvm::SmallPtrSet<const llvm::Constant *, 8> seen;
  return variable.hasInitializer() && namesShared(*variable.getInitializer(), seen);
}

// store() writes a value part by part: LLVM is slow with large ones.
void store(llvm::IRBuilder<> &builder, llvm::Constant &value, llvm::Value &address) {
  auto *type = value.getType();
  if (!type->isAggregateType()) {
    builder.CreateStore(&value, &address);
    return;
  }
  const unsigned parts =
      type->isStructTy() ? type->getStructNumElements() : static_cast<unsigned>(type->getArrayNumElements());
  for (unsigned part = 0; part < parts; ++part)
    store(builder, *value.getAggregateElement(part), *builder.CreateConstInBoundsGEP2_32(type, &address, 0, part));
}

// makeLocal() has each function that uses the constant begin with a variable that has its value.
void makeLocal(llvm::GlobalVariable &constant) {
  llvm::DenseMap<llvm::Function *, llvm::AllocaInst *> variables;
  for (llvm::Use &use : llvm::make_early_inc_range(constant.uses())) {
    auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!user) continue;
    llvm::AllocaInst *&variable = variables[user->getFunction()];
    if (!variable) {
      llvm::BasicBlock &entry = user->getFunction()->getEntryBlock();
      llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
      variable = builder.CreateAlloca(constant.getValueType());
      variable->setAlignment(constant.getAlign().valueOrOne());
      store(builder, *constant.getInitializer(), *variable);
    }
    use.set(variable);
  }
  if (constant.use_empty()) constant.eraseFromParent();
}

}  // namespace

void storeSharedAddresses(DeviceModule &device) {
  llvm::SmallVector<llvm::GlobalVariable *> found;
  for (llvm::GlobalVariable &variable : device.module.globals())
    if (variable.isConstant() && variable.hasLocalLinkage() && variable.getAddressSpace() == 0 && namesShared(variable))
      found.push_back(&variable);
  llvm::SmallVector<llvm::Constant *> constants(found.begin(), found.end());
  llvm::convertUsersOfConstantsToInstructions(constants);
  for (llvm::GlobalVariable *constant : found) makeLocal(*constant);
}

}  // namespace hostwarp::compiler
