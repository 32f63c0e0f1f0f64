// Warps that go through several regions as the 32 lanes of one vector, so that values stay in registers from one
// collective to the next.
#include "compiler/device/lane_meetings.h"
#include "compiler/device/linear_indices.h"
#include "compiler/device/thread_state.h"
#include "compiler/device/warp_function.h"

namespace hostwarp::compiler {

// canPass(): lanes of a vector do what the region begins with, as long as all 32 are there. Whom else a lane names in a
// mask that is computed, as the lanes of its tile, matters to votes and reductions only.
bool WarpFunction::canPass(unsigned region) const {
  if (region == 0 || region == regions_->exit()) return false;
  if (!regions_->beginsAtBarrier(region)) return true;
  const ExchangeArrays::Boundary &at = boundary(region);
  const hw_boundary_kind kind = at.exchange.kind;
  if (kind == HW_AT_TOGETHER || !canMeetHere(at)) return false;
  return kind == HW_AT_SHUFFLE || kind == HW_AT_SYNCWARP || llvm::isa<llvm::ConstantInt>(at.mask);
}

// passedFrom() are the boundaries that a warp goes through from the region's beginning. Where lanes may part on their
// way to a collective, the regions end: only a look at the lanes tells whether all come.
WarpFunction::Passed WarpFunction::passedFrom(unsigned region) const {
  Passed barred;
  for (;;) {
    Passed passed;
    llvm::SmallVector<unsigned> work{region};
    while (!work.empty())
      for (const unsigned next : regions_->regions()[work.pop_back_val()].next)
        if (canPass(next) && !barred.contains(next) && passed.insert(next).second) work.push_back(next);
    bool isRight = true;
    for (const unsigned each : regions_->passedApart(regions_->joined(region, passed), passed))
      if (regions_->beginsAtBarrier(each)) isRight &= !barred.insert(each).second;
    if (isRight) return passed;
  }
}

// joins() finds out where joins begin that pay.
WarpFunction::Joins WarpFunction::joins() const {
  // Code that all lanes go through in step takes registers for 32 of each value. Libraries' kernels have many
  // collectives: there is a limit to what is compiled of large ones a second time.
  constexpr size_t mostInstructions = 300, largeKernel = 1500, mostOfLargeKernel = 800;
  Joins found;
  // The runtime is told of each meeting by itself.
  if (isChecked()) return found;
  const size_t most = regions_->instructionCount() > largeKernel ? mostOfLargeKernel : SIZE_MAX;
  size_t spent = 0;
  found.starts.insert(0);
  for (size_t i = 0; i < found.starts.size(); ++i) {
    const unsigned start = found.starts[i];
    const Passed passed = passedFrom(start);
    const Region joined = regions_->joined(start, passed);
    size_t instructions = 0;
    for (const llvm::BasicBlock *block : joined.blocks) instructions += block->size();
    const bool meets = llvm::any_of(passed, [&](unsigned each) { return regions_->beginsAtBarrier(each); });
    const bool pays = meets && instructions <= mostInstructions && spent + instructions <= most;
    if (pays) spent += instructions;
    const auto &next = pays ? joined.next : regions_->regions()[start].next;
    if (pays) found.passed[start] = passed;
    for (const unsigned each : next)
      if (each != regions_->exit()) found.starts.insert(each);
  }
  return found;
}

// spareRegions() are those whose own loops only run where a join cannot, each with the number of that join.
llvm::DenseMap<unsigned, unsigned> WarpFunction::spareRegions(const Joins &joins) {
  llvm::DenseMap<unsigned, unsigned> spare, times;
  for (const auto &[start, passed] : joins.passed) {
    spare[start] = start;
    for (const unsigned each : passed)
      if (!joins.starts.contains(each) && ++times[each] == 1) spare[each] = start;
  }
  for (const auto &[each, count] : times)
    if (count > 1) spare.erase(each);
  return spare;
}

// exchangeArrays() are the variables by which exchanges take and give values.
llvm::SmallVector<llvm::AllocaInst *> WarpFunction::exchangeArrays() const {
  llvm::SmallSetVector<llvm::AllocaInst *, 8> arrays;
  for (const ExchangeArrays::Boundary &each : boundaries_)
    for (llvm::Value *place :
         std::initializer_list<llvm::Value *>{each.mask, each.operand, each.width, each.value, each.result, each.flag})
      if (auto *array = llvm::dyn_cast_or_null<llvm::AllocaInst>(place)) arrays.insert(array);
  return arrays.takeVector();
}

// takeWarpsNumbers() has code that asks for the number of the warp, or for the lane's, see that: `number` is that of a
// thread, and its warp begins at `first`, a multiple of 32.
static void takeWarpsNumbers(llvm::Value &number, llvm::Value &first, llvm::Value &lane) {
  for (llvm::User *user : llvm::make_early_inc_range(number.users())) {
    auto *instruction = llvm::cast<llvm::Instruction>(user);
    auto *constant =
        instruction->getNumOperands() == 2 ? llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1)) : nullptr;
    if (!constant || instruction->getOperand(0) != &number || constant->isNegative()) continue;
    const uint64_t bound = constant->getZExtValue();
    auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(instruction);
    const bool isBelow =
        comparison && comparison->isRelational() && !comparison->isNonStrictPredicate() &&
        (comparison->isLT(comparison->getPredicate()) ? bound % warpLanes == 0 : bound % warpLanes == warpLanes - 1);
    if ((instruction->getOpcode() == llvm::Instruction::LShr && bound >= 5) || isBelow)
      instruction->setOperand(0, &first);
    if (instruction->getOpcode() == llvm::Instruction::And && bound < warpLanes) instruction->setOperand(0, &lane);
  }
}

