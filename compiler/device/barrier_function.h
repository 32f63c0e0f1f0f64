// The function that runs a block whose threads wait for one another only at barriers for the whole block.
#ifndef HOSTWARP_COMPILER_DEVICE_BARRIER_FUNCTION_H
#define HOSTWARP_COMPILER_DEVICE_BARRIER_FUNCTION_H

#include "compiler/device/block_function.h"

namespace hostwarp::compiler {

// BarrierFunction has a work-item loop for each region: over rows of threads and, inside, over x. All threads of the
// block execute the region before any executes the next one. A kernel of one region that prefers columns has loops over
// columns and, inside, over y.
class BarrierFunction : public BlockFunction {
 public:
  using BlockFunction::BlockFunction;

 private:
  Waits replaceWaits() override { return {exchanges()}; }
  void addLoops() override;
  uint32_t code(unsigned region) const override;

  void addRegionLoop(unsigned index);
  void addRows(unsigned index, llvm::BasicBlock *start);
  void addColumns(unsigned index, llvm::BasicBlock *start);
  void addThreads(LoopParts &parts, const ThreadFields &fields, llvm::PHINode &inner, llvm::Value *extent,
                  llvm::BasicBlock *rowEnd);
  void endRows(const Region &region, llvm::Value *goesOn, llvm::BasicBlock *row);
  llvm::Value *goToNextRow(llvm::PHINode &y, llvm::PHINode &z, llvm::Value *rows);
  void addStragglerLoop();
  void addNarrowStart();
  llvm::Value *isNarrow();
  llvm::Value *isBeforeBarrier(llvm::Value *code);
  void goOn(bool together);
  llvm::BasicBlock *wayInto(unsigned region);
  void tellOfSomeAtBarrier(llvm::Value &standing);
  void tellOfBarrier(llvm::IRBuilder<> &builder, llvm::Value *states);

  llvm::BasicBlock *stragglers_ = nullptr;  // the loop over diverged threads; null: none needed
  llvm::DenseMap<unsigned, llvm::BasicBlock *> checkedWays_;
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_BARRIER_FUNCTION_H
