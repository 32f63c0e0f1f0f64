// Cuts a function at its block-wide barriers into regions that a thread runs without waiting.
#ifndef HOSTWARP_COMPILER_DEVICE_BARRIER_REGIONS_H
#define HOSTWARP_COMPILER_DEVICE_BARRIER_REGIONS_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>

#include <vector>

#include "compiler/device/uniform_values.h"

namespace hostwarp::compiler {

// Region is what a thread runs from the function's beginning or from a barrier to the next barrier or the end.
struct Region {
  llvm::BasicBlock *entry = nullptr;
  llvm::SmallSetVector<llvm::BasicBlock *, 16> blocks;  // all that can be reached without crossing a barrier
  llvm::SmallSetVector<unsigned, 4> next;               // regions that may follow; BarrierRegions::exit(): none
  bool nextIsUniform = true;                            // all threads of the block go on with the same one
};

// Slot is memory for a value that is needed behind a barrier. The function stores to `storage` and loads from it.
struct Slot {
  llvm::AllocaInst *storage = nullptr;
  bool uniform = false;                       // one value for all threads
  llvm::SmallDenseSet<unsigned, 4> liveInto;  // regions that begin with the value in use
};

class BarrierRegions {
 public:
  // `start` is the function's first block, whose values all regions may use; `threadValues`, among them, differ between
  // threads. `barriers` are its calls of hw_barrier() for all threads.
  BarrierRegions(llvm::Function &function, llvm::BasicBlock &start, llvm::ArrayRef<llvm::Value *> threadValues,
                 llvm::ArrayRef<llvm::CallInst *> barriers);

  const std::vector<Region> &regions() const { return regions_; }
  const std::vector<Slot> &slots() const { return slots_; }
  unsigned exit() const { return static_cast<unsigned>(regions_.size()); }
  // after() is the region behind the barrier that ends `block`; null if none does.
  const unsigned *after(const llvm::BasicBlock *block) const {
    auto found = after_.find(block);
    return found == after_.end() ? nullptr : &found->second;
  }
  // instructionCount() is the size of all regions together: a block may belong to several.
  size_t instructionCount() const;

 private:
  using Values = llvm::SmallSetVector<llvm::Instruction *, 16>;

  void split(llvm::ArrayRef<llvm::CallInst *> barriers);
  void findRegion(Region &region) const;
  bool separatesAtEnd(const Region &region, const UniformValues &uniform) const;
  std::vector<unsigned> endsBetween(llvm::BasicBlock &from, const llvm::BasicBlock *until) const;
  void findLiveValues();
  bool mayShare() const;
  bool isCheap(const llvm::Value &value, unsigned &budget) const;
  void compute(llvm::Instruction &value);
  llvm::Value *copyAt(llvm::Value &value, llvm::BasicBlock &block);
  void keepInSlot(llvm::Instruction &value, bool uniform);

  llvm::Function &function_;
  llvm::BasicBlock &start_;
  std::vector<Region> regions_;
  std::vector<Slot> slots_;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> after_;
  std::vector<Values> liveInto_;  // per region
  llvm::DenseMap<std::pair<llvm::Value *, llvm::BasicBlock *>, llvm::Value *> copies_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Instruction *> lastCopy_;
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_BARRIER_REGIONS_H
