// Fences.
#include "compiler/ptx/address.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

uint32_t spacesOf(Space space) {
  return space == Space::Shared   ? uint32_t{HW_ASYNC_SHARED}
         : space == Space::Global ? uint32_t{HW_ASYNC_GLOBAL}
                                  : HW_ASYNC_SHARED | HW_ASYNC_GLOBAL;
}

// The asynchronous and tensor-map proxies are the CPU's one memory: their fences only order what the compiler does.
bool takeProxy(Emitter &emitter) {
  if (emitter.take("mbarrier_init")) {
    emitter.take("release");
    return true;
  }
  if (emitter.takePrefixed("proxy").empty()) return false;
  emitter.take("alias");
  const bool isAsync = !emitter.takePrefixed("async").empty();
  for (llvm::StringRef prefix : {"tensormap", "generic"}) emitter.takePrefixed(prefix);
  const Space space = takeSpace(emitter);
  if (isAsync) emitter.tellOfAsync(HW_ASYNC_PROXY_FENCE, emitter.builder().getInt32(spacesOf(space)));
  emitter.takeOneOf({"acquire", "release"});
  return true;
}

}  // namespace

void emitFence(Emitter &emitter) {
  using llvm::AtomicOrdering;
  Builder &builder = emitter.builder();
  const bool proxy = takeProxy(emitter);
  const llvm::StringRef semantics = emitter.takeOneOf({"sc", "acq_rel", "acquire", "release"});
  emitter.takePrefixed("sync_restrict::");
  const llvm::StringRef scope = emitter.take("gl") ? "gpu" : takeScope(emitter);
  emitter.operandsBetween(0, proxy ? 2 : 0);
  if (!proxy && scope.empty()) return emitter.fail("a fence needs a scope");
  // The threads of a block share one OS thread, so a block's fence needs no instruction where a device's does.
  const bool full = !proxy && scope != "cta" && (semantics == "sc" || semantics.empty() || semantics == "acq_rel");
  builder.CreateFence(
      full && semantics != "acq_rel" ? AtomicOrdering::SequentiallyConsistent : AtomicOrdering::AcquireRelease,
      scopeOf(emitter.context(), !proxy && scope == "cta"));
}

}  // namespace hostwarp::compiler::ptx
