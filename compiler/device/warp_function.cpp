#include "compiler/device/warp_function.h"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/device/loop_properties.h"
#include "compiler/device/spin_boundaries.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

BlockFunction::Waits WarpFunction::replaceWaits() {
  ExchangeArrays arrays(*start_);
  Waits waits;
  for (llvm::CallInst *call : exchanges()) {
    const Exchange exchange = *exchangeOf(*call);
    boundaries_.push_back(arrays.replace(*call, exchange));
    waits.calls.push_back(boundaries_.back().marker);
    reduces_ |= exchange.kind == HW_AT_BARRIER_REDUCE;
    opensInParts_ |= opensInParts(exchange.kind);
  }
  dropArrivals();
  for (llvm::CallInst *stop : addSpinBoundaries(*function_, *self_)) {
    boundaries_.push_back({.exchange = {.kind = HW_AT_SPIN}, .place = {}, .marker = stop});
    waits.calls.push_back(stop);
    ++waits.stops;
  }
  spins_ = waits.stops > 0;
  standing_ = llvm::IRBuilder<>(start_->getTerminator()).CreateAlloca(builder_.getInt32Ty(), nullptr, "standing");
  return waits;
}

// dropArrivals(): a block arrives at the barrier of the grid or the cluster when all its threads wait there.
void WarpFunction::dropArrivals() {
  for (llvm::BasicBlock &block : *function_)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const Arrival arrival = call ? arrivalOf(*call) : Arrival::None;
      if (arrival == Arrival::AtOtherBlocks) call->eraseFromParent();
      if (arrival == Arrival::AtBarrier) opensInParts_ = true;
    }
}

uint32_t WarpFunction::code(unsigned region) const {
  const bool waits = region != 0 && region != regions_->exit() && regions_->beginsAtBarrier(region);
  return waits ? region | HW_WAITS : region;
}

bool WarpFunction::isBarrier(unsigned region) const {
  if (region == 0 || !regions_->beginsAtBarrier(region)) return false;
  const hw_boundary_kind kind = boundary(region).exchange.kind;
  return isBarrierOfAll(kind) || opensInParts(kind);
}

void WarpFunction::addLoops() {
  llvm::Type *i32 = builder_.getInt32Ty();
  for (llvm::AllocaInst **variable : {&warp_, &firstThread_, &x_, &y_, &z_, &waiting_, &spinning_, &opened_, &stand_})
    *variable = temporary(i32);
  first_ = newBlock("warps");
  phase_ = newBlock("phase");
  warpStart_ = newBlock("warp");
  scattered_ = newBlock("scattered");
  resume_ = newBlock("resume");
  stragglers_ = newBlock("stragglers");
  scatter_ = newBlock("scatter");
  ended_ = newBlock("together_ended");
  stop_ = newBlock("stop");
  nextWarp_ = newBlock("next_warp");
  makePlan();
  for (unsigned i = 0; i < loopStarts_.size(); ++i)
    arrivals_.push_back(code(i) == i ? loopStarts_[i] : newBlock("arrival"));
  addStart();
  addPhase();
  addWarpStart();
  addScattered();
  addStragglerLoop();
  addStops();
  const Joins found = joins();
  const llvm::DenseMap<unsigned, unsigned> spare = spareRegions(found);
  for (unsigned i = 0; i < loopStarts_.size(); ++i) {
    const auto join = found.passed.find(i);
    llvm::BranchInst &latch =
        addRegionLoop(i, join == found.passed.end() ? *loopStarts_[i] : addJoinedLoops(i, join->second));
    if (const auto number = spare.find(i); number != spare.end()) markSpare(latch, number->second);
  }
  for (unsigned i = 0; i < loopStarts_.size(); ++i) {
    if (arrivals_[i] == loopStarts_[i]) continue;
    // A join begins after the meeting: so its first region's is for all warps.
    const auto number = spare.find(i);
    spareMeeting_ = number == spare.end() || number->second == i ? std::nullopt : std::optional(number->second);
    addMeeting(i);
  }
}

