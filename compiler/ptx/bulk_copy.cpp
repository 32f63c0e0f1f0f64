// cp.async.bulk and cp.reduce.async.bulk without tensors.
#include "compiler/ptx/bulk_copy.h"

#include "compiler/ptx/address.h"
#include "compiler/ptx/bulk_operations.h"
#include "compiler/ptx/mbarrier.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

// Spaces are the destination's and the source's.
struct Spaces {
  Space to, from;
};

// takeSpaces() takes both state spaces, of which the destination's comes first.
Spaces takeSpaces(Emitter &emitter) {
  llvm::SmallVector<Space, 2> found;
  for (const std::string &modifier : emitter.instruction().modifiers) {
    const bool shared = modifier == "shared" || modifier == "shared::cta" || modifier == "shared::cluster";
    if ((shared || modifier == "global") && emitter.take(modifier))
      found.push_back(shared ? Space::Shared : Space::Global);
  }
  if (found.size() == 2 && (found[0] == Space::Shared || found[1] == Space::Shared)) return {found[0], found[1]};
  emitter.fail("unsupported state spaces");
  return {Space::Shared, Space::Shared};
}

struct ElementName {
  const char *name;
  BulkElement element;
  uint32_t bytes;
};
constexpr ElementName elementNames[] = {
    {"u32", BulkU32, 4}, {"s32", BulkS32, 4}, {"u64", BulkU64, 8}, {"s64", BulkS64, 8},   {"f16", BulkF16, 2},
    {"f32", BulkF32, 4}, {"f64", BulkF64, 8}, {"b32", BulkU32, 4}, {"bf16", BulkBF16, 2}, {"b64", BulkU64, 8},
};

const ElementName *takeElement(Emitter &emitter) {
  for (const ElementName &name : elementNames)
    if (emitter.take(name.name)) return &name;
  emitter.fail("unsupported element type");
  return nullptr;
}

// checkReduction(): which operations a type has.
void checkReduction(Emitter &emitter, BulkOperation operation, const ElementName &type) {
  const bool half = type.element == BulkF16 || type.element == BulkBF16;
  const bool isFloat = half || type.element == BulkF32 || type.element == BulkF64;
  const bool adds = operation == BulkAdd, compares = operation == BulkMin || operation == BulkMax;
  if (isFloat && !(adds || (half && compares))) emitter.fail("this type cannot be reduced so");
}

// reduceBulk() is cp.reduce.async.bulk.to.from.completion{.noftz}.operation.type [to], [from], size{, [barrier]}{, policy}
void reduceBulk(Emitter &emitter) {
  const bool policy = takeHints(emitter), group = emitter.take("bulk_group");
  if (!group && !emitter.take("mbarrier::complete_tx::bytes")) return emitter.fail("missing completion mechanism");
  const Spaces spaces = takeSpaces(emitter);
  emitter.take("noftz");
  const BulkOperation operation = takeBulkOperation(emitter);
  const ElementName *type = takeElement(emitter);
  const size_t operands = (group ? 3 : 4) + policy;
  if (!type || !emitter.operandsBetween(operands, operands)) return;
  if (group == (spaces.to == Space::Shared))
    return emitter.fail("this completion mechanism is for the other direction");
  checkReduction(emitter, operation, *type);
  Builder &builder = emitter.builder();
  emitter.callLibrary(
      "bulk_reduce", builder.getVoidTy(),
      {address(emitter, emitter.operand(0), spaces.to), address(emitter, emitter.operand(1), spaces.from),
       emitter.readBits(2, b32), builder.getInt32(operation), builder.getInt32(type->element),
       builder.getInt32(type->bytes),
       group ? llvm::ConstantPointerNull::get(builder.getPtrTy()) : barrierAddress(emitter, 3, Space::Shared)});
}

// copyBulk() is cp.async.bulk between shared and global memory, or within a cluster's shared memory:
// .to.from.mbarrier::complete_tx::bytes{.multicast::cluster} [to], [from], size, [barrier]{, blocks}{, policy}
// .global.shared::cta.bulk_group                             [to], [from], size{, policy}
void copyBulk(Emitter &emitter) {
  const bool policy = takeHints(emitter), toGlobal = emitter.take("bulk_group");
  if (!toGlobal && !emitter.take("mbarrier::complete_tx::bytes")) return emitter.fail("missing completion mechanism");
  const bool multicast = !toGlobal && emitter.take("multicast::cluster");
  const Spaces spaces = takeSpaces(emitter);
  const size_t operands = (toGlobal ? 3 : 4) + multicast + policy;
  if (!emitter.operandsBetween(operands, operands)) return;
  if (toGlobal == (spaces.to == Space::Shared))
    return emitter.fail("this completion mechanism is for the other direction");
  Builder &builder = emitter.builder();
  llvm::Value *to = address(emitter, emitter.operand(0), spaces.to);
  llvm::Value *from = address(emitter, emitter.operand(1), spaces.from);
  llvm::Value *bytes = emitter.readBits(2, b32);
  if (toGlobal) {
    emitter.callLibrary("bulk_to_global", builder.getVoidTy(), {to, from, bytes});
    return;
  }
  emitter.callLibrary("bulk_to_shared", builder.getVoidTy(),
                      {to, from, bytes, barrierAddress(emitter, 3, Space::Shared),
                       multicast ? blockMask(emitter, 4) : builder.getInt32(0)});
}

// prefetch() is cp.async.bulk.prefetch.L2.global [from], size{, policy}
void prefetch(Emitter &emitter) {
  const bool policy = takeHints(emitter);
  for (const char *modifier : {"L2", "global"}) emitter.take(modifier);
  if (!emitter.operandsBetween(2 + policy, 2 + policy)) return;
  emitter.callLibrary("bulk_prefetch", emitter.builder().getVoidTy(),
                      {address(emitter, emitter.operand(0), Space::Global), emitter.readBits(1, b32)});
}

}  // namespace

BulkOperation takeBulkOperation(Emitter &emitter) {
  static constexpr const char *names[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
  for (uint32_t i = 0; i < std::size(names); ++i)
    if (emitter.take(names[i])) return BulkOperation(BulkAdd + i);
  emitter.fail("missing reduction");
  return BulkAdd;
}

llvm::Value *blockMask(Emitter &emitter, size_t index) {
  return emitter.builder().CreateZExt(emitter.readBits(index, bitsType(16)), emitter.builder().getInt32Ty());
}

void emitBulk(Emitter &emitter, bool reduces) {
  if (emitter.take("commit_group")) return commitGroup(emitter, HW_ASYNC_BULKS_COMMITTED);
  if (emitter.take("wait_group"))
    return waitForGroups(emitter, emitter.take("read") ? HW_ASYNC_BULKS_READ : HW_ASYNC_BULKS_AWAITED);
  if (emitter.instruction().modifiers.size() > 2 && llvm::is_contained(emitter.instruction().modifiers, "tensor"))
    return emitTensorCopy(emitter, reduces);
  if (reduces) return reduceBulk(emitter);
  if (emitter.take("prefetch")) return prefetch(emitter);
  copyBulk(emitter);
}

}  // namespace hostwarp::compiler::ptx
