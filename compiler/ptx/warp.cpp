// Warp collectives.
#include "compiler/device/thread_state.h"
#include "compiler/ptx/opcodes.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler::ptx {

namespace {

llvm::Value *laneId(Emitter &emitter) {
  return loadField(emitter.builder(), offsetof(hw_thread, laneId), emitter.builder().getInt32Ty());
}

// The source lane of a shuffle as PTX computes it from operand b and from c's clamp value and segment mask.
struct Source {
  llvm::Value *lane, *inRange;
};

Source shuffleSource(Emitter &emitter, llvm::StringRef mode, llvm::Value *b, llvm::Value *c) {
  Builder &builder = emitter.builder();
  llvm::Value *lane = laneId(emitter), *distance = builder.CreateAnd(b, 31), *clamp = builder.CreateAnd(c, 31);
  llvm::Value *segment = builder.CreateAnd(builder.CreateLShr(c, 8), 31);
  llvm::Value *inside = builder.CreateAnd(builder.CreateNot(segment), 31);
  llvm::Value *first = builder.CreateAnd(lane, segment);
  llvm::Value *limit = builder.CreateOr(first, builder.CreateAnd(clamp, inside));
  Source source{};
  if (mode == "up") {
    source.lane = builder.CreateSub(lane, distance);
    source.inRange = builder.CreateICmpSGE(source.lane, limit);
  } else {
    source.lane = mode == "down"   ? builder.CreateAdd(lane, distance)
                  : mode == "bfly" ? builder.CreateXor(lane, distance)
                                   : builder.CreateOr(first, builder.CreateAnd(distance, inside));
    source.inRange = builder.CreateICmpSLE(source.lane, limit);
  }
  source.lane = builder.CreateSelect(source.inRange, source.lane, lane);
  return source;
}

llvm::Value *votePredicate(Emitter &emitter, size_t index) {
  return emitter.builder().CreateZExt(emitter.readPredicate(index), emitter.intType(32));
}

// maskOrAll(): the forms without .sync mean all lanes that have not exited, which the runtime writes as 0.
llvm::Value *maskOrAll(Emitter &emitter, bool sync, size_t index) {
  return sync ? emitter.readBits(index, b32) : emitter.builder().getInt32(0);
}

}  // namespace

void emitShfl(Emitter &emitter) {
  const bool sync = emitter.take("sync");
  const llvm::StringRef mode = emitter.takeOneOf({"up", "down", "bfly", "idx"});
  emitter.takeType();
  const size_t count = sync ? 5 : 4;
  if (mode.empty()) emitter.fail("missing shuffle mode");
  if (!emitter.operandsBetween(count, count)) return;
  Builder &builder = emitter.builder();
  const Source source = shuffleSource(emitter, mode, emitter.readBits(2, b32), emitter.readBits(3, b32));
  llvm::Value *value = builder.CreateZExt(emitter.readBits(1, b32), builder.getInt64Ty());
  llvm::Value *result =
      emitter.callRuntime("hw_shuffle", builder.getInt64Ty(),
                          {maskOrAll(emitter, sync, 4), builder.getInt32(HW_SHFL_IDX), value, source.lane,
                           builder.getInt32(32), llvm::ConstantPointerNull::get(builder.getPtrTy())});
  const Operand &destination = emitter.operand(0);
  const bool pair = destination.kind == Operand::Kind::Pair;
  emitter.write(pair ? destination.parts[0] : destination, builder.CreateTrunc(result, builder.getInt32Ty()));
  if (pair) emitter.write(destination.parts[1], source.inRange);
}