llvm::Constant *WarpFunction::arrayOf(llvm::Value *place) const {
  llvm::Type *i64 = llvm::Type::getInt64Ty(module_.getContext());
  if (auto *constant = llvm::dyn_cast_or_null<llvm::ConstantInt>(place))
    return llvm::ConstantInt::get(i64, ~constant->getZExtValue());
  auto *array = llvm::cast_or_null<llvm::AllocaInst>(place);
  return llvm::ConstantInt::get(i64, array ? offsets_.lookup(array) : 0);
}

// describe() makes the hw_boundary.
llvm::Constant *WarpFunction::describe(const ExchangeArrays::Boundary &boundary, llvm::StructType &type) const {
  llvm::LLVMContext &context = module_.getContext();
  llvm::Type *i32 = llvm::Type::getInt32Ty(context), *i64 = llvm::Type::getInt64Ty(context);
  const Exchange &exchange = boundary.exchange;
  llvm::Constant *work = llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0));
  if (exchange.work) work = exchange.work;
  return llvm::ConstantStruct::get(
      &type,
      {llvm::ConstantInt::get(i32, exchange.kind), llvm::ConstantInt::get(i32, exchange.operation),
       arrayOf(boundary.mask), arrayOf(boundary.operand), arrayOf(boundary.width), arrayOf(boundary.value),
       arrayOf(boundary.result), arrayOf(boundary.flag), llvm::ConstantInt::get(i64, boundary.valueBits / 8), work});
}

// makePlan() makes the hw_warp_plan.
void WarpFunction::makePlan() {
  llvm::LLVMContext &context = module_.getContext();
  llvm::Type *i32 = builder_.getInt32Ty(), *i64 = builder_.getInt64Ty(), *pointer = builder_.getPtrTy();
  llvm::StructType *type = llvm::StructType::get(context, {i32, i32, i64, i64, i64, i64, i64, i64, i64, pointer});
  llvm::SmallVector<llvm::Constant *> described{llvm::ConstantAggregateZero::get(type)};
  for (const ExchangeArrays::Boundary &boundary : boundaries_) described.push_back(describe(boundary, *type));
  const auto constant = [&](llvm::Constant *value, const llvm::Twine &name) {
    return new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::InternalLinkage, value, name);
  };
  auto *list = constant(llvm::ConstantArray::get(llvm::ArrayType::get(type, described.size()), described),
                        function_->getName() + ".boundaries");
  plan_ = constant(llvm::ConstantStruct::getAnon({list, llvm::ConstantInt::get(i64, stateOffset_),
                                                  llvm::ConstantInt::get(i32, regions_->exit()),
                                                  llvm::ConstantInt::get(i64, offsets_.lookup(standing_))}),
                   function_->getName() + ".plan");
}

llvm::CallInst *WarpFunction::callRuntime(const char *function, llvm::Type *result,
                                          llvm::ArrayRef<llvm::Value *> more) {
  llvm::SmallVector<llvm::Value *> arguments{plan_, function_->getArg(1)};
  arguments.append(more.begin(), more.end());
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *argument : arguments) types.push_back(argument->getType());
  return builder_.CreateCall(abiFunction(module_, function, result, types), arguments);
}

// addStart() notes for each warp whether it begins converged or scattered.
void WarpFunction::addStart() {
  llvm::IRBuilder<> early(start_->getTerminator());
  llvm::Value *power = early.CreateAnd(width_, early.CreateNeg(width_)), *all = early.getInt32(warpLanes);
  inRow_ = early.CreateSelect(early.CreateICmpEQ(threads_, width_), all,
                              early.CreateBinaryIntrinsic(llvm::Intrinsic::umin, power, all), "in_row");
  llvm::BasicBlock *each = newBlock("each_warp");
  builder_.SetInsertPoint(first_);
  clearStates();
  builder_.CreateStore(builder_.getInt32(1), opened_);
  builder_.CreateBr(each);
  llvm::PHINode *thread = counter(each, builder_.getInt32(0), first_, "first");
  builder_.SetInsertPoint(each);
  llvm::Value *next = builder_.CreateNUWAdd(thread, builder_.getInt32(warpLanes));
  llvm::Value *isWhole = builder_.CreateICmpULE(next, threads_);
  builder_.CreateStore(builder_.CreateSelect(isWhole, builder_.getInt32(0), builder_.getInt32(HW_SCATTERED)),
                       element(*standing_, thread));
  thread->addIncoming(next, each);
  builder_.CreateCondBr(builder_.CreateICmpULT(next, threads_), each, phase_);
}

