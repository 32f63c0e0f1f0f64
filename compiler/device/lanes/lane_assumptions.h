// What may be assumed of the lanes of one vector, and looked at before its code runs.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_LANE_ASSUMPTIONS_H
#define HOSTWARP_COMPILER_DEVICE_LANES_LANE_ASSUMPTIONS_H

#include <llvm/ADT/SetVector.h>

#include <map>

#include "compiler/device/lanes/lane_patterns.h"
#include "compiler/device/lanes/lane_shapes.h"

namespace hostwarp::compiler {

// LaneAssumptions finds the accesses of a block whose addresses follow each other unless a few instructions, the
// pivots, tell lanes apart: a coordinate is clamped at an image's edge, a row ends among the lanes, a number wraps
// around. With the pivots' tests in front of it the block's code need not look at its addresses one by one.
class LaneAssumptions {
 public:
  static constexpr size_t mostOfBlock = 400;  // instructions of a block that becomes two

  // `areAllThere`: no lane is masked in the block, so that what the program promises of its numbers holds for all.
  // `common`: values of which it pays to know that they are the same for all. `evolution` tells which accesses are
  // members of one structure.
  LaneAssumptions(const LaneShapes &shapes, llvm::ScalarEvolution &evolution, const llvm::BasicBlock &block,
                  unsigned lanes, bool areAllThere, llvm::ArrayRef<const llvm::Value *> common = {});

  // pivots() are what has to be tested, those that others depend on first; none: there is nothing to gain.
  llvm::ArrayRef<const llvm::Instruction *> pivots() const { return tested_.getArrayRef(); }
  // of() is the value's shape where all tests hold.
  Shape of(const llvm::Value &value) const;
  // outcomeOf() is the value that a pivot that compares for equality has for all lanes; nothing: it is no such.
  std::optional<bool> outcomeOf(const llvm::Value &value) const;
  // passedOn() is the operand whose values a pivot hands on as they are; null: it is no such.
  const llvm::Value *passedOn(const llvm::Instruction &instruction) const;
  // isComputable(): the first lane's value follows from what is known before the block's code runs.
  bool isComputable(const llvm::Value &value) const;

 private:
  using Pivots = llvm::SmallSetVector<const llvm::Instruction *, 4>;
  struct Assumed {
    Shape shape;
    Pivots pivots;
  };

  bool isPivot(const llvm::Instruction &instruction) const { return assume(instruction).pivots.contains(&instruction); }
  void consider(const llvm::Instruction &access, LanePatterns &patterns);
  void considerMembers(llvm::ScalarEvolution &evolution);
  void test(const Pivots &pivots);
  const Assumed &assume(const llvm::Value &value) const;
  Assumed assumeNew(const llvm::Instruction &instruction) const;
  Assumed assumeLoad(const llvm::LoadInst &load) const;
  Assumed assumeSelect(const llvm::SelectInst &choice) const;
  Shape shapeAsPivot(const llvm::Instruction &instruction) const;
  Shape shapeOfMask(const llvm::Instruction &mask, Shape lanes) const;
  bool isInRange(const llvm::Value &value, Shape shape) const;
  bool isInOrder(const llvm::Value &value, bool isSigned) const;

  const LaneShapes &shapes_;
  const llvm::BasicBlock &block_;
  const unsigned lanes_;
  const bool areAllThere_;
  mutable std::map<const llvm::Value *, Assumed> known_;
  llvm::SetVector<const llvm::Instruction *> tested_;
};

// isArithmetic(): the instruction computes its value from its operands alone, and may do so where nobody asks.
bool isArithmetic(const llvm::Instruction &instruction);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_LANE_ASSUMPTIONS_H
