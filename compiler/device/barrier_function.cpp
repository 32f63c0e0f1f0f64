#include "compiler/device/barrier_function.h"

#include <llvm/IR/InlineAsm.h>

#include "compiler/device/abi_functions.h"
#include "compiler/device/loop_properties.h"

namespace hostwarp::compiler {

// A row with fewer threads is not worth a vector.
constexpr uint32_t leastWidth = 8;

// code(): the beginning and the meeting points come first, so that the lowest code tells whether there are threads that
// have not come to a barrier yet.
uint32_t BarrierFunction::code(unsigned region) const {
  if (region == 0 || region == regions_->exit()) return region;
  const unsigned points = regions_->meetingPoints(), barriers = regions_->exit() - 1 - points;
  return regions_->beginsAtBarrier(region) ? region + points : region - barriers;
}

void BarrierFunction::addLoops() {
  first_ = loopStarts_.front();
  if (meet_) addNarrowStart();
  for (unsigned i = 0; i < loopStarts_.size(); ++i) addRegionLoop(i);
  if (stragglers_) addStragglerLoop();
  const bool noneLeaves = llvm::all_of(regions_->regions(), [](const Region &each) { return each.nextIsUniform; });
  if (isChecked() && noneLeaves) tellThatNoneLeaves(*function_);
}

// addRegionLoop() makes the work-item loop of the region, for threads that are converged at its beginning.
void BarrierFunction::addRegionLoop(unsigned index) {
  builder_.SetInsertPoint(loopStarts_[index]);
  beginSharing();
  if (!regions_->regions()[index].nextIsUniform) beginNext();
  if (!goesByColumns()) return addRows(index, loopStarts_[index]);
  llvm::Value *pays = builder_.CreateICmpUGE(height_, builder_.getInt32(leastWidth));
  if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(pays))
    return known->isOne() ? addColumns(index, loopStarts_[index]) : addRows(index, loopStarts_[index]);
  llvm::BasicBlock *rows = newBlock("rows"), *columns = newBlock("columns");
  builder_.CreateCondBr(pays, columns, rows);
  addRows(index, rows);
  addColumns(index, columns);
}

// addRows() goes along x, from row to row.
void BarrierFunction::addRows(unsigned index, llvm::BasicBlock *start) {
  const Region &region = regions_->regions()[index];
  llvm::BasicBlock *row = newBlock("row"), *turn = newBlock("thread"), *rowEnd = newBlock("next_row");
  llvm::Value *zero = builder_.getInt32(0);
  builder_.SetInsertPoint(start);
  builder_.CreateBr(row);
  llvm::PHINode *z = counter(row, zero, start, "z"), *y = counter(row, zero, start, "y"),
                *first = counter(row, zero, start, "first");
  builder_.SetInsertPoint(row);
  builder_.CreateBr(turn);
  llvm::PHINode *x = counter(turn, zero, row, "x");
  builder_.SetInsertPoint(turn);
  LoopParts parts(region, index);
  addThreads(parts, fieldsOf(x, y, z, builder_.CreateNUWAdd(first, x)), *x, width_, rowEnd);
  builder_.SetInsertPoint(rowEnd);
  first->addIncoming(builder_.CreateNUWAdd(first, width_), rowEnd);
  endRows(region, goToNextRow(*y, *z, height_), row);
}

// addColumns() goes along y, from column to column.
void BarrierFunction::addColumns(unsigned index, llvm::BasicBlock *start) {
  const Region &region = regions_->regions()[index];
  llvm::BasicBlock *column = newBlock("column"), *turn = newBlock("thread"), *columnEnd = newBlock("next_column");
  llvm::Value *zero = builder_.getInt32(0);
  builder_.SetInsertPoint(start);
  llvm::Value *layer = builder_.CreateNUWMul(width_, height_);
  builder_.CreateBr(column);
  llvm::PHINode *z = counter(column, zero, start, "z"), *x = counter(column, zero, start, "x");
  builder_.SetInsertPoint(column);
  llvm::Value *first = builder_.CreateNUWAdd(builder_.CreateNUWMul(z, layer), x, "first");
  builder_.CreateBr(turn);
  llvm::PHINode *y = counter(turn, zero, column, "y");
  builder_.SetInsertPoint(turn);
  LoopParts parts(region, index);
  addThreads(parts, fieldsOf(x, y, z, builder_.CreateNUWAdd(first, builder_.CreateNUWMul(y, width_))), *y, height_,
             columnEnd);
  builder_.SetInsertPoint(columnEnd);
  endRows(region, goToNextRow(*x, *z, width_), column);
}