// addPhase() begins a round in which each warp has its turn.
void WarpFunction::addPhase() {
  builder_.SetInsertPoint(phase_);
  builder_.CreateStore(builder_.getInt32(0), waiting_);
  builder_.CreateStore(builder_.getInt32(0), spinning_);
  builder_.CreateStore(builder_.getInt32(0), warp_);
  builder_.CreateBr(warpStart_);
}

void WarpFunction::addWarpStart() {
  builder_.SetInsertPoint(warpStart_);
  llvm::Type *i32 = builder_.getInt32Ty();
  llvm::Value *first = builder_.CreateNUWMul(builder_.CreateLoad(i32, warp_), builder_.getInt32(warpLanes));
  const ThreadFields fields = fieldsOf(first);
  builder_.CreateStore(first, firstThread_);
  builder_.CreateStore(fields.x, x_);
  builder_.CreateStore(fields.y, y_);
  builder_.CreateStore(fields.z, z_);
  moveUniformSlots(false);
  llvm::Value *standing = builder_.CreateLoad(i32, element(*standing_, first));
  llvm::BasicBlock *together = newBlock("together"), *closed = newBlock("closed"), *open = newBlock("open");
  llvm::SwitchInst *choice = builder_.CreateSwitch(standing, together);
  choice->addCase(builder_.getInt32(HW_SCATTERED), scattered_);
  choice->addCase(builder_.getInt32(regions_->exit()), nextWarp_);
  builder_.SetInsertPoint(together);
  // Where not all go on at a time, the runtime has noted which warps do.
  llvm::Value *isOpen = opensInParts_ ? builder_.CreateICmpSGE(standing, builder_.getInt32(0))
                                      : builder_.CreateIsNotNull(builder_.CreateLoad(i32, opened_));
  builder_.CreateCondBr(isOpen, open, closed);
  builder_.SetInsertPoint(closed);
  builder_.CreateStore(builder_.getInt32(1), waiting_);
  builder_.CreateBr(nextWarp_);
  builder_.SetInsertPoint(open);
  choice = builder_.CreateSwitch(standing, nextWarp_);
  for (unsigned i = 0; i < loopStarts_.size(); ++i)
    if (i == 0 || isBarrier(i)) choice->addCase(builder_.getInt32(i), loopStarts_[i]);
}

// moveUniformSlots() saves the warp's uniform slots in the frame while other warps run, or restores them.
void WarpFunction::moveUniformSlots(bool toFrame) {
  llvm::Value *first = builder_.CreateLoad(builder_.getInt32Ty(), firstThread_);
  for (const Slot &slot : regions_->slots()) {
    const auto isAtBarrier = [&](unsigned region) { return isBarrier(region); };
    if (!slot.uniform || llvm::none_of(slot.liveInto, isAtBarrier)) continue;
    llvm::Type *type = slot.storage->getAllocatedType();
    llvm::Value *kept = slotElement(slot, first);
    if (toFrame)
      builder_.CreateStore(builder_.CreateLoad(type, slot.storage), kept);
    else
      builder_.CreateStore(builder_.CreateLoad(type, kept), slot.storage);
  }
}

