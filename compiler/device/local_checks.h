// Checks of accesses that turn out to be of local variables: those that functions were given the addresses of, and that
// have become part of the variables' own functions.
#ifndef HOSTWARP_COMPILER_DEVICE_LOCAL_CHECKS_H
#define HOSTWARP_COMPILER_DEVICE_LOCAL_CHECKS_H

#include <llvm/IR/Instructions.h>

namespace llvm {
class PassBuilder;
}

namespace hostwarp::compiler {

// objectBytes() is the size of the variable that a value is, 0 where that is not known: `extern __shared__`, a pointer.
uint64_t objectBytes(const llvm::Value &object, const llvm::DataLayout &layout);

// isInside(): an access of so many bytes at the address is sure to stay within the variable.
bool isInside(const llvm::Value &address, const llvm::Value &bytes, const llvm::Value &object, uint64_t objectBytes,
              const llvm::DataLayout &layout);

// checkedLocal() is the local variable that the check is about; null: that is not known.
const llvm::AllocaInst *checkedLocal(const llvm::CallInst &check);

// dropLocalChecks() takes the checks of local variables away that stay within them, and tells whether there were any.
// pre: no products are in flight in the module, whose registers are told of wherever they are.
bool dropLocalChecks(llvm::Function &function);

// dropLocalChecks() registers the pass that does so while functions are inlined, and has the variables be registers
// from then on.
void dropLocalChecks(llvm::PassBuilder &builder);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LOCAL_CHECKS_H
