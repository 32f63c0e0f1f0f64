// tensormap.replace and tensormap.cp_fenceproxy: tensor maps that kernels change.
#include "compiler/ptx/address.h"
#include "compiler/ptx/bulk_operations.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

struct FieldName {
  const char *name;
  TensorMapField field;
  bool ordered;  // one of a dimension's, which an operand names
};
constexpr FieldName fieldNames[] = {
    {"global_address", MapAddress, false},
    {"rank", MapRank, false},
    {"box_dim", MapBox, true},
    {"global_dim", MapDimension, true},
    {"global_stride", MapStride, true},
    {"element_stride", MapStep, true},
    {"elemtype", MapType, false},
    {"interleave_layout", MapInterleave, false},
    {"swizzle_mode", MapSwizzle, false},
    {"fill_mode", MapFill, false},
};

// replace() is .replace.tile.field.space.b1024.type [map], {which,} value
void replace(Emitter &emitter) {
  emitter.take("tile");
  const FieldName *field = nullptr;
  for (const FieldName &name : fieldNames)
    if (!field && emitter.take(name.name)) field = &name;
  if (!field) return emitter.fail("unsupported field");
  const Space space = takeSpace(emitter);
  emitter.take("b1024");
  const Type type = emitter.takeType();
  const size_t operands = field->ordered ? 3 : 2;
  if (!emitter.operandsBetween(operands, operands)) return;
  Builder &builder = emitter.builder();
  const auto which = field->ordered ? uint32_t(emitter.constant(1)) : 0u;
  emitter.callLibrary(
      "tensormap_replace", builder.getVoidTy(),
      {address(emitter, emitter.operand(0), space), builder.getInt32(field->field), builder.getInt32(which),
       builder.CreateZExt(emitter.readBits(operands - 1, type), builder.getInt64Ty())});
}

// copyTensorMap() is .cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned [to], [from], 128
void copyTensorMap(Emitter &emitter) {
  for (const char *modifier : {"global", "shared::cta", "tensormap::generic", "release", "sync", "aligned"})
    if (!emitter.take(modifier)) return emitter.fail("unsupported copy of a tensor map");
  takeScope(emitter);
  if (!emitter.operandsBetween(3, 3)) return;
  if (emitter.constant(2) != 128) return emitter.fail("a tensor map has 128 bytes");
  emitter.builder().CreateMemCpy(address(emitter, emitter.operand(0), Space::Global), llvm::MaybeAlign(),
                                 address(emitter, emitter.operand(1), Space::Shared), llvm::MaybeAlign(), 128);
}

}  // namespace

void emitTensormap(Emitter &emitter) {
  if (emitter.take("replace")) return replace(emitter);
  if (emitter.take("cp_fenceproxy")) return copyTensorMap(emitter);
  emitter.fail("unsupported operation");
}

}  // namespace hostwarp::compiler::ptx