// addRegionLoop() makes a loop over the pieces of rows that the warp consists of, and in it one over the lanes of a
// piece; it returns where the latter's turn ends.
llvm::BranchInst &WarpFunction::addRegionLoop(unsigned index, llvm::BasicBlock &start) {
  const Region &region = regions_->regions()[index];
  llvm::BasicBlock *piece = newBlock("piece"), *turn = newBlock("lane"), *end = newBlock("next_lane"),
                   *pieceEnd = newBlock("next_piece"), *after = newBlock("boundary");
  builder_.SetInsertPoint(&start);
  llvm::Type *i32 = builder_.getInt32Ty();
  llvm::Value *first = builder_.CreateLoad(i32, firstThread_), *warp = builder_.CreateLoad(i32, warp_);
  llvm::Value *firstX = builder_.CreateLoad(i32, x_), *firstY = builder_.CreateLoad(i32, y_),
              *firstZ = builder_.CreateLoad(i32, z_);
  beginSharing();
  if (!region.nextIsUniform) beginNext();
  builder_.CreateBr(piece);
  llvm::PHINode *z = counter(piece, firstZ, &start, "z"), *y = counter(piece, firstY, &start, "y"),
                *x = counter(piece, firstX, &start, "x"), *done = counter(piece, builder_.getInt32(0), &start, "done");
  builder_.SetInsertPoint(piece);
  builder_.CreateBr(turn);
  llvm::PHINode *number = counter(turn, builder_.getInt32(0), piece, "number");
  builder_.SetInsertPoint(turn);
  llvm::Value *lane = builder_.CreateNUWAdd(done, number);
  const ThreadFields fields{builder_.CreateNUWAdd(x, number), y, z, builder_.CreateNUWAdd(first, lane), lane, warp};
  LoopParts parts(region, index);
  addTurn(parts, fields, turn, end);
  builder_.SetInsertPoint(turn);
  builder_.CreateBr(llvm::cast<llvm::BasicBlock>(parts.map[region.entry]));

  builder_.SetInsertPoint(end);
  endRegionTurn(parts, fields);
  llvm::Value *next = builder_.CreateAdd(number, builder_.getInt32(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  number->addIncoming(next, end);
  llvm::BranchInst *latch = builder_.CreateCondBr(builder_.CreateICmpULT(next, inRow_), turn, pieceEnd);
  addPieceEnd({x, y, z, done}, *pieceEnd, *after);
  builder_.SetInsertPoint(after);
  endSharing();
  goOn(region);

  parts.blocks.append({turn, end});
  closeThreads(parts, fields, *latch);
  return *latch;
}

// addPieceEnd() moves on to the next piece of the warp: in the same row, or at the beginning of the next.
void WarpFunction::addPieceEnd(const Piece &piece, llvm::BasicBlock &at, llvm::BasicBlock &after) {
  builder_.SetInsertPoint(&at);
  llvm::Value *zero = builder_.getInt32(0), *one = builder_.getInt32(1);
  llvm::Value *done = builder_.CreateNUWAdd(piece.done, inRow_), *x = builder_.CreateNUWAdd(piece.x, inRow_);
  llvm::Value *rowEnds = builder_.CreateICmpUGE(x, width_), *nextY = builder_.CreateNUWAdd(piece.y, one);
  llvm::Value *planeEnds = builder_.CreateAnd(rowEnds, builder_.CreateICmpUGE(nextY, height_));
  piece.x->addIncoming(builder_.CreateSelect(rowEnds, zero, x), &at);
  piece.y->addIncoming(builder_.CreateSelect(planeEnds, zero, builder_.CreateSelect(rowEnds, nextY, piece.y)), &at);
  piece.z->addIncoming(builder_.CreateNUWAdd(piece.z, builder_.CreateZExt(planeEnds, builder_.getInt32Ty())), &at);
  piece.done->addIncoming(done, &at);
  markRows(*builder_.CreateCondBr(builder_.CreateICmpULT(done, builder_.getInt32(warpLanes)), piece.done->getParent(),
                                  &after));
}

// goOn() ends a loop over lanes that stood together.
void WarpFunction::goOn(const Region &region) {
  llvm::Value *next = builder_.CreateLoad(builder_.getInt32Ty(), lowestNext_);
  if (!region.nextIsUniform) {
    llvm::BasicBlock *all = newBlock("together");
    llvm::Value *highest = builder_.CreateLoad(builder_.getInt32Ty(), highestNext_);
    builder_.CreateCondBr(builder_.CreateICmpEQ(next, highest), all, resume_);
    builder_.SetInsertPoint(all);
  }
  // Edges to all regions would make the function's size grow with their square.
  if (region.next.empty()) {
    builder_.CreateUnreachable();
    return;
  }
  llvm::SwitchInst *choice = builder_.CreateSwitch(next, arrival(region.next[0]));
  for (unsigned i : llvm::drop_begin(region.next)) choice->addCase(builder_.getInt32(code(i)), arrival(i));
}

// addScattered() is for warps whose lanes the runtime lets go on, as many as can.
void WarpFunction::addScattered() {
  llvm::Type *i32 = builder_.getInt32Ty();
  builder_.SetInsertPoint(scattered_);
  callRuntime("hw_begin_turn", builder_.getVoidTy(),
              {builder_.CreateLoad(i32, warp_), builder_.CreateLoad(i32, opened_)});
  builder_.CreateBr(resume_);
  builder_.SetInsertPoint(resume_);
  llvm::Value *end = builder_.CreateNUWAdd(builder_.CreateLoad(i32, firstThread_), builder_.getInt32(warpLanes));
  llvm::Value *isWhole = builder_.CreateICmpULE(end, threads_);
  llvm::Value *who =
      callRuntime("hw_resume_warp", i32, {builder_.CreateLoad(i32, warp_), builder_.CreateZExt(isWhole, i32)});
  llvm::BasicBlock *waits = newBlock("waits"), *spins = newBlock("spins"), *ended = newBlock("ended");
  llvm::SwitchInst *choice = builder_.CreateSwitch(who, ended);
  choice->addCase(builder_.getInt32(HW_SCATTERED), stragglers_);
  choice->addCase(builder_.getInt32(HW_WAITS), waits);
  choice->addCase(builder_.getInt32(HW_SPINS), spins);
  for (unsigned i = 0; i < loopStarts_.size(); ++i) choice->addCase(builder_.getInt32(i), loopStarts_[i]);
  builder_.SetInsertPoint(spins);
  builder_.CreateStore(builder_.getInt32(1), spinning_);
  addStop(spins, HW_SCATTERED);
  addStop(waits, HW_SCATTERED);
  addStop(ended, regions_->exit());
  builder_.SetInsertPoint(ended_);
  if (reduces_) storeStates(regions_->exit());
  addStop(ended_, regions_->exit());
  builder_.SetInsertPoint(scatter_);
  builder_.CreateBr(resume_);
}

// addStop() ends the warp's turn.
void WarpFunction::addStop(llvm::BasicBlock *from, uint32_t stand) {
  builder_.SetInsertPoint(from);
  builder_.CreateStore(builder_.getInt32(stand), stand_);
  builder_.CreateBr(stop_);
}

// addStragglerLoop() takes each lane on that may go on, from where it stands.
void WarpFunction::addStragglerLoop() {
  llvm::Type *i32 = builder_.getInt32Ty();
  llvm::BasicBlock *head = newBlock("straggler"), *turn = newBlock("thread"), *leave = newBlock("stands"),
                   *end = newBlock("next_straggler"), *after = newBlock("boundary");
  builder_.SetInsertPoint(stragglers_);
  llvm::Value *first = builder_.CreateLoad(i32, firstThread_);
  llvm::Value *last = builder_.CreateBinaryIntrinsic(
      llvm::Intrinsic::umin, builder_.CreateNUWAdd(first, builder_.getInt32(warpLanes)), threads_);
  beginSharing();
  builder_.CreateBr(head);
  llvm::PHINode *thread = counter(head, first, stragglers_, "straggler");
  builder_.SetInsertPoint(head);
  const ThreadFields fields = fieldsOf(thread);
  llvm::Value *state = builder_.CreateLoad(i32, stateOf(thread));
  builder_.CreateCondBr(builder_.CreateICmpUGE(state, builder_.getInt32(regions_->exit())), end, turn);
  llvm::Value *then = addStragglerTurn(state, fields, turn, leave);
  builder_.CreateStore(then, stateOf(thread));
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
  llvm::Value *next = builder_.CreateNUWAdd(thread, builder_.getInt32(1));
  thread->addIncoming(next, end);
  llvm::BranchInst *latch = builder_.CreateCondBr(builder_.CreateICmpULT(next, last), head, after);
  keepScalar(*latch);
  keepRolled(*latch);
  builder_.SetInsertPoint(after);
  endSharing();
  builder_.CreateBr(resume_);
}

// addStops() ends a warp's turn, and the phase.
void WarpFunction::addStops() {
  llvm::Type *i32 = builder_.getInt32Ty();
  builder_.SetInsertPoint(stop_);
  llvm::Value *stand = builder_.CreateLoad(i32, stand_);
  builder_.CreateStore(stand, element(*standing_, builder_.CreateLoad(i32, firstThread_)));
  moveUniformSlots(true);
  llvm::Value *waits = builder_.CreateICmpNE(stand, builder_.getInt32(regions_->exit()));
  builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(i32, waiting_), builder_.CreateZExt(waits, i32)),
                       waiting_);
  builder_.CreateBr(nextWarp_);

  builder_.SetInsertPoint(nextWarp_);
  llvm::Value *next = builder_.CreateNUWAdd(builder_.CreateLoad(i32, warp_), builder_.getInt32(1));
  builder_.CreateStore(next, warp_);
  llvm::Value *thread = builder_.CreateNUWMul(next, builder_.getInt32(warpLanes));
  llvm::BasicBlock *phaseEnd = newBlock("phase_end");
  builder_.CreateCondBr(builder_.CreateICmpULT(thread, threads_), warpStart_, phaseEnd);
  builder_.SetInsertPoint(phaseEnd);
  addPhaseEnd();
}

