// Makes every access of a __device__ or __constant__ variable relative to the running device: device k sees the
// module's variables displaced by hw_thread::deviceDelta. Managed variables exist once, read-only data needs no copy.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

bool isManaged(const DeviceModule &device, const llvm::GlobalVariable &global) {
  return llvm::any_of(device.variables, [&](const Variable &variable) {
    return variable.global == &global && variable.kind == HW_VARIABLE_MANAGED;
  });
}

llvm::SmallVector<llvm::GlobalVariable *> displacedVariables(DeviceModule &device) {
  constexpr unsigned globalSpace = 1, constantSpace = 4;
  llvm::SmallVector<llvm::GlobalVariable *> variables;
  for (llvm::GlobalVariable &global : device.module.globals()) {
    unsigned space = global.getAddressSpace();
    if ((space == globalSpace || space == constantSpace) && !global.isConstant() && !isManaged(device, global))
      variables.push_back(&global);
  }
  return variables;
}

void displace(llvm::GlobalVariable &variable) {
  llvm::DenseMap<llvm::Function *, llvm::Value *> made;
  llvm::SmallVector<llvm::Use *> uses;
  for (llvm::Use &use : variable.uses())
    if (llvm::isa<llvm::Instruction>(use.getUser())) uses.push_back(&use);
  for (llvm::Use *use : uses) {
    llvm::Function *function = llvm::cast<llvm::Instruction>(use->getUser())->getFunction();
    llvm::Value *&address = made[function];
    if (!address) {
      llvm::BasicBlock &entry = function->getEntryBlock();
      llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
      llvm::Value *delta = loadField(builder, offsetof(hw_thread, deviceDelta), builder.getInt64Ty());
      address = builder.CreateGEP(builder.getInt8Ty(), &variable, delta, variable.getName() + ".here");
    }
    use->set(address);
  }
}

}  // namespace

void lowerDeviceVariables(DeviceModule &device) {
  llvm::SmallVector<llvm::GlobalVariable *> variables = displacedVariables(device);
  llvm::SmallVector<llvm::Constant *> constants(variables.begin(), variables.end());
  llvm::convertUsersOfConstantsToInstructions(constants);
  for (llvm::GlobalVariable *variable : variables) displace(*variable);
}

}  // namespace hostwarp::compiler
