// Which product each sum of the usual build takes in. A checked build has other code around them, and takes in the
// same, so that it computes the same numbers.
#ifndef HOSTWARP_COMPILER_DEVICE_FUSED_SUMS_H
#define HOSTWARP_COMPILER_DEVICE_FUSED_SUMS_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <array>
#include <cstdint>
#include <optional>

namespace hostwarp::compiler {

// numberOperations() makes the operations' places in the source tell them apart, in all builds alike: line 7 may have
// several, and what the headers are made of has no place.
void numberOperations(llvm::Module &module, llvm::ArrayRef<llvm::Instruction *> operations);

// FusedSums knows operations by their place in the source and those of the calls that they were inlined by, or, since
// LLVM takes the places away from what it moves, by what they calculate.
class FusedSums {
 public:
  // Products has those that a sum might take in as its first and second operand, or null.
  using Products = std::array<const llvm::Instruction *, 2>;

  // note() says what a sum takes in; null: nothing.
  void note(const llvm::Instruction &sum, const llvm::Instruction *product);

  // sideOf() is the operand that the sum of the usual build has taken in, `own` where that is not known.
  std::optional<unsigned> sideOf(const llvm::Instruction &sum, const Products &products,
                                 std::optional<unsigned> own) const;

 private:
  // Identity is what tells an operation in both builds. Keys of places: of the operation alone, of it with the
  // innermost call, with that and the next one ...; none where it has lost its place. The shape is what it calculates.
  struct Identity {
    llvm::SmallVector<uint64_t, 4> places;
    uint64_t shape = 0;
  };
  static Identity identityOf(const llvm::Instruction &operation);
  static bool areSame(const Identity &one, const Identity &other);

  struct Choice {
    std::optional<Identity> product;
    bool isClear = true;  // all sums of the key take in the same
  };
  void note(uint64_t key, const Choice &choice);
  const Choice *choiceOf(const Identity &sum) const;

  llvm::DenseMap<uint64_t, Choice> choices_;
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_FUSED_SUMS_H