// addPhaseEnd() is where all warps have had their turns: some lane spins, or all threads that are left are at a
// barrier.
void WarpFunction::addPhaseEnd() {
  const auto isSet = [&](llvm::AllocaInst *flag) {
    return builder_.CreateICmpNE(builder_.CreateLoad(builder_.getInt32Ty(), flag), builder_.getInt32(0));
  };
  if (spins_) {
    llvm::BasicBlock *again = newBlock("spin"), *quiet = newBlock("quiet");
    builder_.CreateCondBr(isSet(spinning_), again, quiet);
    builder_.SetInsertPoint(again);
    if (opensInParts_) {
      llvm::BasicBlock *yield = newBlock("yield");
      builder_.CreateStore(builder_.getInt32(0), opened_);
      builder_.CreateCondBr(openWaits(true), phase_, yield);
      builder_.SetInsertPoint(yield);
    }
    builder_.CreateCall(abiFunction(module_, "hw_yield_block", builder_.getVoidTy(), {}));
    builder_.CreateStore(builder_.getInt32(0), opened_);
    builder_.CreateBr(phase_);
    builder_.SetInsertPoint(quiet);
  }
  llvm::BasicBlock *barrier = newBlock("barrier");
  builder_.CreateCondBr(isSet(waiting_), barrier, done_);
  builder_.SetInsertPoint(barrier);
  if (isChecked()) callRuntime("hw_check_warps", builder_.getVoidTy(), {});
  if (opensInParts_)
    openWaits(false);
  else if (reduces_)
    callRuntime("hw_reduce_block", builder_.getVoidTy(), {});
  builder_.CreateStore(builder_.getInt32(opensInParts_ ? 0 : 1), opened_);
  builder_.CreateBr(phase_);
}

