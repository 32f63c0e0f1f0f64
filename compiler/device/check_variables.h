// The variables that findings of the checked build can name.
#ifndef HOSTWARP_COMPILER_DEVICE_CHECK_VARIABLES_H
#define HOSTWARP_COMPILER_DEVICE_CHECK_VARIABLES_H

#include <llvm/IR/IRBuilder.h>

#include "compiler/device/device_module.h"

namespace hostwarp::compiler {

// noteSharedVariables() has each function note the shared variables that it uses, as calls in which their addresses
// become known. pre: they have no places yet.
void noteSharedVariables(llvm::Module &module);

// CheckVariables makes tables of variables, hw_check_variables.
class CheckVariables {
 public:
  explicit CheckVariables(DeviceModule &device);

  // global() is the table of the module's own variables, sharedOf() of the shared ones that the function has noted,
  // whose notes are gone then. Null pointers where there are none.
  llvm::Constant *global() const { return global_; }
  llvm::Constant *sharedOf(llvm::Function &function);

 private:
  struct Row;
  llvm::Constant *text(llvm::StringRef content);
  llvm::Constant *make(llvm::Constant *value, const char *name);
  llvm::Constant *row(const Row &row);
  llvm::Constant *table(llvm::ArrayRef<llvm::Constant *> rows);
  llvm::Constant *globalTable(const DeviceModule &device);

  llvm::Module &module_;
  llvm::IRBuilder<> builder_;
  llvm::Constant *global_;
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_CHECK_VARIABLES_H
