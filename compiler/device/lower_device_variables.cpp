// Makes every access of a __device__ or __constant__ variable relative to the running device: device k sees the
// module's variables displaced by hw_thread::deviceDelta. Managed variables exist once, read-only data needs no copy.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"
#include "compiler/device/variable_uses.h"

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
  replaceInFunctions(variable, [&](llvm::IRBuilder<> &builder) {
    llvm::Value *delta = loadField(builder, offsetof(hw_thread, deviceDelta), builder.getInt64Ty());
    return builder.CreateGEP(builder.getInt8Ty(), &variable, delta, variable.getName() + ".here");
  });
}

constexpr uint64_t mostConstants = 0x10000;  // [CUDA 2.2.3.5]

// refuseManyConstants(): what only the compiler has made constant, as it does with `__device__ const` variables and
// with functions' `static const` ones, could lie elsewhere.
void refuseManyConstants(DeviceModule &device) {
  uint64_t bytes = 0;
  for (const Variable &variable : device.variables)
    if (variable.kind == HW_VARIABLE_CONSTANT && variable.global->isExternallyInitialized())
      bytes += device.module.getDataLayout().getTypeAllocSize(variable.global->getValueType());
  if (bytes <= mostConstants) return;
  fail(device, nullptr,
       "the file uses too much global constant data (" + std::to_string(bytes) + " bytes, " +
           std::to_string(mostConstants) + " max)");
}

}  // namespace

void lowerDeviceVariables(DeviceModule &device) {
  refuseManyConstants(device);
  llvm::SmallVector<llvm::GlobalVariable *> variables = displacedVariables(device);
  llvm::SmallVector<llvm::Constant *> constants(variables.begin(), variables.end());
  llvm::convertUsersOfConstantsToInstructions(constants);
  for (llvm::GlobalVariable *variable : variables) displace(*variable);
}

}  // namespace hostwarp::compiler