// openWaits() asks the runtime who goes on where parts of the block wait for each other; true: somebody.
llvm::Value *WarpFunction::openWaits(bool spinning) {
  llvm::CallInst *opened = callRuntime("hw_open_waits", builder_.getInt32Ty(), {builder_.getInt32(spinning)});
  // Reports name the place of the call. Where there are several, one of them has to do.
  for (const ExchangeArrays::Boundary &each : boundaries_)
    if (each.exchange.kind == HW_AT_GRID || each.exchange.kind == HW_AT_CLUSTER) opened->setDebugLoc(each.place);
  return builder_.CreateICmpNE(opened, builder_.getInt32(0));
}

void WarpFunction::storeStates(uint32_t state) {
  auto *type = llvm::FixedVectorType::get(builder_.getInt32Ty(), warpLanes);
  llvm::Value *first = builder_.CreateLoad(builder_.getInt32Ty(), firstThread_);
  builder_.CreateAlignedStore(llvm::ConstantVector::getSplat(type->getElementCount(), builder_.getInt32(state)),
                              stateOf(first), llvm::Align(4));
}

llvm::Value *WarpFunction::element(llvm::AllocaInst &array, llvm::Value *thread) {
  return arrayElement(offsets_[&array], module_.getDataLayout().getTypeAllocSize(array.getAllocatedType()), thread);
}

}  // namespace hostwarp::compiler
