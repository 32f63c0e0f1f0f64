// How generated code reads the running thread's hw_thread.
#ifndef HOSTWARP_COMPILER_DEVICE_THREAD_STATE_H
#define HOSTWARP_COMPILER_DEVICE_THREAD_STATE_H

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/device/abi_functions.h"

namespace hostwarp::compiler {

// selfCall() emits a call of hw_self() at the builder's place; lowerSelf() makes it a TLS load.
llvm::Value *selfCall(llvm::IRBuilder<> &builder);

// isCurrentThread(): the value is the address of the running thread's hw_thread, once lowerSelf() has run.
bool isCurrentThread(const llvm::Value &value);

// markInvariant() says that the memory never changes while the kernel runs; returns its argument.
llvm::LoadInst *markInvariant(llvm::LoadInst *load);

// loadField() reads the field of hw_thread at `offset`: what differs between the threads of a block as a call of the
// field's `read` (thread_fields.h), which lowerThreadFields() makes a load; all else as an invariant load, since no
// other field but spinBudget changes while the block runs.
llvm::Value *loadField(llvm::IRBuilder<> &builder, size_t offset, llvm::Type *type);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_THREAD_STATE_H