// addThreads() makes the loop over the threads of a row, or a column, of `extent` threads that `inner` counts.
void BarrierFunction::addThreads(LoopParts &parts, const ThreadFields &fields, llvm::PHINode &inner,
                                 llvm::Value *extent, llvm::BasicBlock *rowEnd) {
  llvm::BasicBlock *turn = inner.getParent(), *end = newBlock("next_thread");
  addTurn(parts, fields, turn, end);
  builder_.SetInsertPoint(turn);
  builder_.CreateBr(llvm::cast<llvm::BasicBlock>(parts.map[parts.region->entry]));
  builder_.SetInsertPoint(end);
  endRegionTurn(parts, fields);
  llvm::Value *next = builder_.CreateAdd(&inner, builder_.getInt32(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  inner.addIncoming(next, end);
  llvm::BranchInst *latch = builder_.CreateCondBr(builder_.CreateICmpULT(next, extent), turn, rowEnd);
  parts.blocks.append({turn, end});
  closeThreads(parts, fields, *latch);
}

// endRows() closes the loop over rows, or columns, which the builder is at the end of, and ends the region.
void BarrierFunction::endRows(const Region &region, llvm::Value *goesOn, llvm::BasicBlock *row) {
  llvm::BasicBlock *after = newBlock("barrier");
  llvm::BranchInst *latch = builder_.CreateCondBr(goesOn, row, after);
  markRows(*latch);
  keepRolled(*latch);
  builder_.SetInsertPoint(after);
  endSharing();
  goOn(region.nextIsUniform);
}

// goToNextRow() tells whether there is one of so many; the builder stands at the end of a row, or of a column that `y`
// is the number of. One layer is a loop with one counter.
llvm::Value *BarrierFunction::goToNextRow(llvm::PHINode &y, llvm::PHINode &z, llvm::Value *rows) {
  llvm::BasicBlock *end = builder_.GetInsertBlock();
  llvm::Value *zero = builder_.getInt32(0), *one = builder_.getInt32(1);
  llvm::Value *nextY = builder_.CreateAdd(&y, one, "", /*HasNUW=*/true, /*HasNSW=*/true);
  if (depth_ == one) {
    y.addIncoming(nextY, end);
    z.addIncoming(zero, end);
    return builder_.CreateICmpULT(nextY, rows);
  }
  llvm::Value *wraps = builder_.CreateICmpEQ(nextY, rows);
  llvm::Value *nextZ = builder_.CreateNUWAdd(&z, builder_.CreateZExt(wraps, builder_.getInt32Ty()));
  y.addIncoming(builder_.CreateSelect(wraps, zero, nextY), end);
  z.addIncoming(nextZ, end);
  return builder_.CreateICmpULT(nextZ, depth_);
}

// addStragglerLoop() makes the loop over diverged threads. While some have not come to a barrier yet, it runs those;
// once all are at barriers, these open and it runs all.
void BarrierFunction::addStragglerLoop() {
  llvm::BasicBlock *head = newBlock("straggler"), *end = newBlock("next_straggler"), *after = newBlock("barrier");
  builder_.SetInsertPoint(stragglers_);
  llvm::Value *exit = builder_.getInt32(regions_->exit());
  llvm::Value *standing = isBeforeBarrier(builder_.CreateLoad(builder_.getInt32Ty(), lowestNext_));
  if (isChecked()) tellOfSomeAtBarrier(*standing);
  llvm::Value *limit = builder_.CreateSelect(standing, builder_.getInt32(regions_->meetingPoints() + 1), exit);
  beginSharing();
  beginNext();
  llvm::BasicBlock *before = builder_.GetInsertBlock();
  builder_.CreateBr(head);
  llvm::PHINode *linear = counter(head, builder_.getInt32(0), before, "straggler");
  builder_.SetInsertPoint(head);
  const ThreadFields fields = fieldsOf(linear);
  llvm::Value *state = builder_.CreateLoad(builder_.getInt32Ty(), stateOf(linear));
  llvm::BasicBlock *turn = newBlock("thread"), *leave = newBlock("stands");
  builder_.CreateCondBr(builder_.CreateICmpUGE(state, limit), end, turn);
  llvm::Value *then = addStragglerTurn(state, fields, turn, leave);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
  llvm::PHINode *next = builder_.CreatePHI(builder_.getInt32Ty(), 2, "next");
  next->addIncoming(state, head);
  next->addIncoming(then, leave);
  noteNext(next, linear);
  llvm::Value *nextLinear = builder_.CreateNUWAdd(linear, builder_.getInt32(1));
  linear->addIncoming(nextLinear, end);
  llvm::BranchInst *latch = builder_.CreateCondBr(builder_.CreateICmpULT(nextLinear, threads_), head, after);
  keepScalar(*latch);
  keepRolled(*latch);
  builder_.SetInsertPoint(after);
  endSharing();
  goOn(false);
}

// isNarrow() tells whether rows have too few threads for meeting points to pay. The width goes through an empty asm
// statement, so that LLVM sees neither that the condition is invariant nor what it says about the loops' trip counts:
// it would make a second copy of all work-item loops for narrow blocks.
llvm::Value *BarrierFunction::isNarrow() {
  if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(width_))
    return builder_.getInt1(known->getZExtValue() < leastWidth);
  llvm::Type *type = width_->getType();
  auto *hide = llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false), "", "=r,0", /*hasSideEffects=*/true);
  llvm::CallInst *hidden = builder_.CreateCall(hide, {width_});
  hidden->setOnlyAccessesInaccessibleMemory();
  hidden->setDoesNotThrow();
  return builder_.CreateICmpULT(hidden, builder_.getInt32(leastWidth));
}

