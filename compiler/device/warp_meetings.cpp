// What a warp does whose 32 lanes have come together to a collective: a loop over the lanes where that is all it takes,
// else a call of the runtime.
#include <llvm/IR/DebugInfoMetadata.h>

#include "compiler/device/lane_meetings.h"
#include "compiler/device/loop_properties.h"
#include "compiler/device/thread_state.h"
#include "compiler/device/warp_function.h"

namespace hostwarp::compiler {

// addMeeting() is where a warp has come together to what it waits for before the region.
void WarpFunction::addMeeting(unsigned index) {
  const ExchangeArrays::Boundary &at = boundary(index);
  builder_.SetInsertPoint(arrivals_[index]);
  if (isBarrier(index)) {
    if (opensInParts_) return addStop(arrivals_[index], code(index));
    if (reduces_) storeStates(code(index));
    return addStop(arrivals_[index], index);
  }
  if (at.exchange.kind == HW_AT_SPIN) {
    storeStates(code(index));
    builder_.CreateBr(scatter_);
    return;
  }
  if (canMeetHere(at)) {
    if (llvm::Value *allowed = masksAllow(at)) {
      llvm::BasicBlock *here = newBlock("meet"), *there = newBlock("meet_elsewhere");
      builder_.CreateCondBr(allowed, here, there);
      builder_.SetInsertPoint(here);
      meet(at);
      builder_.CreateBr(loopStarts_[index]);
      builder_.SetInsertPoint(there);
    } else {
      meet(at);
      builder_.CreateBr(loopStarts_[index]);
      return;
    }
  }
  llvm::Type *i32 = builder_.getInt32Ty();
  llvm::Value *met = callRuntime("hw_meet_warp", i32, {builder_.CreateLoad(i32, warp_), builder_.getInt32(index)});
  llvm::BasicBlock *apart = newBlock("apart");
  builder_.CreateCondBr(builder_.CreateICmpNE(met, builder_.getInt32(0)), loopStarts_[index], apart);
  builder_.SetInsertPoint(apart);
  storeStates(code(index));
  builder_.CreateBr(scatter_);
}

llvm::Value *WarpFunction::overLanes(llvm::Value *initial, LaneBody body, bool looksUp) {
  llvm::BasicBlock *before = builder_.GetInsertBlock(), *each = newBlock("each_lane"), *after = newBlock("all_lanes");
  llvm::Value *first = builder_.CreateLoad(builder_.getInt32Ty(), firstThread_);
  builder_.CreateBr(each);
  llvm::PHINode *lane = counter(each, builder_.getInt32(0), before, "lane");
  llvm::PHINode *last = nullptr;
  if (initial) {
    last = builder_.CreatePHI(initial->getType(), 2, "last");
    last->addIncoming(initial, before);
  }
  builder_.SetInsertPoint(each);
  llvm::Value *given = body(lane, builder_.CreateNUWAdd(first, lane), last);
  if (last) last->addIncoming(given, each);
  llvm::Value *next = builder_.CreateNUWAdd(lane, builder_.getInt32(1));
  lane->addIncoming(next, each);
  llvm::BranchInst *latch =
      builder_.CreateCondBr(builder_.CreateICmpULT(next, builder_.getInt32(warpLanes)), each, after);
  allowReordering({each}, *latch);
  keepRolled(*latch);
  if (spareMeeting_) markSpare(*latch, *spareMeeting_);
  if (looksUp) markLookUp(*latch);
  builder_.SetInsertPoint(after);
  return given;
}

// number() is what a thread has handed over.
llvm::Value *WarpFunction::number(llvm::Value *place, llvm::Value *thread) {
  auto *array = llvm::dyn_cast<llvm::AllocaInst>(place);
  return array ? builder_.CreateLoad(builder_.getInt32Ty(), element(*array, thread)) : place;
}

bool WarpFunction::canMeetHere(const ExchangeArrays::Boundary &boundary) const {
  switch (boundary.exchange.kind) {
    case HW_AT_SYNCWARP:
    case HW_AT_SHUFFLE:
    case HW_AT_VOTE:
    case HW_AT_MATCH_ANY:
    case HW_AT_MATCH_ALL:
    case HW_AT_REDUCE:
    case HW_AT_TOGETHER:
    case HW_AT_ACTIVEMASK: {
      auto *mask = llvm::dyn_cast<llvm::ConstantInt>(boundary.mask);
      return !mask || mask->isZero() || mask->isMinusOne();
    }
    default:
      return false;
  }
}

// masksAllow() finds out whether all lanes may meet as one; null: certainly. What votes, matches and reductions give
// depends on all that a lane names, and work together has to do with all, so all have to name all; for the others it is
// enough that each names itself, unless somebody wants to know who meets with whom.
llvm::Value *WarpFunction::masksAllow(const ExchangeArrays::Boundary &boundary) {
  if (llvm::isa<llvm::ConstantInt>(boundary.mask)) return nullptr;
  const hw_boundary_kind kind = boundary.exchange.kind;
  const bool wantsAll = isChecked() || (kind != HW_AT_SHUFFLE && kind != HW_AT_SYNCWARP);
  const bool zeroIsAll = !isChecked() || kind != HW_AT_SYNCWARP;
  return overLanes(builder_.getTrue(), [&](llvm::Value *lane, llvm::Value *thread, llvm::Value *last) {
    llvm::Value *mask = number(boundary.mask, thread), *zero = builder_.getInt32(0);
    llvm::Value *bit = builder_.CreateShl(builder_.getInt32(1), lane);
    llvm::Value *names = wantsAll ? builder_.CreateICmpEQ(mask, builder_.getInt32(~0u))
                                  : builder_.CreateICmpNE(builder_.CreateAnd(mask, bit), zero);
    if (zeroIsAll) names = builder_.CreateOr(names, builder_.CreateICmpEQ(mask, zero));
    return builder_.CreateAnd(last, names);
  });
}

// tellOfMeeting() tells the runtime that all lanes meet, but for those that are only kept in step.
void WarpFunction::tellOfMeeting(const ExchangeArrays::Boundary &boundary) {
  llvm::Type *i32 = builder_.getInt32Ty();
  const hw_boundary_kind kind = boundary.exchange.kind;
  if (const auto *mask = llvm::dyn_cast<llvm::ConstantInt>(boundary.mask);
      kind == HW_AT_SYNCWARP && mask && mask->isZero())
    return;
  builder_.CreateCall(abiFunction(module_, "hw_check_meeting", builder_.getVoidTy(), {i32, i32}),
                      {builder_.CreateLoad(i32, warp_), builder_.getInt32(kind)});
}

void WarpFunction::meet(const ExchangeArrays::Boundary &boundary) {
  if (isChecked()) tellOfMeeting(boundary);
  switch (boundary.exchange.kind) {
    case HW_AT_SHUFFLE:
      return shuffle(boundary);
    case HW_AT_VOTE:
      return giveAll(boundary, vote(boundary));
    case HW_AT_MATCH_ANY:
      return matchAny(boundary);
    case HW_AT_MATCH_ALL:
      return matchAll(boundary);
    case HW_AT_REDUCE:
      return giveAll(boundary, reduce(boundary));
    case HW_AT_ACTIVEMASK:
      return giveAll(boundary, builder_.getInt32(~0u));
    case HW_AT_TOGETHER:
      return workTogether(boundary);
    default:
      return;
  }
}

void WarpFunction::giveAll(const ExchangeArrays::Boundary &boundary, llvm::Value *result) {
  overLanes(nullptr, [&](llvm::Value *, llvm::Value *thread, llvm::Value *) {
    return builder_.CreateStore(builder_.CreateZExt(result, boundary.result->getAllocatedType()),
                                element(*boundary.result, thread));
  });
}

// valuesOfWarp() is what all lanes have handed over.
llvm::Value *WarpFunction::valuesOfWarp(const ExchangeArrays::Boundary &boundary) {
  llvm::Type *type = boundary.value->getAllocatedType();
  llvm::Value *first = builder_.CreateLoad(builder_.getInt32Ty(), firstThread_);
  return builder_.CreateAlignedLoad(llvm::FixedVectorType::get(type, warpLanes), element(*boundary.value, first),
                                    module_.getDataLayout().getABITypeAlign(type));
}

// matchAny() compares each lane's value with those of all at once.
void WarpFunction::matchAny(const ExchangeArrays::Boundary &boundary) {
  llvm::Value *values = valuesOfWarp(boundary);
  overLanes(nullptr, [&](llvm::Value *, llvm::Value *thread, llvm::Value *) {
    llvm::Value *value = builder_.CreateLoad(boundary.value->getAllocatedType(), element(*boundary.value, thread));
    llvm::Value *same = builder_.CreateICmpEQ(values, builder_.CreateVectorSplat(warpLanes, value));
    llvm::Value *lanes = builder_.CreateBitCast(same, builder_.getInt32Ty());
    return builder_.CreateStore(builder_.CreateZExt(lanes, boundary.result->getAllocatedType()),
                                element(*boundary.result, thread));
  });
}

void WarpFunction::matchAll(const ExchangeArrays::Boundary &boundary) {
  llvm::Value *values = valuesOfWarp(boundary), *first = builder_.CreateExtractElement(values, uint64_t{0});
  llvm::Value *same = builder_.CreateICmpEQ(values, builder_.CreateVectorSplat(warpLanes, first));
  llvm::Value *areAll = builder_.CreateAndReduce(same);
  giveAll(boundary, builder_.CreateSExt(areAll, builder_.getInt32Ty()));
  if (!boundary.exchange.flagPointer) return;
  overLanes(nullptr, [&](llvm::Value *, llvm::Value *thread, llvm::Value *) {
    return builder_.CreateStore(builder_.CreateZExt(areAll, builder_.getInt32Ty()), element(*boundary.flag, thread));
  });
}

// workTogether() hands every lane's pointer to the work that they brought along.
void WarpFunction::workTogether(const ExchangeArrays::Boundary &boundary) {
  llvm::Type *pointer = builder_.getPtrTy(), *handed = llvm::ArrayType::get(pointer, warpLanes);
  if (!handed_) handed_ = llvm::IRBuilder<>(start_->getTerminator()).CreateAlloca(handed, nullptr, "handed");
  overLanes(nullptr, [&](llvm::Value *lane, llvm::Value *thread, llvm::Value *) {
    llvm::Value *given = builder_.CreateLoad(pointer, element(*boundary.value, thread));
    return builder_.CreateStore(given, builder_.CreateInBoundsGEP(handed, handed_, {builder_.getInt32(0), lane}));
  });
  llvm::CallInst *work = builder_.CreateCall(boundary.exchange.work, {handed_});
  // A call that may be inlined must have a place.
  if (llvm::DISubprogram *function = function_->getSubprogram())
    work->setDebugLoc(llvm::DILocation::get(function_->getContext(), 0, 0, function));
}

// permute() takes the values of all lanes at once.
void WarpFunction::permute(const ExchangeArrays::Boundary &boundary, const ShuffleSources &sources) {
  llvm::Type *type = boundary.value->getAllocatedType(), *i32 = builder_.getInt32Ty();
  const llvm::Align align = module_.getDataLayout().getABITypeAlign(type);
  llvm::Value *first = builder_.CreateLoad(i32, firstThread_), *values = valuesOfWarp(boundary);
  builder_.CreateAlignedStore(builder_.CreateShuffleVector(values, sources.lane), element(*boundary.result, first),
                              align);
  if (!boundary.exchange.flagPointer) return;
  llvm::SmallVector<llvm::Constant *> flags;
  for (const bool inRange : sources.inRange) flags.push_back(builder_.getInt32(inRange));
  builder_.CreateAlignedStore(llvm::ConstantVector::get(flags), element(*boundary.flag, first), llvm::Align(4));
}

void WarpFunction::shuffle(const ExchangeArrays::Boundary &boundary) {
  const uint32_t operation = boundary.exchange.operation;
  if (const auto sources = shuffleSources(operation, boundary.operand, boundary.width))
    return permute(boundary, *sources);
  const auto takeValue = [&](llvm::Value *lane, llvm::Value *thread, llvm::Value *) -> llvm::Value * {
    const ShuffleSource source =
        shuffleSource(builder_, operation, lane, number(boundary.operand, thread), number(boundary.width, thread));
    llvm::Value *from = builder_.CreateSub(builder_.CreateAdd(thread, source.lane), lane);
    llvm::Value *value = builder_.CreateLoad(boundary.value->getAllocatedType(), element(*boundary.value, from));
    if (boundary.exchange.flagPointer)
      builder_.CreateStore(builder_.CreateZExt(source.inRange, builder_.getInt32Ty()), element(*boundary.flag, thread));
    return builder_.CreateStore(value, element(*boundary.result, thread));
  };
  overLanes(nullptr, takeValue, true);
}

llvm::Value *WarpFunction::vote(const ExchangeArrays::Boundary &boundary) {
  llvm::Value *ballot = overLanes(builder_.getInt32(0), [&](llvm::Value *lane, llvm::Value *thread, llvm::Value *last) {
    llvm::Value *value = builder_.CreateLoad(boundary.value->getAllocatedType(), element(*boundary.value, thread));
    llvm::Value *holds = builder_.CreateICmpNE(value, llvm::ConstantInt::get(value->getType(), 0));
    return builder_.CreateOr(last, builder_.CreateShl(builder_.CreateZExt(holds, builder_.getInt32Ty()), lane));
  });
  return voteResult(builder_, boundary.exchange.operation, ballot);
}

llvm::Value *WarpFunction::reduce(const ExchangeArrays::Boundary &boundary) {
  const auto combine = [&](llvm::Value *a, llvm::Value *b) -> llvm::Value * {
    switch (boundary.exchange.operation) {
      case HW_REDUCE_ADD:
        return builder_.CreateAdd(a, b);
      case HW_REDUCE_MIN_S:
        return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
      case HW_REDUCE_MAX_S:
        return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
      case HW_REDUCE_MIN_U:
        return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
      case HW_REDUCE_MAX_U:
        return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a, b);
      case HW_REDUCE_AND:
        return builder_.CreateAnd(a, b);
      case HW_REDUCE_OR:
        return builder_.CreateOr(a, b);
      default:
        return builder_.CreateXor(a, b);
    }
  };
  const auto identity = [&]() -> uint32_t {
    switch (boundary.exchange.operation) {
      case HW_REDUCE_MIN_S:
        return 0x7fffffffu;
      case HW_REDUCE_MAX_S:
        return 0x80000000u;
      case HW_REDUCE_MIN_U:
      case HW_REDUCE_AND:
        return ~0u;
      default:
        return 0;
    }
  };
  return overLanes(builder_.getInt32(identity()), [&](llvm::Value *, llvm::Value *thread, llvm::Value *last) {
    return combine(last, builder_.CreateLoad(builder_.getInt32Ty(), element(*boundary.value, thread)));
  });
}

}  // namespace hostwarp::compiler
