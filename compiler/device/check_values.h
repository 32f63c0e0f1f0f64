// What messages of the checked build say of the values that are read and written.
#ifndef HOSTWARP_COMPILER_DEVICE_CHECK_VALUES_H
#define HOSTWARP_COMPILER_DEVICE_CHECK_VALUES_H

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

namespace hostwarp::compiler {

// kindTraits() is how people write what is read or written, as hw_access_traits: numbers of which kind, how many.
uint32_t kindTraits(const llvm::Type &type, const llvm::DataLayout &layout);
// The same of what is copied, as far as the code shows its type.
uint32_t kindTraits(const llvm::MemTransferInst &copy);

// wide() is what an access writes as 64 bits; null where it is more, or no number.
llvm::Value *wide(llvm::IRBuilder<> &builder, llvm::Value *value);

// stored() puts a wider value where its address can be told; null for what is no number either.
llvm::Value *stored(llvm::IRBuilder<> &builder, llvm::Value *value);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_CHECK_VALUES_H
