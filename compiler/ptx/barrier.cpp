// Barriers of a block.
#include "compiler/ptx/opcodes.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler::ptx {

namespace {

// countOrAll() is the optional number of threads; 0 stands for all of the block.
llvm::Value *countOrAll(Emitter &emitter, bool given, size_t index) {
  return given ? emitter.readBits(index, b32) : emitter.builder().getInt32(0);
}

// bar.red d, id{, count}, p
void reduce(Emitter &emitter) {
  const llvm::StringRef name = emitter.takeOneOf({"popc", "and", "or"});
  const int operation = name == "popc" ? HW_COUNT : name == "and" ? HW_AND : HW_OR;
  if (name.empty()) return emitter.fail("missing reduction");
  emitter.takeType();
  if (!emitter.operandsBetween(3, 4)) return;
  Builder &builder = emitter.builder();
  const bool counted = emitter.operandCount() == 4;
  llvm::Value *predicate = builder.CreateZExt(emitter.readPredicate(counted ? 3 : 2), builder.getInt32Ty());
  llvm::Value *result = emitter.callRuntime(
      "hw_barrier_reduce", builder.getInt32Ty(),
      {emitter.readBits(1, b32), countOrAll(emitter, counted, 2), builder.getInt32(uint32_t(operation)), predicate});
  emitter.write(0, operation == HW_COUNT ? result : builder.CreateICmpNE(result, builder.getInt32(0)));
}

// barrier.cluster.arrive{.release|.relaxed} and barrier.cluster.wait{.acquire}
void clusterBarrier(Emitter &emitter) {
  const bool arrives = emitter.take("arrive");
  if (!arrives && !emitter.take("wait")) return emitter.fail("missing .arrive or .wait");
  emitter.takeOneOf({"release", "relaxed", "acquire"});
  emitter.take("aligned");
  if (!emitter.operandsBetween(0, 0)) return;
  emitter.callRuntime(arrives ? "hw_cluster_arrive" : "hw_cluster_wait", emitter.builder().getVoidTy(), {});
}

}  // namespace

void emitBar(Emitter &emitter) {
  emitter.take("aligned");
  Builder &builder = emitter.builder();
  if (emitter.take("warp")) {
    emitter.take("sync");
    if (emitter.operandsBetween(1, 1))
      emitter.callRuntime("hw_syncwarp", builder.getVoidTy(), {emitter.readBits(0, b32)});
    return;
  }
  if (emitter.take("cluster")) return clusterBarrier(emitter);
  emitter.take("cta");
  if (emitter.take("red")) return reduce(emitter);
  const bool arrives = emitter.take("arrive");
  if (!arrives && !emitter.take("sync")) return emitter.fail("missing .sync, .arrive or .red");
  if (!emitter.operandsBetween(arrives ? 2 : 1, 2)) return;
  emitter.callRuntime(arrives ? "hw_barrier_arrive" : "hw_barrier", builder.getVoidTy(),
                      {emitter.readBits(0, b32), countOrAll(emitter, emitter.operandCount() == 2, 1)});
}

}  // namespace hostwarp::compiler::ptx
