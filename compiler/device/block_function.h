// What the functions have in common that run a whole block of a kernel as loops over its threads.
#ifndef HOSTWARP_COMPILER_DEVICE_BLOCK_FUNCTION_H
#define HOSTWARP_COMPILER_DEVICE_BLOCK_FUNCTION_H

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <memory>
#include <optional>
#include <string>

#include "compiler/device/barrier_regions.h"
#include "compiler/device/device_module.h"
#include "compiler/device/options.h"
#include "compiler/device/thread_fields.h"

namespace hostwarp::compiler {

// exitName is the function that ends a thread.
inline constexpr llvm::StringLiteral exitName = "hw_exit_thread";

// BlockFunction is void (void *const *args, void *frame). The entry's code is cut into regions at the boundaries where
// threads wait for each other. Each region becomes a work-item loop, which LLVM vectorises; it is for threads that are
// converged: all are at the region's beginning. Where threads may diverge, one more loop runs the "stragglers", each
// from where it is to the next barrier. The frame has the context arrays: one for each value that is live across a
// boundary, with an element for each thread.
class BlockFunction {
 public:
  // `shape` is that of all blocks that the function is for; `entry` may have been made for it.
  BlockFunction(llvm::Function &entry, const BlockShape &shape);
  virtual ~BlockFunction() = default;

  // stayTogether(): there is to be no function where threads may part on their way to a boundary. pre: before build().
  void stayTogether() { staysTogether_ = true; }
  // limitTo() says how many instructions, each as often as regions have it, are not too many. pre: before build().
  void limitTo(size_t instructions) { mostInstructions_ = instructions; }
  // build() returns the function; null when the kernel cannot have one, or it would become too large.
  llvm::Function *build(const llvm::Twine &name);
  // whyRefused() says why build() returned null.
  const std::string &whyRefused() const { return whyRefused_; }
  // isTooLong(): it did so because of its instructions, of which there are too many.
  bool isTooLong() const { return isTooLong_; }
  // frameBytes() is what the function needs of the frame for each thread.
  uint64_t frameBytes() const { return frameBytes_; }

 protected:
  // LoopParts is the body of a loop over threads: a copy of a region, or of the code of stragglers, between the basic
  // block that begins a thread's iteration and the one that ends it.
  struct LoopParts {
    LoopParts(const Region &region, std::optional<unsigned> index) : region(&region), index(index) {}

    const Region *region;
    std::optional<unsigned> index;  // of the region; none in the code of stragglers
    llvm::ValueToValueMapTy map;
    llvm::SmallVector<llvm::BasicBlock *> blocks;
    llvm::Value *next = nullptr;  // code() of the region that the thread goes on with; a value of the end block
    // Ways are the blocks that end at a boundary, and the region behind it.
    using Ways = llvm::SmallVector<std::pair<llvm::BasicBlock *, unsigned>>;
    Ways exits;
    // Where several regions are one: the boundaries that the copy goes through, and what stands for arrays in it.
    const BarrierRegions::Passed *passed = nullptr;
    Ways passages;
    llvm::DenseMap<const llvm::AllocaInst *, llvm::AllocaInst *> variableOf;
    struct Variable {
      const Slot *slot;
      llvm::AllocaInst *value;  // during the turn
      bool written;
    };
    llvm::SmallVector<Variable> variables;
  };

  // Waits are the calls at which threads have to wait for others. The last `stops` of them are forced yields, where a
  // thread waits for nothing but its next turn.
  struct Waits {
    llvm::SmallVector<llvm::CallInst *> calls;
    unsigned stops = 0;
  };

  // replaceWaits() returns the calls, which it may replace by others.
  virtual Waits replaceWaits() = 0;
  // addLoops() makes all loops, and sets first_.
  virtual void addLoops() = 0;
  const BlockShape &shape() const { return shape_; }
  // code() is the number that stands for the region in a thread's state.
  virtual uint32_t code(unsigned region) const { return region; }
  // freeCode() is the same for a thread that waits no more.
  virtual uint32_t freeCode(unsigned region) const { return code(region); }
  // keepsUniformSlots(): each warp has uniform slots of its own, which need room in the frame while others run.
  virtual bool keepsUniformSlots() const { return false; }

  // looksAtRows(): the kernel asks for a thread's y or z.
  bool looksAtRows() const { return looksAtRows_; }
  // goesByColumns(): memory lies along y, and nothing stands in the way of loops in which y runs fastest.
  bool goesByColumns() const { return goesByColumns_; }
  // isChecked(): the runtime is told of what happens.
  bool isChecked() const { return module_.getFunction("hw_check_access") != nullptr; }
  // exchanges() are the calls in the entry at which threads wait for each other.
  llvm::SmallVector<llvm::CallInst *> exchanges() const;
  llvm::BasicBlock *newBlock(const llvm::Twine &name);
  llvm::PHINode *counter(llvm::BasicBlock *at, llvm::Value *start, llvm::BasicBlock *from, const char *name);
  llvm::Value *arrayElement(uint64_t offset, uint64_t bytes, llvm::Value *linear);
  llvm::Value *stateOf(llvm::Value *linear) { return arrayElement(stateOffset_, sizeof(uint32_t), linear); }
  llvm::Value *slotElement(const Slot &slot, llvm::Value *linear);
  ThreadFields fieldsOf(llvm::Value *x, llvm::Value *y, llvm::Value *z, llvm::Value *linear);
  ThreadFields fieldsOf(llvm::Value *linear);
  llvm::AllocaInst *temporary(llvm::Type *type);
  void clearStates();

