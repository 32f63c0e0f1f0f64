// Functions' addresses, and calls by them.
#ifndef HOSTWARP_COMPILER_DEVICE_INDIRECT_CALLS_H
#define HOSTWARP_COMPILER_DEVICE_INDIRECT_CALLS_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace hostwarp::compiler {

bool isIndirect(const llvm::CallBase &call);

// isAddress(): a use of a function is of its address, other than to call it, or to have the runtime call it.
bool isAddress(const llvm::Use &use);

// possibleCallees() are the functions of the type whose addresses somebody in the module takes.
llvm::SmallVector<llvm::Function *> possibleCallees(const llvm::CallBase &call);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_INDIRECT_CALLS_H
