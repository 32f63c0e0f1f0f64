// The registers of asynchronous products (wgmma), as far as they are variables.
#ifndef HOSTWARP_COMPILER_DEVICE_PRODUCT_REGISTERS_H
#define HOSTWARP_COMPILER_DEVICE_PRODUCT_REGISTERS_H

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace hostwarp::compiler {

// ProductRegisters knows the statements of a module that begin products.
class ProductRegisters {
 public:
  explicit ProductRegisters(const llvm::Module &module);

  bool none() const { return statements_.empty(); }
  // isResult(): the store is of what a product computes.
  bool isResult(const llvm::Instruction &instruction) const;
  // isOperand(): the load is for other products, or the store of what comes from a statement without text, which only
  // keeps the compiler from moving things.
  bool isOperand(const llvm::Instruction &instruction) const;
  // holdsResult(): a product stores to the variable itself.
  bool holdsResult(const llvm::AllocaInst &variable) const;

 private:
  bool isProduct(const llvm::Value &value) const;

  llvm::SmallPtrSet<const llvm::Function *, 8> statements_;
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_PRODUCT_REGISTERS_H
