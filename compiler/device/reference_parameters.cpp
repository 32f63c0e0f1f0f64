// Parameters of classes with a copy constructor or destructor of their own: clang's NVPTX target has them copied bit by
// bit at the call, C++ has the callee work on the object that the caller made for it and destroys afterwards.
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

using Types = llvm::SmallPtrSet<llvm::Type *, 16>;

// takeMarks() collects the types of parameters of the functions that clang_plugin/reference_parameters.cpp has added,
// and removes those.
Types takeMarks(llvm::Module &module) {
  Types types;
  llvm::SmallVector<llvm::Function *, 2> marks;
  for (llvm::Function &function : module)
    if (function.getName().starts_with("hostwarp.by_reference")) marks.push_back(&function);
  llvm::removeFromUsedLists(module, [&](llvm::Constant *used) { return llvm::is_contained(marks, used); });
  for (llvm::Function *mark : marks) {
    for (const llvm::Argument &parameter : mark->args()) types.insert(parameter.getParamByValType());
    mark->eraseFromParent();
  }
  types.erase(nullptr);
  return types;
}

// dropCopies() works on functions and calls alike.
template <class FunctionOrCall>
void dropCopies(FunctionOrCall &each, const Types &types) {
  for (unsigned i = 0; i < each.arg_size(); ++i)
    if (llvm::Type *type = each.getParamByValType(i); type && types.contains(type))
      each.removeParamAttr(i, llvm::Attribute::ByVal);
}

}  // namespace

void shareReferenceParameters(DeviceModule &device) {
  const Types types = takeMarks(device.module);
  if (types.empty()) return;
  llvm::SmallPtrSet<const llvm::Function *, 16> kernels;  // a launch copies
  for (const Kernel &kernel : device.kernels) kernels.insert(kernel.function);
  for (llvm::Function &function : device.module) {
    if (!kernels.contains(&function)) dropCopies(function, types);
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call && !(call->getCalledFunction() && kernels.contains(call->getCalledFunction())))
        dropCopies(*call, types);
  }
}

}  // namespace hostwarp::compiler
