// The function that runs a block whose threads also wait for the others of their warp.
#ifndef HOSTWARP_COMPILER_DEVICE_WARP_FUNCTION_H
#define HOSTWARP_COMPILER_DEVICE_WARP_FUNCTION_H

#include <functional>

#include "compiler/device/block_function.h"
#include "compiler/device/collectives.h"
#include "compiler/device/lane_meetings.h"

namespace hostwarp::compiler {

// WarpFunction runs one warp after the other up to the next barrier of the block. A converged warp (all 32 lanes are at
// the same place) executes region after region in work-item loops over its lanes, with a loop for each collective in
// between. A warp is "scattered" if it is incomplete, if its lanes are not consecutive in x, or if they have diverged:
// then the runtime decides which lanes go on (hw_resume_warp()), and each runs alone.
class WarpFunction : public BlockFunction {
 public:
  using BlockFunction::BlockFunction;

 private:
  Waits replaceWaits() override;
  void dropArrivals();
  void addLoops() override;
  uint32_t code(unsigned region) const override;
  uint32_t freeCode(unsigned region) const override { return region; }
  bool keepsUniformSlots() const override { return true; }

  bool isBarrier(unsigned region) const;
  const ExchangeArrays::Boundary &boundary(unsigned region) const { return boundaries_[region - 1]; }

  void makePlan();
  llvm::Constant *describe(const ExchangeArrays::Boundary &boundary, llvm::StructType &type) const;
  llvm::Constant *arrayOf(llvm::Value *place) const;
  llvm::CallInst *callRuntime(const char *function, llvm::Type *result, llvm::ArrayRef<llvm::Value *> more);

  void addStart();
  void addPhase();
  void addWarpStart();
  // Piece is where a loop over the pieces of a warp stands.
  struct Piece {
    llvm::PHINode *x, *y, *z, *done;
  };
  llvm::BranchInst &addRegionLoop(unsigned index, llvm::BasicBlock &start);
  void addPieceEnd(const Piece &piece, llvm::BasicBlock &at, llvm::BasicBlock &after);
  void addScattered();
  void addStop(llvm::BasicBlock *from, uint32_t stand);
  void addStragglerLoop();
  void addMeeting(unsigned index);
  void addStops();
  void addPhaseEnd();
  llvm::Value *openWaits(bool spinning);
  void moveUniformSlots(bool toFrame);
  void goOn(const Region &region);
  llvm::BasicBlock *arrival(unsigned region) const { return region == regions_->exit() ? ended_ : arrivals_[region]; }

  // overLanes() makes a loop over the 32 lanes of the warp: `body` gets lane, thread and what it gave for the last lane
  // (`initial` for the first). `looksUp`: it reads what another lane has handed over.
  using LaneBody = llvm::function_ref<llvm::Value *(llvm::Value *lane, llvm::Value *thread, llvm::Value *last)>;
  llvm::Value *overLanes(llvm::Value *initial, LaneBody body, bool looksUp = false);
  void storeStates(uint32_t state);
  llvm::Value *element(llvm::AllocaInst &array, llvm::Value *thread);
  llvm::Value *number(llvm::Value *place, llvm::Value *thread);
  bool canMeetHere(const ExchangeArrays::Boundary &boundary) const;
  llvm::Value *masksAllow(const ExchangeArrays::Boundary &boundary);
  void meet(const ExchangeArrays::Boundary &boundary);
  void tellOfMeeting(const ExchangeArrays::Boundary &boundary);
  void permute(const ExchangeArrays::Boundary &boundary, const ShuffleSources &sources);
  void shuffle(const ExchangeArrays::Boundary &boundary);
  llvm::Value *valuesOfWarp(const ExchangeArrays::Boundary &boundary);
  void matchAny(const ExchangeArrays::Boundary &boundary);
  void matchAll(const ExchangeArrays::Boundary &boundary);
  void workTogether(const ExchangeArrays::Boundary &boundary);
  llvm::Value *vote(const ExchangeArrays::Boundary &boundary);
  llvm::Value *reduce(const ExchangeArrays::Boundary &boundary);
  void giveAll(const ExchangeArrays::Boundary &boundary, llvm::Value *result);

