// What threads know of a value where they have compared it.
#ifndef HOSTWARP_COMPILER_DEVICE_GUARDED_VALUES_H
#define HOSTWARP_COMPILER_DEVICE_GUARDED_VALUES_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Function.h>

namespace hostwarp::compiler {

// useGuardedValues() has code behind `if (threadIdx.x == k)` compute with k, which all threads have, in the place of
// the value that differs between them. `sources` are the values that differ.
void useGuardedValues(llvm::Function &function, llvm::ArrayRef<llvm::Value *> sources);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_GUARDED_VALUES_H