// lanesInKnownRows() is how many lanes each row of a warp has, where all warps are whole rows of fewer than 32; 0: they
// are not, or that is not known.
unsigned WarpFunction::lanesInKnownRows() const {
  const unsigned width = shape()[0], rows = shape()[1];
  const bool fillsWarps = width * rows % warpLanes == 0 || shape()[2] == 1;
  return llvm::isPowerOf2_32(width) && width < warpLanes && fillsWarps ? width : 0;
}

// addJoinedLoops() makes loops that take all lanes from the region's beginning to where the join ends: one for warps
// that are a row of lanes, and, if the kernel asks where in its rows a thread stands, one for warps that are several
// short rows. Their turns can only be run together: the block that is returned is for when they are not, and for other
// warps.
llvm::BasicBlock &WarpFunction::addJoinedLoops(unsigned index, const Passed &passed) {
  if (lanesInKnownRows() != 0) return addJoinedLoop(index, passed, *loopStarts_[index], Form::Rows);
  llvm::BasicBlock &apart = addJoinedLoop(index, passed, *loopStarts_[index], Form::Row);
  const bool mayHaveRows = shape() == anyBlock && looksAtRows();
  return mayHaveRows ? addJoinedLoop(index, passed, apart, Form::Rows) : apart;
}

// addRowsOfWarp() finds out at the function's start whether all warps that are whole are whole rows of one plane.
void WarpFunction::addRowsOfWarp() {
  if (areRows_) return;
  llvm::IRBuilder<> early(start_->getTerminator());
  llvm::Value *area = early.CreateNUWMul(width_, height_);
  rowBits_ = early.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, width_, early.getFalse(), nullptr, "row_bits");
  if (lanesInKnownRows() != 0) {
    areRows_ = early.getTrue();
    return;
  }
  llvm::Value *isOnePlane = early.CreateICmpEQ(depth_, early.getInt32(1));
  llvm::Value *fillsWarps = early.CreateIsNull(early.CreateAnd(area, early.getInt32(warpLanes - 1)));
  areRows_ = early.CreateAnd(early.CreateICmpEQ(inRow_, width_), early.CreateOr(isOnePlane, fillsWarps), "are_rows");
}

// inRows() are the fields of a lane of a warp that is several rows, where `first` are those of its first.
ThreadFields WarpFunction::inRows(const ThreadFields &first, llvm::Value *lane) {
  llvm::Value *x = builder_.CreateAnd(lane, builder_.CreateSub(width_, builder_.getInt32(1)));
  llvm::Value *y = builder_.CreateNUWAdd(first.y, builder_.CreateLShr(lane, rowBits_));
  return {x, y, first.z, builder_.CreateNUWAdd(first.linear, lane), lane, first.warp};
}

