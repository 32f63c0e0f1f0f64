// The mangled names of what a source points at, for NVRTC's name expressions.
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

void writeLoweredNames(DeviceModule &device, llvm::StringRef file) {
  constexpr llvm::StringLiteral prefix = "__hw_lowered_name_";
  std::error_code error;
  llvm::raw_fd_ostream out(file, error);
  if (error) {
    device.errors.push_back("hwcc-device: error: cannot write '" + file.str() + "': " + error.message());
    return;
  }
  llvm::SmallVector<llvm::GlobalVariable *> found;
  for (llvm::GlobalVariable &variable : device.module.globals()) {
    llvm::StringRef number = variable.getName();
    if (!number.consume_front(prefix) || !variable.hasInitializer()) continue;
    const llvm::Value *target = variable.getInitializer()->stripPointerCasts();
    out << number << " " << target->getName() << "\n";
    found.push_back(&variable);
  }
  llvm::removeFromUsedLists(device.module,
                            [&](llvm::Constant *used) { return llvm::is_contained(found, used->stripPointerCasts()); });
  for (llvm::GlobalVariable *variable : found) variable->eraseFromParent();
}

}  // namespace hostwarp::compiler
