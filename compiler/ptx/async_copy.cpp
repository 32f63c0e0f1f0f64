// cp.async: library/async_copy.cpp copies.
#include "compiler/ptx/address.h"
#include "compiler/ptx/bulk_copy.h"
#include "compiler/ptx/mbarrier.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

// copy() is cp.async.{ca,cg}.shared.global [to], [from], size{, bytes or ignore-source}{, policy}
void copy(Emitter &emitter) {
  const bool policy = takeHints(emitter);
  emitter.take("global");
  if (emitter.takeOneOf({"shared", "shared::cta"}).empty()) emitter.fail("unsupported copy");
  if (!emitter.operandsBetween(3, policy ? 5 : 4)) return;
  Builder &builder = emitter.builder();
  llvm::Value *to = address(emitter, emitter.operand(0), Space::Shared);
  llvm::Value *from = address(emitter, emitter.operand(1), Space::Global);
  const auto size = uint64_t(emitter.constant(2));
  if (size != 4 && size != 8 && size != 16) return emitter.fail("the size must be 4, 8 or 16");
  const size_t extra = emitter.operandCount() - 3 - policy;
  llvm::Value *bytes = builder.getInt32(uint32_t(size));
  if (extra && emitter.registerWidth(emitter.operand(3)) == 1)
    bytes = builder.CreateSelect(emitter.readPredicate(3), builder.getInt32(0), bytes);
  else if (extra)
    bytes = emitter.readBits(3, b32);
  emitter.callLibrary("cp_async", builder.getVoidTy(), {to, from, builder.getInt32(uint32_t(size)), bytes});
}

}  // namespace

void commitGroup(Emitter &emitter, hw_async_event event) {
  if (emitter.operandsBetween(0, 0)) emitter.tellOfAsync(event);
}

void waitForGroups(Emitter &emitter, hw_async_event event) {
  if (emitter.operandsBetween(1, 1)) emitter.tellOfAsync(event, emitter.readBits(0, b32));
}

void emitCp(Emitter &emitter) {
  const bool reduces = emitter.take("reduce");
  if (!emitter.take("async")) return emitter.fail("unsupported copy");
  if (emitter.take("bulk")) return emitBulk(emitter, reduces);
  if (reduces) return emitter.fail("unsupported reduction");
  if (emitter.take("commit_group")) return commitGroup(emitter, HW_ASYNC_COPIES_COMMITTED);
  if (emitter.take("wait_group")) return waitForGroups(emitter, HW_ASYNC_COPIES_AWAITED);
  if (emitter.take("wait_all")) {
    commitGroup(emitter, HW_ASYNC_COPIES_COMMITTED);
    return emitter.tellOfAsync(HW_ASYNC_COPIES_AWAITED);
  }
  if (emitter.take("mbarrier")) return emitAsyncArrive(emitter);
  copy(emitter);
}

}  // namespace hostwarp::compiler::ptx
