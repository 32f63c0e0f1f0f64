// Cuts a function at its block-wide barriers, and at meeting points (convergence points put in for speed), into regions
// that a thread runs without waiting.
#ifndef HOSTWARP_COMPILER_DEVICE_BARRIER_REGIONS_H
#define HOSTWARP_COMPILER_DEVICE_BARRIER_REGIONS_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>

#include <vector>

#include "compiler/device/uniform_values.h"

namespace hostwarp::compiler {

// Boundaries are where regions end: barriers for all threads of the block, and meeting points (addMeetingPoints()), at
// which threads may converge but need not. The last `stops` of the barriers are forced yields (addSpinBoundaries()):
// the thread lets others run and then goes on alone.
struct Boundaries {
  llvm::ArrayRef<llvm::CallInst *> barriers, meetingPoints;
  unsigned stops = 0;
};

// Region is what a thread runs from the function's beginning or from a boundary to the next one or the end.
struct Region {
  llvm::BasicBlock *entry = nullptr;
  llvm::SmallSetVector<llvm::BasicBlock *, 16> blocks;  // all that can be reached without crossing a boundary
  llvm::SmallSetVector<unsigned, 4> next;               // regions that may follow; BarrierRegions::exit(): none
  bool nextIsUniform = true;                            // all threads of the block go on with the same one
};

// Slot is memory for a value that is live across a boundary. The function stores to `storage` and loads from it.
struct Slot {
  llvm::AllocaInst *storage = nullptr;
  bool uniform = false;                       // one value for all threads
  llvm::SmallDenseSet<unsigned, 4> liveInto;  // regions that begin with the value in use
};

class BarrierRegions {
 public:
  // `start` is the function's first block, whose values all regions may use; `threadValues`, among them, differ between
  // threads.
  BarrierRegions(llvm::Function &function, llvm::BasicBlock &start, llvm::ArrayRef<llvm::Value *> threadValues,
                 const Boundaries &boundaries);

  // regions() lists first the beginning and the regions behind barriers, then those behind meeting points.
  const std::vector<Region> &regions() const { return regions_; }
  const std::vector<Slot> &slots() const { return slots_; }
  unsigned exit() const { return static_cast<unsigned>(regions_.size()); }
  // whole() is all code as one region that ends at barriers only. Stragglers run it: they ignore meeting points.
  const Region &whole() const { return whole_; }
  bool beginsAtBarrier(unsigned region) const { return region <= barriers_; }
  // joined() is what a thread runs from the region's beginning when it goes on through the boundaries before `passed`.
  using Passed = llvm::SmallDenseSet<unsigned, 8>;
  Region joined(unsigned region, const Passed &passed) const;
  // passedApart() are those of `passed` that some threads may come to on their way through `joined` while others do
  // not.
  Passed passedApart(const Region &joined, const Passed &passed) const;
  unsigned meetingPoints() const { return exit() - barriers_ - 1; }
  // after() is the region behind the boundary that ends `block`; null if none does.
  const unsigned *after(const llvm::BasicBlock *block) const {
    auto found = after_.find(block);
    return found == after_.end() ? nullptr : &found->second;
  }
  // afterBarrier() is the same for a barrier.
  const unsigned *afterBarrier(const llvm::BasicBlock *block) const {
    const unsigned *next = after(block);
    return next && beginsAtBarrier(*next) ? next : nullptr;
  }
  // instructionCount() is the size of all regions and of whole() together; a basic block may count several times.
  size_t instructionCount() const;

 private:
  using Values = llvm::SmallSetVector<llvm::Instruction *, 16>;

  enum class Stop { AtBarriers, AtBoundaries };

  void split(const Boundaries &boundaries);
  const unsigned *end(const llvm::BasicBlock *block, Stop stop) const {
    return stop == Stop::AtBarriers ? afterBarrier(block) : after(block);
  }
  using EndOf = llvm::function_ref<const unsigned *(const llvm::BasicBlock *)>;
  void explore(Region &region, EndOf endOf) const;
  void explore(Region &region, Stop stop) const;
  bool separatesAtEnd(const Region &region, const UniformValues &uniform, Stop stop) const;
  bool mayLeave(const llvm::BasicBlock &from, const llvm::BasicBlock *meeting, const Passed &passed) const;
  std::vector<unsigned> endsBetween(llvm::BasicBlock &from, const llvm::BasicBlock *until, Stop stop) const;
  void findLiveValues();
  Values liveValues() const;
  using Ends = llvm::SmallSetVector<unsigned, 4>;
  Ends endsFrom(llvm::BasicBlock &from, const llvm::BasicBlock *until, Stop stop) const;
  bool overtakesAt(llvm::BasicBlock &branch, const UniformValues &uniform, Stop stop) const;
  llvm::SmallVector<llvm::Value *> turnsApart(const UniformValues &uniform) const;
  bool staysTogether(const UniformValues &uniform) const;
  bool partsAtStops(const UniformValues &uniform) const;
  bool mayShare(llvm::Instruction &value) const;
  void noteMeetings(const UniformValues &uniform);
  void operandsToShare(const llvm::Instruction &value, const UniformValues &uniform, Values &found,
                       unsigned depth) const;
  void computeCheapValues(const UniformValues &uniform, bool together);
  llvm::Instruction *rootOf(llvm::Instruction &value) const;
  void computeFromRoots(const UniformValues &uniform, bool together);
  bool isCheap(const llvm::Value &value, const Values &common, unsigned &budget) const;
  void compute(llvm::Instruction &value, const Values &common);
  llvm::Value *copyAt(llvm::Value &value, const Values &common, llvm::BasicBlock &block);
  llvm::Value *copyBefore(llvm::Value &value, const Values &common, llvm::Instruction &user);
  void keepInSlot(llvm::Instruction &value, bool uniform);

  llvm::Function &function_;
  llvm::BasicBlock &start_;
  unsigned barriers_ = 0, stops_ = 0;
  std::vector<Region> regions_;
  Region whole_;
  std::vector<Slot> slots_;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> after_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> meetings_;  // of blocks that separate threads
  std::vector<Values> liveInto_;                                           // per region
  llvm::DenseMap<std::pair<llvm::Value *, llvm::BasicBlock *>, llvm::Value *> copies_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Instruction *> lastCopy_;
  llvm::DenseSet<const llvm::Instruction *> made_;  // the copies, of which UniformValues knows nothing
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_BARRIER_REGIONS_H
