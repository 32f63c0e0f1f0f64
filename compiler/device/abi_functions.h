// What compiled code may rely on of the device ABI's functions.
#ifndef HOSTWARP_COMPILER_DEVICE_ABI_FUNCTIONS_H
#define HOSTWARP_COMPILER_DEVICE_ABI_FUNCTIONS_H

#include <llvm/IR/Module.h>

namespace hostwarp::compiler {

// abiFunction() declares a function of the device ABI with the given signature, as abi_functions.def describes it.
llvm::FunctionCallee abiFunction(llvm::Module &module, llvm::StringRef name, llvm::Type *result,
                                 llvm::ArrayRef<llvm::Type *> parameters);

// describeAbi() makes the front end's declarations of ABI functions, and their calls, say what abi_functions.def says.
void describeAbi(llvm::Module &module);

// neverBlocks(): the function of this name returns without waiting for another thread.
bool neverBlocks(llvm::StringRef name);

// staysInBlock(): the function of this name waits, if at all, for threads of the caller's block.
bool staysInBlock(llvm::StringRef name);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_ABI_FUNCTIONS_H
