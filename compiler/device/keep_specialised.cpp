// The specialised build: one kernel of a module, for blocks of one shape. Nothing that only other kernels need is
// compiled.
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include "compiler/device/indirect_calls.h"
#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// dropUnused() drops what the kernel does not reach.
void dropUnused(DeviceModule &device, const llvm::Function &kernel) {
  llvm::Module &module = device.module;
  for (const char *list : {"llvm.used", "llvm.compiler.used", "llvm.global.annotations"})
    if (llvm::GlobalVariable *keeps = module.getGlobalVariable(list)) keeps->eraseFromParent();
  llvm::SmallVector<llvm::WeakTrackingVH> globals;
  for (const Variable &variable : device.variables) globals.emplace_back(variable.global);
  llvm::internalizeModule(module, [&](const llvm::GlobalValue &value) { return &value == &kernel; });
  llvm::ModuleAnalysisManager analyses;
  llvm::GlobalDCEPass().run(module, analyses);
  size_t i = 0;
  llvm::erase_if(device.variables, [&](const Variable &) { return !globals[i++].pointsToAliveValue(); });
}

bool isVirtualTable(const llvm::Value &value) { return value.getName().starts_with("__hwd__ZTV"); }

// isTold(): code may see the address, or put it where other code sees it. No program sees what a table of virtual
// functions holds.
bool isTold(const llvm::Constant &address) {
  return llvm::any_of(address.uses(), [](const llvm::Use &use) {
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(use.getUser()))
      return !isVirtualTable(*constant) && !constant->getName().starts_with("llvm.") && isTold(*constant);
    return isAddress(use);
  });
}

}  // namespace

void keepSpecialised(DeviceModule &device) {
  const Options &options = device.options;
  if (options.build != Build::Specialised) return;
  llvm::erase_if(device.kernels, [&](const Kernel &kernel) { return kernel.name != options.kernel; });
  if (device.kernels.empty() || options.relocatable) {
    device.errors.push_back(options.source + ": error: " + options.kernel +
                            (options.relocatable ? " may use what other units define" : " is not in this image"));
    return;
  }
  Kernel &kernel = device.kernels.front();
  kernel.expectedBlock = options.expectedBlock;
  kernel.expectsNoOther = true;
  dropUnused(device, *kernel.function);
}

void refuseOwnAddresses(DeviceModule &device) {
  if (device.options.build != Build::Specialised) return;
  for (llvm::Function &function : device.module) {
    if (function.isDeclaration()) continue;
    function.removeDeadConstantUsers();
    if (!isTold(function)) continue;
    device.errors.push_back(device.options.source + ": error: " + device.options.kernel +
                            " may tell the address of a function");
    return;
  }
}

}  // namespace hostwarp::compiler
