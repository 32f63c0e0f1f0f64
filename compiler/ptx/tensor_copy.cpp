// cp.async.bulk.tensor, cp.reduce.async.bulk.tensor and cp.async.bulk.prefetch.tensor.
#include "compiler/ptx/address.h"
#include "compiler/ptx/bulk_copy.h"
#include "compiler/ptx/mbarrier.h"
#include "compiler/ptx/opcodes.h"
#include "include/hostwarp/tensor_map.h"

namespace hostwarp::compiler::ptx {

namespace {

unsigned takeDimensions(Emitter &emitter) {
  const llvm::StringRef name = emitter.takeOneOf({"1d", "2d", "3d", "4d", "5d"});
  if (!name.empty()) return unsigned(name[0] - '0');
  emitter.fail("missing dimensions");
  return 1;
}

// takeImageMode() takes the load mode; true for those that read image to column.
bool takeImageMode(Emitter &emitter) {
  emitter.take("tile");
  return !emitter.takeOneOf({"im2col", "im2col_no_offs"}).empty();
}

// vectorInMemory() stores the registers of a vector, or the one register, as 32-bit words of an array of `size`.
llvm::Value *vectorInMemory(Emitter &emitter, llvm::ArrayRef<Operand> parts, Type type, unsigned size) {
  Builder &builder = emitter.builder();
  llvm::ArrayType *array = llvm::ArrayType::get(builder.getInt32Ty(), size);
  llvm::BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::Value *memory = Builder(&entry, entry.begin()).CreateAlloca(array);
  for (unsigned i = 0; i < size; ++i) {
    llvm::Value *word = builder.getInt32(0);
    if (i < parts.size()) word = builder.CreateZExtOrTrunc(emitter.readBits(parts[i], type), builder.getInt32Ty());
    builder.CreateStore(word, builder.CreateConstInBoundsGEP2_32(array, memory, 0, i));
  }
  return memory;
}

llvm::ArrayRef<Operand> partsOf(const Operand &operand) {
  if (operand.kind == Operand::Kind::Vector) return operand.parts;
  return operand;
}

// Tensor is the operand [map, {coordinates}].
struct Tensor {
  llvm::Value *map, *corner;
};

Tensor tensorOperand(Emitter &emitter, size_t index, unsigned dimensions) {
  const Operand &operand = emitter.operand(index);
  llvm::Value *map = address(emitter, operand, Space::Generic);
  const bool given = operand.kind == Operand::Kind::Address && operand.parts.size() == 2;
  if (!given || partsOf(operand.parts[1]).size() != dimensions) {
    emitter.fail("expected [tensor map, {" + std::to_string(dimensions) + " coordinates}]");
    return {map, map};
  }
  return {map, vectorInMemory(emitter, partsOf(operand.parts[1]), b32, TensorMap::kMostDimensions)};
}

// load() is .Nd.shared::cluster.global{.mode}.mbarrier::complete_tx::bytes{.multicast::cluster}
// [to], [map, {coordinates}], [barrier]{, {offsets}}{, blocks}{, policy}
void load(Emitter &emitter, unsigned dimensions) {
  const bool policy = takeHints(emitter), image = takeImageMode(emitter);
  if (!emitter.take("mbarrier::complete_tx::bytes")) return emitter.fail("missing completion mechanism");
  const bool multicast = emitter.take("multicast::cluster");
  const size_t operands = 3 + image + multicast + policy;
  if (!emitter.operandsBetween(operands, operands)) return;
  Builder &builder = emitter.builder();
  const Tensor tensor = tensorOperand(emitter, 1, dimensions);
  const llvm::ArrayRef<Operand> given = image ? partsOf(emitter.operand(3)) : llvm::ArrayRef<Operand>();
  llvm::Value *offsets = vectorInMemory(emitter, given, bitsType(16), TensorMap::kMostSpatial);
  llvm::Value *to = address(emitter, emitter.operand(0), Space::Shared);
  emitter.callLibrary("tensor_load", builder.getVoidTy(),
                      {tensor.map, tensor.corner, offsets, to, barrierAddress(emitter, 2, Space::Shared),
                       multicast ? blockMask(emitter, 3 + image) : builder.getInt32(0)});
}

// store() is .Nd.global.shared::cta{.mode}.bulk_group{.operation} [map, {coordinates}], [from]{, policy}
void store(Emitter &emitter, unsigned dimensions, bool reduces) {
  const bool policy = takeHints(emitter);
  takeImageMode(emitter);
  if (!emitter.take("bulk_group")) return emitter.fail("missing completion mechanism");
  const BulkOperation operation = reduces ? takeBulkOperation(emitter) : BulkStore;
  if (!emitter.operandsBetween(2 + policy, 2 + policy)) return;
  Builder &builder = emitter.builder();
  const Tensor tensor = tensorOperand(emitter, 0, dimensions);
  emitter.callLibrary(
      "tensor_store", builder.getVoidTy(),
      {tensor.map, tensor.corner, address(emitter, emitter.operand(1), Space::Shared), builder.getInt32(operation)});
}

// prefetch() is .Nd.L2.global{.mode} [map, {coordinates}]{, {offsets}}{, policy}: there is nothing to bring nearer, but operands to
// check.
void prefetch(Emitter &emitter, unsigned dimensions) {
  const bool policy = takeHints(emitter), image = takeImageMode(emitter);
  for (const char *modifier : {"L2", "global"}) emitter.take(modifier);
  const size_t operands = 1 + image + policy;
  if (!emitter.operandsBetween(operands, operands)) return;
  const Tensor tensor = tensorOperand(emitter, 0, dimensions);
  emitter.callLibrary("tensor_prefetch", emitter.builder().getVoidTy(), {tensor.map, tensor.corner});
}

}  // namespace

void emitTensorCopy(Emitter &emitter, bool reduces) {
  emitter.take("tensor");
  const bool prefetches = emitter.take("prefetch");
  const unsigned dimensions = takeDimensions(emitter);
  if (prefetches) return prefetch(emitter, dimensions);
  const std::vector<std::string> &modifiers = emitter.instruction().modifiers;
  const auto place = [&](llvm::StringRef name) { return llvm::find(modifiers, name) - modifiers.begin(); };
  const auto shared = std::min({place("shared::cluster"), place("shared::cta"), place("shared")});
  const bool toGlobal = place("global") < shared;
  emitter.take("global");
  emitter.takeOneOf({"shared::cluster", "shared::cta", "shared"});
  if (toGlobal) return store(emitter, dimensions, reduces);
  if (reduces) return emitter.fail("reductions go to global memory");
  load(emitter, dimensions);
}

}  // namespace hostwarp::compiler::ptx