  // Warps whose lanes go through several regions as one vector: warp_joins.cpp.
  using Passed = BarrierRegions::Passed;
  bool canPass(unsigned region) const;
  Passed passedFrom(unsigned region) const;
  // Joins are the regions that warps come to otherwise than through a join, and, for those where one begins, what is
  // passed from there.
  struct Joins {
    llvm::SmallSetVector<unsigned, 8> starts;
    llvm::DenseMap<unsigned, Passed> passed;
  };
  Joins joins() const;
  static llvm::DenseMap<unsigned, unsigned> spareRegions(const Joins &joins);
  unsigned lanesInKnownRows() const;
  // Form is how the lanes of a whole warp lie in the block: next to each other in a row, or as several rows.
  enum class Form { Row, Rows };
  llvm::BasicBlock &addJoinedLoops(unsigned index, const Passed &passed);
  llvm::BasicBlock &addJoinedLoop(unsigned index, const Passed &passed, llvm::BasicBlock &start, Form form);
  void addRowsOfWarp();
  ThreadFields inRows(const ThreadFields &first, llvm::Value *lane);
  void takeNumbers(const LoopParts &parts, const ThreadFields &fields, const ThreadFields &first, Form form);
  llvm::SmallVector<llvm::AllocaInst *> exchangeArrays() const;
  void takeIn(const LoopParts &parts, llvm::Value *thread);
  void handOut(const LoopParts &parts, llvm::Value *thread);
  void meetAsLanes(const LoopParts &parts, const ExchangeArrays::Boundary &boundary);

  llvm::SmallVector<ExchangeArrays::Boundary> boundaries_;  // boundaries_[i] is where region i + 1 begins
  llvm::AllocaInst *standing_ = nullptr;  // by first lane: the region that the warp is at, or HW_SCATTERED
  llvm::GlobalVariable *plan_ = nullptr;
  llvm::Value *inRow_ = nullptr;    // so many lanes of a whole warp at a time are side by side in x
  llvm::Value *areRows_ = nullptr;  // whole warps are whole rows of one plane, of 2 to the power of rowBits_ lanes
  llvm::Value *rowBits_ = nullptr;
  bool reduces_ = false;       // there are barriers with a reduction
  bool opensInParts_ = false;  // there are waits for parts of the block, or for other blocks
  bool spins_ = false;         // there are loops that wait for other threads

  llvm::AllocaInst *warp_ = nullptr, *firstThread_ = nullptr, *x_ = nullptr, *y_ = nullptr, *z_ = nullptr;
  llvm::AllocaInst *waiting_ = nullptr;   // some warp is at a barrier
  llvm::AllocaInst *spinning_ = nullptr;  // some lane waits in a loop
  llvm::AllocaInst *opened_ = nullptr;    // in the last phase every warp has come to a barrier
  llvm::AllocaInst *stand_ = nullptr;     // where the warp stops
  llvm::AllocaInst *handed_ = nullptr;    // array of the lanes' pointers, for hw_warp_together()
  std::optional<unsigned> spareMeeting_;  // the join that takes whole warps past the meeting that is being made
  llvm::BasicBlock *phase_ = nullptr, *warpStart_ = nullptr, *scattered_ = nullptr, *resume_ = nullptr;
  llvm::BasicBlock *stragglers_ = nullptr, *stop_ = nullptr, *scatter_ = nullptr, *ended_ = nullptr,
                   *nextWarp_ = nullptr;
  llvm::SmallVector<llvm::BasicBlock *>
      arrivals_;  // per region: where a converged warp arrives at the region's boundary
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_WARP_FUNCTION_H