// takeNumbers() has the code of a joined loop see how the lanes' numbers follow each other.
void WarpFunction::takeNumbers(const LoopParts &parts, const ThreadFields &fields, const ThreadFields &first,
                               Form form) {
  llvm::Value &lane = *fields.lane;
  if (form == Form::Row) {
    takeWarpsNumbers(*fields.x, *first.x, lane);
  } else {
    // In one plane, a multiple of 32 lies before the warp.
    llvm::Value *before = builder_.CreateMul(first.z, builder_.CreateMul(width_, height_));
    llvm::Value *firstInPlane = builder_.CreateSub(first.linear, before);
    llvm::Value *inPlane = builder_.CreateNUWAdd(firstInPlane, &lane);
    takeLinearIndices(parts.blocks, *fields.x, *fields.y, *inPlane);
    takeWarpsNumbers(*inPlane, *firstInPlane, lane);
  }
  takeWarpsNumbers(*fields.linear, *first.linear, lane);
}

// addJoinedLoop() makes one of them, which begins in `start`; it returns the block for when it cannot be taken.
llvm::BasicBlock &WarpFunction::addJoinedLoop(unsigned index, const Passed &passed, llvm::BasicBlock &start,
                                              Form form) {
  const Region region = regions_->joined(index, passed);
  const unsigned number = form == Form::Row ? index : regions_->exit() + index;
  llvm::BasicBlock *turn = newBlock("joined_lane"), *end = newBlock("next_joined_lane"),
                   *after = newBlock("joined_boundary"), *apart = newBlock("apart");
  if (form == Form::Rows) addRowsOfWarp();
  builder_.SetInsertPoint(&start);
  const auto loaded = [&](llvm::AllocaInst *variable) { return builder_.CreateLoad(builder_.getInt32Ty(), variable); };
  const ThreadFields first{loaded(x_), loaded(y_), loaded(z_), loaded(firstThread_), nullptr, loaded(warp_)};
  beginSharing();
  if (!region.nextIsUniform) beginNext();
  llvm::Value *fits = form == Form::Row ? builder_.CreateICmpEQ(inRow_, builder_.getInt32(warpLanes)) : areRows_;
  builder_.CreateCondBr(builder_.CreateAnd(createVectorQuestion(builder_, number), fits), turn, apart);
  llvm::PHINode *lane = counter(turn, builder_.getInt32(0), &start, "lane");
  builder_.SetInsertPoint(turn);
  const ThreadFields fields = form == Form::Row
                                  ? ThreadFields{builder_.CreateNUWAdd(first.x, lane),      first.y, first.z,
                                                 builder_.CreateNUWAdd(first.linear, lane), lane,    first.warp}
                                  : inRows(first, lane);
  LoopParts parts(region, index);
  parts.passed = &passed;
  for (llvm::AllocaInst *array : exchangeArrays()) parts.variableOf[array] = temporary(array->getAllocatedType());
  addTurn(parts, fields, turn, end);
  builder_.SetInsertPoint(turn);
  takeNumbers(parts, fields, first, form);
  takeIn(parts, fields.linear);
  builder_.CreateBr(llvm::cast<llvm::BasicBlock>(parts.map[region.entry]));
  for (auto [block, next] : parts.passages) {
    builder_.SetInsertPoint(block->getTerminator());
    if (regions_->beginsAtBarrier(next)) meetAsLanes(parts, boundary(next));
  }
  handOut(parts, fields.linear);

  builder_.SetInsertPoint(end);
  endRegionTurn(parts, fields);
  llvm::Value *next = builder_.CreateNUWAdd(lane, builder_.getInt32(1));
  lane->addIncoming(next, end);
  llvm::BranchInst *latch =
      builder_.CreateCondBr(builder_.CreateICmpULT(next, builder_.getInt32(warpLanes)), turn, after);
  builder_.SetInsertPoint(after);
  endSharing();
  goOn(region);
  parts.blocks.append({turn, end});
  closeThreads(parts, fields, *latch);
  markJoined(*latch, number);
  if (form == Form::Rows) markShortRows(*latch);
  return *apart;
}