  // addTurn() makes the body of a work-item loop, one iteration through a region: from `turn`, to which the caller adds
  // the terminator, to `end`.
  void addTurn(LoopParts &parts, const ThreadFields &fields, llvm::BasicBlock *turn, llvm::BasicBlock *end);
  // addStragglerTurn() makes the same, from `turn` to `leave`, for a straggler, whose state may be any; returns the
  // state that it has afterwards.
  llvm::Value *addStragglerTurn(llvm::Value *state, const ThreadFields &fields, llvm::BasicBlock *turn,
                                llvm::BasicBlock *leave);
  void endTurn(const LoopParts &parts, const ThreadFields &fields);
  void beginSharing();
  void endSharing();
  void beginNext();
  void noteNext(llvm::Value *next, llvm::Value *linear);
  void endRegionTurn(const LoopParts &parts, const ThreadFields &fields);
  bool tellCallees(llvm::ArrayRef<llvm::BasicBlock *> blocks, const ThreadFields &fields);
  void markRows(llvm::BranchInst &latch);
  void markJoined(llvm::BranchInst &latch, unsigned number);
  void markSpare(llvm::BranchInst &latch, unsigned number);
  void markLookUp(llvm::BranchInst &latch);
  void markShortRows(llvm::BranchInst &latch);
  void keepScalar(llvm::BranchInst &latch);
  void closeThreads(const LoopParts &parts, const ThreadFields &fields, llvm::BranchInst &latch);

  llvm::Function &entry_;
  const BlockShape shape_;
  llvm::Module &module_;
  llvm::IRBuilder<> builder_;

  llvm::Function *function_ = nullptr;
  llvm::BasicBlock *start_ = nullptr;
  llvm::BasicBlock *first_ = nullptr;  // what follows the start
  llvm::BasicBlock *done_ = nullptr;
  llvm::CallInst *self_ = nullptr;  // the thread that runs the block
  llvm::Value *width_ = nullptr, *height_ = nullptr, *depth_ = nullptr, *threads_ = nullptr;

  std::unique_ptr<BarrierRegions> regions_;
  bool meet_ = false;                                           // there are meeting points
  llvm::DenseMap<const llvm::AllocaInst *, uint64_t> offsets_;  // of what has an array in the frame
  llvm::DenseMap<uint64_t, llvm::Value *> framed_;  // what begins at each offset, as far as it was asked for
  uint64_t stateOffset_ = 0;
  llvm::SmallVector<llvm::BasicBlock *> loopStarts_;  // per region
  llvm::AllocaInst *lowestNext_ = nullptr, *highestNext_ = nullptr;

 private:
  void cloneEntry(const llvm::Twine &name);
  void addStart();
  llvm::Function *refuse(std::string why);
  std::string whyTooLarge();
  void replaceCalls(llvm::StringRef name, llvm::Value *value);
  void replaceFields();
  void replaceSelf();
  void replaceExits();
  void markParameterReads();
  void hoistInvariants();
  void hoistFirstReads();
  void hoist(llvm::Instruction &instruction);
  void collectLocals();
  void layOutFrame();
  void finish();

  void beginTurn(LoopParts &parts, const ThreadFields &fields);
  void mapLocals(LoopParts &parts, const ThreadFields &fields);
  void mapSlots(LoopParts &parts, const ThreadFields &fields);
  void copyBlocks(LoopParts &parts, llvm::BasicBlock *end);
  llvm::Value *ifNeeded(const LoopParts &parts, const Slot &slot, llvm::Value *value);
  bool isNeeded(const LoopParts &parts, const Slot &slot) const;

  ThreadFields placeholders_{};
  bool looksAtRows_ = false, staysTogether_ = false, goesByColumns_ = false;
  llvm::SmallVector<llvm::BasicBlock *> original_;
  llvm::SmallVector<llvm::AllocaInst *> locals_;
  uint64_t frameBytes_ = 0;
  size_t mostInstructions_ = Options().mostBetweenWaits;
  bool isTooLong_ = false;
  std::string whyRefused_;
  llvm::MapVector<const Slot *, llvm::AllocaInst *> pending_;  // uniform values on their way to the next region
  llvm::SmallVector<llvm::AllocaInst *> temporaries_;          // to be made values again
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_BLOCK_FUNCTION_H
