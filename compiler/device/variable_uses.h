// Where functions use a variable, for steps that give it another address there.
#ifndef HOSTWARP_COMPILER_DEVICE_VARIABLE_USES_H
#define HOSTWARP_COMPILER_DEVICE_VARIABLE_USES_H

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>

namespace hostwarp::compiler {

// replaceInFunctions() has each function that uses the variable use what `address` makes at its beginning, once for
// each function, instead. What `address` itself uses of it stays. pre: its users that are constants have been made
// instructions.
void replaceInFunctions(llvm::GlobalVariable &variable, llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &)> address);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_VARIABLE_USES_H
