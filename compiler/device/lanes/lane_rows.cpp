// Accesses of a warp that is several rows of its block: the elements of eight lanes at a time are side by side.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/device/lanes/lane_emitter.h"

namespace hostwarp::compiler {

static constexpr unsigned rowLanes = 8;

// hasShortRows(): elements of other sizes have no masks.
bool LaneEmitter::hasShortRows(uint64_t bytes) const {
  return (bytes == 4 || bytes == 8) && llvm::getBooleanLoopAttribute(&threads_.loop(), shortRows);
}

// rowStart() is the number of the element of the row's first lane.
llvm::Value *LaneEmitter::rowStart(const Lineup &lineup, unsigned firstLane) {
  llvm::Value *start = builder_.CreateExtractElement(lineup.starts, firstLane);
  const int64_t distance = lineup.step * static_cast<int64_t>(firstLane);
  return withShared(lineup, builder_.CreateAdd(start, llvm::ConstantInt::getSigned(start->getType(), distance)));
}

// rowsAreSideBySide() compares each lane's start with that of its row's first lane. Where that one is not there, its
// start may be anything, but is one thing from here on; if the others have the same, it is right.
llvm::Value *LaneEmitter::rowsAreSideBySide(Lineup &lineup) {
  llvm::SmallVector<int> firsts;
  for (unsigned lane = 0; lane < width_; ++lane) firsts.push_back(static_cast<int>(lane / rowLanes * rowLanes));
  if (lanes_) lineup.starts = builder_.CreateFreeze(lineup.starts);
  llvm::Value *equal = builder_.CreateICmpEQ(lineup.starts, builder_.CreateShuffleVector(lineup.starts, firsts));
  if (lanes_) equal = builder_.CreateSelect(lanes_, equal, allLanes());
  llvm::Value *areRows = builder_.CreateAndReduce(equal);
  for (unsigned lane = 0; lineup.base && lane < width_; lane += rowLanes)
    areRows = builder_.CreateAnd(areRows, doesNotWrap(lineup, rowStart(lineup, lane), rowLanes));
  return areRows;
}

llvm::Value *LaneEmitter::loadRows(llvm::LoadInst &load, const Lineup &lineup) {
  auto *type = llvm::FixedVectorType::get(load.getType(), rowLanes);
  llvm::SmallVector<llvm::Value *> rows;
  for (unsigned lane = 0; lane < width_; lane += rowLanes) {
    llvm::Value *first = addressAt(lineup, rowStart(lineup, lane));
    rows.push_back(lanes_ ? builder_.CreateMaskedLoad(type, first, load.getAlign(), partOf(lanes_, lane, rowLanes),
                                                      llvm::PoisonValue::get(type))
                          : static_cast<llvm::Value *>(builder_.CreateAlignedLoad(type, first, load.getAlign())));
  }
  return llvm::concatenateVectors(builder_, rows);
}

// storeRows() stores the rows in their order.
void LaneEmitter::storeRows(llvm::StoreInst &store, const Lineup &lineup) {
  llvm::Value *value = vectorOf(*store.getValueOperand());
  for (unsigned lane = 0; lane < width_; lane += rowLanes) {
    llvm::Value *first = addressAt(lineup, rowStart(lineup, lane)), *row = partOf(value, lane, rowLanes);
    if (lanes_)
      builder_.CreateMaskedStore(row, first, store.getAlign(), partOf(lanes_, lane, rowLanes));
    else
      builder_.CreateAlignedStore(row, first, store.getAlign());
  }
}

}  // namespace hostwarp::compiler
