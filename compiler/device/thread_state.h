// How generated code reads the running thread's hw_thread.
#ifndef HOSTWARP_COMPILER_DEVICE_THREAD_STATE_H
#define HOSTWARP_COMPILER_DEVICE_THREAD_STATE_H

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace hostwarp::compiler {

// selfCall() emits a call of hw_self() at the builder's place; lowerSelf() makes it a TLS load.
llvm::Value *selfCall(llvm::IRBuilder<> &builder);

// markInvariant() says that the memory never changes while the kernel runs; returns its argument.
llvm::LoadInst *markInvariant(llvm::LoadInst *load);

// loadField() reads the field of hw_thread at `offset`. The load is marked invariant: no field but spinBudget changes
// during the life of a thread.
llvm::Value *loadField(llvm::IRBuilder<> &builder, size_t offset, llvm::Type *type);

// abiFunction() declares a function of the device ABI with the given signature.
llvm::FunctionCallee abiFunction(llvm::Module &module, llvm::StringRef name, llvm::Type *result,
                                 llvm::ArrayRef<llvm::Type *> parameters);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_THREAD_STATE_H
