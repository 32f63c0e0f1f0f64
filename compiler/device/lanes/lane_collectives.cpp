// What the lanes of a warp do together: permutations of vectors, masks and reductions.
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include "compiler/device/lanes/lane_emitter.h"
#include "compiler/device/loop_properties.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

static llvm::RecurKind kindOf(uint32_t operation) {
  switch (operation) {
    case HW_REDUCE_ADD:
      return llvm::RecurKind::Add;
    case HW_REDUCE_MIN_S:
      return llvm::RecurKind::SMin;
    case HW_REDUCE_MAX_S:
      return llvm::RecurKind::SMax;
    case HW_REDUCE_MIN_U:
      return llvm::RecurKind::UMin;
    case HW_REDUCE_MAX_U:
      return llvm::RecurKind::UMax;
    case HW_REDUCE_AND:
      return llvm::RecurKind::And;
    case HW_REDUCE_OR:
      return llvm::RecurKind::Or;
    default:
      return llvm::RecurKind::Xor;
  }
}

void LaneEmitter::emitMeeting(llvm::CallInst &call, LaneMeeting meeting) {
  const auto number = [&](unsigned argument) {
    return static_cast<uint32_t>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(argument))->getZExtValue());
  };
  switch (meeting) {
    case LaneMeeting::Sync:
      return;
    case LaneMeeting::Shuffle:
      return define(call, shuffled(call, number(0)));
    case LaneMeeting::InRange:
      return define(call, inRange(call, number(0)));
    case LaneMeeting::Vote: {
      llvm::Value *value = vectorOf(*call.getArgOperand(1));
      llvm::Value *holds = builder_.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
      return define(call, voteResult(builder_, number(0), builder_.CreateBitCast(holds, builder_.getInt32Ty())));
    }
    case LaneMeeting::Reduce:
      return define(call, reduce(kindOf(number(0)), vectorOf(*call.getArgOperand(1))));
    case LaneMeeting::MatchAny:
      return define(call, matched(vectorOf(*call.getArgOperand(1))));
    case LaneMeeting::MatchAll: {
      llvm::Value *value = vectorOf(*call.getArgOperand(1));
      llvm::Value *first = builder_.CreateVectorSplat(width_, builder_.CreateExtractElement(value, uint64_t{0}));
      llvm::Value *areAll = builder_.CreateAndReduce(builder_.CreateICmpEQ(value, first));
      return define(call, builder_.CreateSExt(areAll, builder_.getInt32Ty()));
    }
  }
}

// matched() compares each lane's value with those of all, one lane after the other: written out, that would be more
// than most of a kernel.
llvm::Value *LaneEmitter::matched(llvm::Value *values) {
  llvm::Type *type = values->getType()->getScalarType(), *i32 = builder_.getInt32Ty();
  llvm::AllocaInst *given = newMemory(values->getType(), "values"), *found = newMemory(vectorType(i32), "same");
  builder_.CreateStore(values, given);
  llvm::BasicBlock *before = builder_.GetInsertBlock(), *each = newBlock("match"), *after = newBlock("matched");
  builder_.CreateBr(each);
  builder_.SetInsertPoint(each);
  llvm::PHINode *lane = builder_.CreatePHI(i32, 2, "lane");
  llvm::Value *value = builder_.CreateLoad(type, builder_.CreateInBoundsGEP(type, given, lane));
  llvm::Value *same = builder_.CreateICmpEQ(values, builder_.CreateVectorSplat(width_, value));
  builder_.CreateStore(builder_.CreateBitCast(same, i32), builder_.CreateInBoundsGEP(i32, found, lane));
  llvm::Value *next = builder_.CreateNUWAdd(lane, builder_.getInt32(1));
  lane->addIncoming(builder_.getInt32(0), before);
  lane->addIncoming(next, each);
  keepRolled(*builder_.CreateCondBr(builder_.CreateICmpULT(next, builder_.getInt32(width_)), each, after));
  builder_.SetInsertPoint(after);
  return builder_.CreateLoad(vectorType(i32), found);
}

