#include "compiler/device/lane_meetings.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Module.h>

#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral questionName = "hw_lanes_are_vector";

constexpr llvm::StringLiteral nameOf(LaneMeeting meeting) {
  switch (meeting) {
    case LaneMeeting::Sync:
      return "hw_lanes_sync";
    case LaneMeeting::Shuffle:
      return "hw_lanes_shuffle";
    case LaneMeeting::InRange:
      return "hw_lanes_in_range";
    case LaneMeeting::Vote:
      return "hw_lanes_vote";
    case LaneMeeting::MatchAny:
      return "hw_lanes_match_any";
    case LaneMeeting::MatchAll:
      return "hw_lanes_match_all";
    default:
      return "hw_lanes_reduce";
  }
}

}  // namespace

std::optional<LaneMeeting> laneMeetingOf(const llvm::Value &value) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&value);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->getName().starts_with("hw_lanes_")) return std::nullopt;
  const llvm::StringRef name = callee->getName().split('.').first;
  for (const LaneMeeting meeting : {LaneMeeting::Sync, LaneMeeting::Shuffle, LaneMeeting::InRange, LaneMeeting::Vote,
                                    LaneMeeting::Reduce, LaneMeeting::MatchAny, LaneMeeting::MatchAll})
    if (name == nameOf(meeting)) return meeting;
  return std::nullopt;
}

llvm::CallInst *createLaneMeeting(llvm::IRBuilder<> &builder, LaneMeeting meeting, llvm::Type *result,
                                  llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::SmallVector<llvm::Type *> types;
  for (const llvm::Value *argument : arguments) types.push_back(argument->getType());
  std::string name = nameOf(meeting).str();
  if (types.size() > 1) name += ".i" + std::to_string(types[1]->getIntegerBitWidth());
  llvm::FunctionCallee function =
      builder.GetInsertBlock()->getModule()->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  auto *callee = llvm::cast<llvm::Function>(function.getCallee());
  callee->setConvergent();
  callee->setDoesNotThrow();
  callee->setWillReturn();
  if (meeting != LaneMeeting::Sync) callee->setDoesNotAccessMemory();
  llvm::CallInst *call = builder.CreateCall(function, arguments);
  call->setConvergent();
  return call;
}

// The call stays where it is: what has to be looked at before the loop is computed in its place.
llvm::CallInst *createVectorQuestion(llvm::IRBuilder<> &builder, unsigned number) {
  llvm::FunctionCallee function = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      questionName, llvm::FunctionType::get(builder.getInt1Ty(), {builder.getInt32Ty()}, false));
  auto *callee = llvm::cast<llvm::Function>(function.getCallee());
  callee->setDoesNotThrow();
  callee->setWillReturn();
  callee->setOnlyAccessesInaccessibleMemory();
  return builder.CreateCall(function, {builder.getInt32(number)});
}

bool isVectorQuestion(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == questionName;
}

std::optional<ShuffleSources> shuffleSources(uint32_t operation, llvm::Value *operand, llvm::Value *width) {
  auto *known = llvm::dyn_cast<llvm::ConstantInt>(operand);
  if (!known) return std::nullopt;
  const llvm::SmallVector<uint32_t> operands(warpLanes, static_cast<uint32_t>(known->getZExtValue()));
  return shuffleSources(operation, operands, width);
}

std::optional<ShuffleSources> shuffleSources(uint32_t operation, llvm::ArrayRef<uint32_t> operands,
                                             llvm::Value *width) {
  auto *known = llvm::dyn_cast<llvm::ConstantInt>(width);
  if (!known) return std::nullopt;
  ShuffleSources sources{};
  const int lanes = warpLanes, segment = static_cast<int>((warpLanes - known->getZExtValue()) & 31);
  const int within = segment ^ 31;
  for (int lane = 0; lane < lanes; ++lane) {
    const int b = static_cast<int>(operands[static_cast<size_t>(lane)] & 31);
    const int first = lane & segment, last = first | within;
    const int source = operation == HW_SHFL_UP     ? lane - b
                       : operation == HW_SHFL_DOWN ? lane + b
                       : operation == HW_SHFL_BFLY ? lane ^ b
                                                   : first | (b & within);
    sources.inRange[lane] = operation == HW_SHFL_UP ? source >= first : source <= last;
    sources.lane[lane] = sources.inRange[lane] ? source : lane;
  }
  return sources;
}

ShuffleSource shuffleSource(llvm::IRBuilder<> &builder, uint32_t operation, llvm::Value *lane, llvm::Value *operand,
                            llvm::Value *width) {
  llvm::Type *type = lane->getType();
  llvm::Value *all = llvm::ConstantInt::get(type, 31), *b = builder.CreateAnd(operand, all);
  llvm::Value *segment = builder.CreateAnd(builder.CreateSub(llvm::ConstantInt::get(type, warpLanes), width), all);
  llvm::Value *within = builder.CreateXor(segment, all);
  llvm::Value *first = builder.CreateAnd(lane, segment), *last = builder.CreateOr(first, within);
  llvm::Value *source = nullptr, *inRange = nullptr;
  if (operation == HW_SHFL_UP) {
    source = builder.CreateSub(lane, b);
    inRange = builder.CreateICmpSGE(source, first);
  } else {
    source = operation == HW_SHFL_DOWN   ? builder.CreateAdd(lane, b)
             : operation == HW_SHFL_BFLY ? builder.CreateXor(lane, b)
                                         : builder.CreateOr(first, builder.CreateAnd(b, within));
    inRange = builder.CreateICmpULE(source, last);
  }
  return {builder.CreateSelect(inRange, source, lane), inRange};
}

llvm::Value *voteResult(llvm::IRBuilder<> &builder, uint32_t operation, llvm::Value *ballot) {
  llvm::Value *holdsForAll = builder.CreateICmpEQ(ballot, builder.getInt32(~0u));
  llvm::Value *holdsForNone = builder.CreateICmpEQ(ballot, builder.getInt32(0));
  switch (operation) {
    case HW_VOTE_ALL:
      return builder.CreateZExt(holdsForAll, builder.getInt32Ty());
    case HW_VOTE_ANY:
      return builder.CreateZExt(builder.CreateNot(holdsForNone), builder.getInt32Ty());
    case HW_VOTE_UNI:
      return builder.CreateZExt(builder.CreateOr(holdsForAll, holdsForNone), builder.getInt32Ty());
    default:
      return ballot;
  }
}

}  // namespace hostwarp::compiler
