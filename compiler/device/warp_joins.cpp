// Warps that go through several regions as the 32 lanes of one vector, so that values stay in registers from one
// collective to the next.
#include "compiler/device/lane_meetings.h"
#include "compiler/device/thread_state.h"
#include "compiler/device/warp_function.h"

namespace hostwarp::compiler {

// canPass(): lanes of a vector do what the region begins with, as long as all 32 are there.
bool WarpFunction::canPass(unsigned region) const {
  if (region == 0 || region == regions_->exit()) return false;
  if (!regions_->beginsAtBarrier(region)) return true;
  const ExchangeArrays::Boundary &at = boundary(region);
  return at.exchange.kind != HW_AT_TOGETHER && canMeetHere(at) && llvm::isa<llvm::ConstantInt>(at.mask);
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

// joins() lists the regions that warps come to otherwise than through a join, with what is passed from there.
llvm::DenseMap<unsigned, WarpFunction::Passed> WarpFunction::joins() const {
  // Code that all lanes go through in step takes registers for 32 of each value. Large kernels are libraries', with
  // many collectives: there is a limit to what is compiled of them.
  constexpr size_t mostInstructions = 300, mostOfKernel = 1500;
  llvm::DenseMap<unsigned, Passed> found;
  // The runtime is told of each meeting by itself.
  if (regions_->instructionCount() > mostOfKernel || isChecked()) return found;
  llvm::SmallSetVector<unsigned, 8> starts;
  starts.insert(0);
  for (size_t i = 0; i < starts.size(); ++i) {
    const Passed passed = passedFrom(starts[i]);
    const Region joined = regions_->joined(starts[i], passed);
    size_t instructions = 0;
    for (const llvm::BasicBlock *block : joined.blocks) instructions += block->size();
    const bool meets = llvm::any_of(passed, [&](unsigned each) { return regions_->beginsAtBarrier(each); });
    const bool pays = meets && instructions <= mostInstructions;
    const auto &next = pays ? joined.next : regions_->regions()[starts[i]].next;
    if (pays) found[starts[i]] = passed;
    for (const unsigned each : next)
      if (each != regions_->exit()) starts.insert(each);
  }
  return found;
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
  return llvm::isPowerOf2_32(width) && width < warpLanes && width * rows % warpLanes == 0 ? width : 0;
}

// addJoinedLoop() makes a loop that takes all lanes from the region's beginning to where the join ends. Its turns can
// only be run together: the block that is returned is for when they are not, and for warps that are no row of lanes.
llvm::BasicBlock &WarpFunction::addJoinedLoop(unsigned index, const Passed &passed) {
  const Region region = regions_->joined(index, passed);
  llvm::BasicBlock *start = loopStarts_[index], *turn = newBlock("joined_lane"), *end = newBlock("next_joined_lane"),
                   *after = newBlock("joined_boundary"), *apart = newBlock("apart");
  builder_.SetInsertPoint(start);
  llvm::Type *i32 = builder_.getInt32Ty();
  llvm::Value *first = builder_.CreateLoad(i32, firstThread_), *warp = builder_.CreateLoad(i32, warp_);
  llvm::Value *firstX = builder_.CreateLoad(i32, x_), *y = builder_.CreateLoad(i32, y_),
              *z = builder_.CreateLoad(i32, z_);
  beginSharing();
  if (!region.nextIsUniform) beginNext();
  const unsigned rowLanes = lanesInKnownRows();
  llvm::Value *isRow = rowLanes ? builder_.getTrue() : builder_.CreateICmpEQ(inRow_, builder_.getInt32(warpLanes));
  builder_.CreateCondBr(builder_.CreateAnd(createVectorQuestion(builder_, index), isRow), turn, apart);
  llvm::PHINode *lane = counter(turn, builder_.getInt32(0), start, "lane");
  builder_.SetInsertPoint(turn);
  llvm::Value *const x = rowLanes ? builder_.CreateAnd(lane, rowLanes - 1) : builder_.CreateNUWAdd(firstX, lane);
  if (rowLanes) y = builder_.CreateNUWAdd(y, builder_.CreateLShr(lane, llvm::Log2_32(rowLanes)));
  const ThreadFields fields{x, y, z, builder_.CreateNUWAdd(first, lane), lane, warp};
  LoopParts parts(region, index);
  parts.passed = &passed;
  for (llvm::AllocaInst *array : exchangeArrays()) parts.variableOf[array] = temporary(array->getAllocatedType());
  addTurn(parts, fields, turn, end);
  if (!rowLanes) takeWarpsNumbers(*fields.x, *firstX, *lane);
  takeWarpsNumbers(*fields.linear, *first, *lane);
  builder_.SetInsertPoint(turn);
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
  markJoined(*latch, index);
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
    case HW_AT_ACTIVEMASK:
      give(boundary.result, builder_.getInt32(~0u));
      [[fallthrough]];
    default:
      createLaneMeeting(builder_, LaneMeeting::Sync, builder_.getVoidTy(), {});
  }
}

}  // namespace hostwarp::compiler