// sourcesOf(): what each lane names may follow from its number.
std::optional<ShuffleSources> LaneEmitter::sourcesOf(uint32_t operation, llvm::Value &operand, llvm::Value &width) {
  constexpr unsigned bits = 5;
  if (llvm::isa<llvm::Constant>(operand)) return shuffleSources(operation, &operand, &width);
  const std::optional<LanePattern> &pattern = patterns_.of(operand);
  if (!pattern || pattern->zeros < bits) return std::nullopt;
  llvm::SmallVector<uint32_t> operands;
  for (const int64_t part : pattern->lanes) operands.push_back(static_cast<uint32_t>(part));
  return shuffleSources(operation, operands, &width);
}

// shuffled() is of a shuffle that gives all lanes the same a scalar.
llvm::Value *LaneEmitter::shuffled(llvm::CallInst &call, uint32_t operation) {
  llvm::Value &value = *call.getArgOperand(1), &operand = *call.getArgOperand(2), &width = *call.getArgOperand(3);
  if (shapes_.of(value).isUniform()) return scalarOf(value);
  llvm::Value *lanes = vectorOf(value);
  if (shapes_.of(call).isUniform())
    return builder_.CreateExtractElement(lanes,
                                         builder_.CreateAnd(scalarOf(operand), builder_.getInt32(warpLanes - 1)));
  if (const auto sources = sourcesOf(operation, operand, width))
    return builder_.CreateShuffleVector(lanes, sources->lane);
  llvm::Value *numbers = laneNumbers(builder_.getInt32Ty(), 1);
  return permuted(lanes, shuffleSource(builder_, operation, numbers, vectorOf(operand), vectorOf(width)).lane);
}

llvm::Value *LaneEmitter::inRange(llvm::CallInst &call, uint32_t operation) {
  llvm::Value &operand = *call.getArgOperand(1), &width = *call.getArgOperand(2);
  llvm::Value *numbers = laneNumbers(builder_.getInt32Ty(), 1);
  const ShuffleSource source = shuffleSource(builder_, operation, numbers, vectorOf(operand), vectorOf(width));
  return builder_.CreateZExt(source.inRange, vectorType(builder_.getInt32Ty()));
}

// permuted() has each lane take the value of the lane that it names: by two registers of AVX-512, or through memory.
llvm::Value *LaneEmitter::permuted(llvm::Value *lanes, llvm::Value *sources) {
  llvm::Type *type = lanes->getType()->getScalarType();
  const bool hasWide = function_.getFnAttribute("target-cpu").getValueAsString() == "x86-64-v4";
  if (hasWide && type->isIntegerTy(32)) {
    const auto half = [&](llvm::Value *vector, int first) {
      llvm::SmallVector<int> mask;
      for (int lane = 0; lane < 16; ++lane) mask.push_back(first + lane);
      return builder_.CreateShuffleVector(vector, mask);
    };
    llvm::Value *low = half(lanes, 0), *high = half(lanes, 16);
    const auto take = [&](llvm::Value *from) {
      return builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_d_512, {}, {low, from, high});
    };
    llvm::SmallVector<int> both;
    for (int lane = 0; lane < 32; ++lane) both.push_back(lane);
    return builder_.CreateShuffleVector(take(half(sources, 0)), take(half(sources, 16)), both);
  }
  llvm::AllocaInst *memory = newMemory(lanes->getType(), "values");
  builder_.CreateStore(lanes, memory);
  llvm::Value *places = builder_.CreateInBoundsGEP(type, memory, sources);
  const llvm::Align align = function_.getParent()->getDataLayout().getABITypeAlign(type);
  return builder_.CreateMaskedGather(lanes->getType(), places, align, allLanes());
}

}  // namespace hostwarp::compiler
