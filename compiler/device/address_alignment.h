// What an address says of its own alignment: a GPU refuses an access whose address is not a multiple of its size, a CPU
// does not, and so the code has to look where the form of the address leaves it open.
#ifndef HOSTWARP_COMPILER_DEVICE_ADDRESS_ALIGNMENT_H
#define HOSTWARP_COMPILER_DEVICE_ADDRESS_ALIGNMENT_H

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <optional>

namespace hostwarp::compiler {

// Access is one that a GPU makes at multiples of `alignment` bytes only.
struct Access {
  llvm::Instruction *instruction;
  llvm::Value *address;
  uint64_t alignment;
};

// accessesOf() are the function's loads, stores, atomics and copies of aligned structures. What a structure's members
// have in common counts where all of them are accessed together, as then a GPU's code accesses them at once.
std::vector<Access> accessesOf(llvm::Function &function);

// callOfBody() is where the entry does nothing but call the kernel, or what the kernel is but for a call; null:
// nowhere.
llvm::CallInst *callOfBody(llvm::Function &entry);

// kernelParameter() is the number of the kernel's parameter whose value this is, in the entry or in what `call` calls.
std::optional<unsigned> kernelParameter(const llvm::Value &value, const llvm::Function &entry,
                                        const llvm::CallInst *call);

// AddressAlignment tells of one address whether it is a multiple of `alignment`.
class AddressAlignment {
 public:
  enum class Promise {
    Kept,      // it is, as far as types go: what memory holds and functions return is taken for right
    Local,     // it is in local memory, which a GPU's compiler may keep in registers, where no alignment counts
    ByOthers,  // it is if parameters() are multiples of the alignment
    None,      // an offset or a number may make it anything
  };

  // `isParameter` says what is a kernel's parameter. With `trusting` false, what memory holds promises nothing.
  AddressAlignment(const llvm::DataLayout &layout, uint64_t alignment,
                   llvm::function_ref<bool(const llvm::Value &)> isParameter, bool trusting)
      : layout_(layout), alignment_(alignment), isParameter_(isParameter), trusting_(trusting) {}

  Promise of(llvm::Value &address);
  llvm::ArrayRef<llvm::Value *> parameters() const { return parameters_.getArrayRef(); }

 private:
  Promise ofNumber(llvm::Value &number);
  Promise ofSum(llvm::ArrayRef<llvm::Value *> terms);
  Promise ofOffsets(llvm::GEPOperator &address);
  Promise ofAll(llvm::User &values, unsigned from);
  Promise ofSource(llvm::Value &source);
  bool isMultiple(llvm::Value &number, uint64_t scale) const;

  const llvm::DataLayout &layout_;
  uint64_t alignment_;
  llvm::function_ref<bool(const llvm::Value &)> isParameter_;
  bool trusting_;
  llvm::SmallPtrSet<llvm::Value *, 8> seen_;
  llvm::SmallSetVector<llvm::Value *, 4> parameters_;
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_ADDRESS_ALIGNMENT_H