void emitVote(Emitter &emitter) {
  struct Kind {
    const char *name;
    int value;
  };
  static constexpr Kind kinds[] = {
      {"all", HW_VOTE_ALL}, {"any", HW_VOTE_ANY}, {"uni", HW_VOTE_UNI}, {"ballot", HW_VOTE_BALLOT}};
  const bool sync = emitter.take("sync");
  for (const Kind &kind : kinds) {
    if (!emitter.take(kind.name)) continue;
    emitter.takeType();
    const size_t count = sync ? 3 : 2;
    if (!emitter.operandsBetween(count, count)) return;
    Builder &builder = emitter.builder();
    llvm::Value *result = emitter.callRuntime(
        "hw_vote", builder.getInt32Ty(),
        {maskOrAll(emitter, sync, 2), builder.getInt32(uint32_t(kind.value)), votePredicate(emitter, 1)});
    const bool ballot = kind.value == HW_VOTE_BALLOT;
    return emitter.write(0, ballot ? result : builder.CreateICmpNE(result, builder.getInt32(0)));
  }
  emitter.fail("missing vote mode");
}

void emitMatch(Emitter &emitter) {
  const bool any = emitter.take("any");
  if (!any && !emitter.take("all")) return emitter.fail("missing .any or .all");
  emitter.take("sync");
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(3, 3)) return;
  Builder &builder = emitter.builder();
  llvm::Value *value = builder.CreateZExt(emitter.readBits(1, type), builder.getInt64Ty());
  llvm::Value *mask = emitter.readBits(2, b32);
  if (any) return emitter.write(0, emitter.callRuntime("hw_match_any", builder.getInt32Ty(), {mask, value}));
  llvm::AllocaInst *equal = emitter.makeRegister(b32, "equal").slot;
  llvm::Value *result = emitter.callRuntime("hw_match_all", builder.getInt32Ty(), {mask, value, equal});
  const Operand &destination = emitter.operand(0);
  const bool pair = destination.kind == Operand::Kind::Pair;
  emitter.write(pair ? destination.parts[0] : destination, result);
  if (pair)
    emitter.write(destination.parts[1],
                  builder.CreateICmpNE(builder.CreateLoad(builder.getInt32Ty(), equal), builder.getInt32(0)));
}

void emitRedux(Emitter &emitter) {
  emitter.take("sync");
  const llvm::StringRef name = emitter.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  const Type type = emitter.takeType();
  if (type.isFloat()) return emitter.fail("unsupported type");
  if (name.empty() || type.width() != 32) return emitter.fail("unsupported reduction");
  if (!emitter.operandsBetween(3, 3)) return;
  const int operation = name == "add"   ? HW_REDUCE_ADD
                        : name == "min" ? (type.isSigned() ? HW_REDUCE_MIN_S : HW_REDUCE_MIN_U)
                        : name == "max" ? (type.isSigned() ? HW_REDUCE_MAX_S : HW_REDUCE_MAX_U)
                        : name == "and" ? HW_REDUCE_AND
                        : name == "or"  ? HW_REDUCE_OR
                                        : HW_REDUCE_XOR;
  Builder &builder = emitter.builder();
  emitter.write(0, emitter.callRuntime(
                       "hw_warp_reduce", builder.getInt32Ty(),
                       {emitter.readBits(2, b32), builder.getInt32(uint32_t(operation)), emitter.readBits(1, b32)}));
}

void emitActivemask(Emitter &emitter) {
  emitter.takeType();
  if (emitter.operandsBetween(1, 1)) emitter.write(0, emitter.callRuntime("hw_activemask", emitter.intType(32), {}));
}

// elect names the lowest lane of the mask, after all of them have arrived.
void emitElect(Emitter &emitter) {
  emitter.take("sync");
  if (!emitter.operandsBetween(2, 2)) return;
  Builder &builder = emitter.builder();
  llvm::Value *mask = emitter.readBits(1, b32);
  emitter.callRuntime("hw_syncwarp", builder.getVoidTy(), {mask});
  llvm::Value *leader = builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask, builder.getFalse());
  const Operand &destination = emitter.operand(0);
  if (destination.kind != Operand::Kind::Pair) return emitter.fail("elect writes d|p");
  emitter.write(destination.parts[0], leader);
  emitter.write(destination.parts[1], builder.CreateICmpEQ(leader, laneId(emitter)));
}

}  // namespace hostwarp::compiler::ptx
