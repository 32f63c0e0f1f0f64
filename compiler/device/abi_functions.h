// What compiled code may rely on of the device ABI's functions.
#ifndef HOSTWARP_COMPILER_DEVICE_ABI_FUNCTIONS_H
#define HOSTWARP_COMPILER_DEVICE_ABI_FUNCTIONS_H

#include <llvm/IR/Module.h>

namespace hostwarp::compiler {

// The operations of 16 bits that may be fused, hw_math_fusible_half_add and so on, and what two become together,
// hw_math_fused_half. They calculate, and have code when all is decided: that of compiler/math_library.
inline constexpr llvm::StringLiteral fusible = "hw_math_fusible_", fused = "hw_math_fused_";

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