// addNarrowStart() has narrow blocks begin in the loop of stragglers, which ignores meeting points.
void BarrierFunction::addNarrowStart() {
  stragglers_ = newBlock("stragglers");
  llvm::BasicBlock *choice = newBlock("start"), *narrow = newBlock("narrow");
  builder_.SetInsertPoint(choice);
  builder_.CreateCondBr(isNarrow(), narrow, loopStarts_.front());
  builder_.SetInsertPoint(narrow);
  clearStates();
  builder_.CreateStore(builder_.getInt32(0), lowestNext_);
  builder_.CreateBr(stragglers_);
  first_ = choice;
}

// isBeforeBarrier() tells of a thread's state whether the thread has not come to a barrier yet.
llvm::Value *BarrierFunction::isBeforeBarrier(llvm::Value *code) {
  return builder_.CreateICmpULE(code, builder_.getInt32(regions_->meetingPoints()));
}

// goOn() ends a work-item loop: it branches to the region that all threads have come to or, if they have diverged, to
// the loop of stragglers.
void BarrierFunction::goOn(bool together) {
  llvm::Value *next = builder_.CreateLoad(builder_.getInt32Ty(), lowestNext_);
  if (!together) {
    if (!stragglers_) stragglers_ = newBlock("stragglers");
    llvm::BasicBlock *all = newBlock("together");
    llvm::Value *highest = builder_.CreateLoad(builder_.getInt32Ty(), highestNext_);
    llvm::Value *isTogether = builder_.CreateICmpEQ(next, highest);
    if (meet_) {
      llvm::Value *isDone = builder_.CreateICmpEQ(next, builder_.getInt32(regions_->exit()));
      isTogether = builder_.CreateAnd(isTogether, builder_.CreateOr(builder_.CreateNot(isNarrow()), isDone));
    }
    builder_.CreateCondBr(isTogether, all, stragglers_);
    builder_.SetInsertPoint(all);
  }
  llvm::SwitchInst *choice = builder_.CreateSwitch(next, done_);
  for (unsigned i = 0; i < loopStarts_.size(); ++i) choice->addCase(builder_.getInt32(code(i)), wayInto(i));
}

// wayInto() is the basic block that leads to the region when all threads have come to its beginning.
llvm::BasicBlock *BarrierFunction::wayInto(unsigned region) {
  if (region == 0 || !isChecked() || !regions_->beginsAtBarrier(region)) return loopStarts_[region];
  llvm::BasicBlock *&way = checkedWays_[region];
  if (way) return way;
  way = newBlock("all_at_barrier");
  llvm::IRBuilder<> builder(way);
  tellOfBarrier(builder, llvm::ConstantPointerNull::get(builder.getPtrTy()));
  builder.CreateBr(loopStarts_[region]);
  return way;
}

// tellOfSomeAtBarrier(): where none is `standing`, those that have not ended are at barriers, which open.
void BarrierFunction::tellOfSomeAtBarrier(llvm::Value &standing) {
  llvm::BasicBlock *opens = newBlock("some_at_barrier"), *after = newBlock("straggle");
  builder_.CreateCondBr(&standing, after, opens);
  builder_.SetInsertPoint(opens);
  tellOfBarrier(builder_, stateOf(builder_.getInt32(0)));
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
}

void BarrierFunction::tellOfBarrier(llvm::IRBuilder<> &builder, llvm::Value *states) {
  llvm::Type *number = builder.getInt32Ty();
  builder.CreateCall(abiFunction(module_, "hw_check_barrier", builder.getVoidTy(), {builder.getPtrTy(), number}),
                     {states, builder.getInt32(regions_->exit())});
}

}  // namespace hostwarp::compiler