// takeIn() gives the variables what the boundary before the region has given.
void WarpFunction::takeIn(const LoopParts &parts, llvm::Value *thread) {
  if (*parts.index == 0 || !regions_->beginsAtBarrier(*parts.index)) return;
  const ExchangeArrays::Boundary &at = boundary(*parts.index);
  for (llvm::AllocaInst *array : {at.result, at.flag})
    if (array)
      builder_.CreateStore(builder_.CreateLoad(array->getAllocatedType(), element(*array, thread)),
                           parts.variableOf.lookup(array));
}

// handOut() puts what the boundaries behind the join take where they look for it.
void WarpFunction::handOut(const LoopParts &parts, llvm::Value *thread) {
  for (auto [block, next] : parts.exits) {
    if (next == regions_->exit() || !regions_->beginsAtBarrier(next)) continue;
    builder_.SetInsertPoint(block->getTerminator());
    const ExchangeArrays::Boundary &at = boundary(next);
    for (llvm::Value *place : std::initializer_list<llvm::Value *>{at.mask, at.operand, at.width, at.value})
      if (auto *array = llvm::dyn_cast_or_null<llvm::AllocaInst>(place))
        builder_.CreateStore(builder_.CreateLoad(array->getAllocatedType(), parts.variableOf.lookup(array)),
                             element(*array, thread));
  }
}

// meetAsLanes() is one lane's part in what the warp does at the boundary.
void WarpFunction::meetAsLanes(const LoopParts &parts, const ExchangeArrays::Boundary &boundary) {
  llvm::Type *i32 = builder_.getInt32Ty();
  const auto given = [&](llvm::Value *place) -> llvm::Value * {
    auto *array = llvm::dyn_cast<llvm::AllocaInst>(place);
    return array ? builder_.CreateLoad(array->getAllocatedType(), parts.variableOf.lookup(array)) : place;
  };
  const auto give = [&](llvm::AllocaInst *array, llvm::Value *value) {
    builder_.CreateStore(builder_.CreateZExt(value, array->getAllocatedType()), parts.variableOf.lookup(array));
  };
  llvm::Value *operation = builder_.getInt32(boundary.exchange.operation);
  switch (boundary.exchange.kind) {
    case HW_AT_SHUFFLE: {
      llvm::Value *value = given(boundary.value), *operand = given(boundary.operand), *width = given(boundary.width);
      give(boundary.result,
           createLaneMeeting(builder_, LaneMeeting::Shuffle, value->getType(), {operation, value, operand, width}));
      if (boundary.exchange.flagPointer)
        give(boundary.flag, createLaneMeeting(builder_, LaneMeeting::InRange, i32, {operation, operand, width}));
      return;
    }
    case HW_AT_VOTE:
      return give(boundary.result,
                  createLaneMeeting(builder_, LaneMeeting::Vote, i32, {operation, given(boundary.value)}));
    case HW_AT_REDUCE:
      return give(boundary.result,
                  createLaneMeeting(builder_, LaneMeeting::Reduce, i32, {operation, given(boundary.value)}));
    case HW_AT_MATCH_ANY:
      return give(boundary.result,
                  createLaneMeeting(builder_, LaneMeeting::MatchAny, i32, {operation, given(boundary.value)}));
    case HW_AT_MATCH_ALL: {
      llvm::Value *lanes = createLaneMeeting(builder_, LaneMeeting::MatchAll, i32, {operation, given(boundary.value)});
      give(boundary.result, lanes);
      if (boundary.exchange.flagPointer) give(boundary.flag, builder_.CreateIsNotNull(lanes));
      return;
    }
    case HW_AT_ACTIVEMASK:
      give(boundary.result, builder_.getInt32(~0u));
      [[fallthrough]];
    default:
      createLaneMeeting(builder_, LaneMeeting::Sync, builder_.getVoidTy(), {});
  }
}

}  // namespace hostwarp::compiler
