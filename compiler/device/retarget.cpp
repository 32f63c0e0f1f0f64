// Gives the module the host's triple, data layout and code-generation attributes.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/device/llvm_versions.h"
#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

void dropNvptxAttributes(llvm::Function &function) {
  for (const char *name : {"target-cpu", "target-features", "frame-pointer", "uniform-work-group-size",
                           "stack-protector-buffer-size", "nvvm.minctasm", "nvvm.maxnreg"})
    function.removeFnAttr(name);
  function.setCallingConv(llvm::CallingConv::C);
  function.setDSOLocal(!function.isDeclaration());
  // A fiber engine unwinds nothing, but profilers and debuggers walk these stacks.
  if (!function.isDeclaration()) function.setUWTableKind(llvm::UWTableKind::Async);
  function.setDoesNotThrow();
  // A barrier in tail position must return to the user's line, which diagnoses name; and a frame larger than a stack's
  // guard must touch it.
  function.addFnAttr("disable-tail-calls", "true");
  function.addFnAttr("probe-stack", "inline-asm");
  // On a GPU an access to address 0 fails like any other that is not mapped; it is no licence to drop the code.
  function.addFnAttr(llvm::Attribute::NullPointerIsValid);
}

void dropCallingConventions(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) call->setCallingConv(llvm::CallingConv::C);
}

void replaceModuleFlags(llvm::Module &module) {
  llvm::SmallVector<llvm::Module::ModuleFlagEntry> kept;
  llvm::SmallVector<llvm::Module::ModuleFlagEntry> flags;
  module.getModuleFlagsMetadata(flags);
  for (const auto &flag : flags)
    if (flag.Key->getString() == "Debug Info Version" || flag.Key->getString() == "wchar_size") kept.push_back(flag);
  if (llvm::NamedMDNode *node = module.getModuleFlagsMetadata()) node->eraseFromParent();
  for (const auto &flag : kept) module.addModuleFlag(flag.Behavior, flag.Key->getString(), flag.Val);
  module.addModuleFlag(llvm::Module::Max, "Dwarf Version", 4);
  module.setPICLevel(llvm::PICLevel::BigPIC);
  module.setUwtable(llvm::UWTableKind::Async);
}

void dropMetadataLists(llvm::Module &module) {
  for (const char *name : {"nvvm.annotations", "llvm.ident", "nvvmir.version"})
    if (llvm::NamedMDNode *node = module.getNamedMetadata(name)) node->eraseFromParent();
  for (const char *name : {"llvm.global.annotations", "llvm.compiler.used", "llvm.used"})
    if (llvm::GlobalVariable *list = module.getGlobalVariable(name)) list->eraseFromParent();
}

}  // namespace

void retarget(DeviceModule &device, llvm::TargetMachine &machine) {
  llvm::Module &module = device.module;
  setTriple(module, machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  replaceModuleFlags(module);
  dropMetadataLists(module);
  for (llvm::Function &function : module) {
    dropNvptxAttributes(function);
    dropCallingConventions(function);
  }
  for (llvm::GlobalVariable &global : module.globals())
    if (global.isDeclaration()) global.setDSOLocal(false);
}

}  // namespace hostwarp::compiler
