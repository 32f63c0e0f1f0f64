// Builds the function that runs a whole block of a kernel as loops over its threads, one loop between two barriers.
#ifndef HOSTWARP_COMPILER_DEVICE_BLOCK_FUNCTION_H
#define HOSTWARP_COMPILER_DEVICE_BLOCK_FUNCTION_H

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <memory>

#include "compiler/device/barrier_regions.h"
#include "compiler/device/thread_fields.h"

namespace hostwarp::compiler {

// BlockFunction is void (void *const *args, void *frame). The entry's code becomes, for each region, a loop over rows
// of threads with one over x inside, which LLVM vectorises; and where threads of a block may part, one more loop that
// takes each thread on from where it stands to the next barrier. The frame keeps what threads need behind a boundary,
// an array for each value.
class BlockFunction {
 public:
  explicit BlockFunction(llvm::Function &entry);

  // build() returns the function; null when it would become too large. pre: threads wait for each other at barriers for
  // the whole block only.
  llvm::Function *build(const llvm::Twine &name);
  // frameBytes() is what the function needs of the frame for each thread.
  uint64_t frameBytes() const { return frameBytes_; }

 private:
  struct LoopParts;

  void cloneEntry(const llvm::Twine &name);
  void addStart();
  void replaceSelf();
  void replaceFields(llvm::Value &base, int64_t offset);
  void hoistInvariants();
  void collectLocals();
  llvm::SmallVector<llvm::CallInst *> barriers() const;
  void layOutFrame();
  uint64_t place(llvm::Type *type, llvm::Align alignment);
  void addRegionLoop(unsigned index);
  void addStragglerLoop();
  void finish();

  llvm::BasicBlock *newBlock(const llvm::Twine &name);
  llvm::PHINode *counter(llvm::BasicBlock *at, llvm::Value *start, llvm::BasicBlock *from, const char *name);
  llvm::Value *arrayElement(uint64_t offset, uint64_t bytes, llvm::Value *linear);
  ThreadFields fieldsOf(llvm::Value *x, llvm::Value *y, llvm::Value *z, llvm::Value *linear);
  void beginTurn(LoopParts &parts, const ThreadFields &fields);
  void mapLocals(LoopParts &parts, const ThreadFields &fields);
  void mapSlots(LoopParts &parts, const ThreadFields &fields);
  llvm::AllocaInst *temporary(llvm::Type *type);
  llvm::Value *slotElement(const Slot &slot, const ThreadFields &fields);
  void copyBlocks(LoopParts &parts, llvm::BasicBlock *end);
  void saveSlots(const LoopParts &parts, const ThreadFields &fields);
  llvm::Value *ifNeeded(const LoopParts &parts, const Slot &slot, llvm::Value *value);
  bool isNeeded(const LoopParts &parts, const Slot &slot) const;
  void beginSharing();
  void endSharing();
  void beginNext();
  void noteNext(llvm::Value *next, const ThreadFields &fields);
  bool tellCallees(llvm::ArrayRef<llvm::BasicBlock *> blocks, const ThreadFields &fields);
  bool seesThread(const llvm::CallBase &call) const;
  void allowReordering(llvm::ArrayRef<llvm::BasicBlock *> blocks, llvm::BranchInst &latch);
  void keepScalar(llvm::BranchInst &latch);
  void goOn(bool together);
  void addNarrowStart();

  llvm::Function &entry_;
  llvm::Module &module_;
  llvm::IRBuilder<> builder_;
  llvm::TargetLibraryInfoImpl library_{llvm::Triple(module_.getTargetTriple())};

  llvm::Function *function_ = nullptr;
  llvm::BasicBlock *start_ = nullptr;
  llvm::BasicBlock *done_ = nullptr;
  llvm::CallInst *self_ = nullptr;
  llvm::Value *width_ = nullptr, *height_ = nullptr, *depth_ = nullptr, *threads_ = nullptr;
  llvm::Value *isNarrow_ = nullptr;  // null: nothing depends on it
  ThreadFields placeholders_{};
  llvm::SmallVector<llvm::BasicBlock *> original_;

  std::unique_ptr<BarrierRegions> regions_;
  llvm::SmallVector<llvm::AllocaInst *> locals_;
  llvm::DenseMap<const llvm::AllocaInst *, uint64_t> offsets_;  // of locals and of slots that differ between threads
  uint64_t stateOffset_ = 0;
  uint64_t frameBytes_ = 0;

  llvm::SmallVector<llvm::BasicBlock *> loopStarts_;  // per region
  llvm::BasicBlock *stragglers_ = nullptr;            // the loop over threads that stand at different places
  llvm::BasicBlock *first_ = nullptr;                 // what follows the start
  llvm::AllocaInst *lowestNext_ = nullptr, *highestNext_ = nullptr;
  llvm::MapVector<const Slot *, llvm::AllocaInst *> pending_;  // uniform values on their way to the next region
  llvm::SmallVector<llvm::AllocaInst *> temporaries_;          // to be made values again
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_BLOCK_FUNCTION_H
