// Shared memory of the other blocks of a cluster.
#include "compiler/ptx/address.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

// generic() is the host address that operand `index` names: an offset in shared memory, or a generic address.
llvm::Value *generic(Emitter &emitter, size_t index, Space space, Type type) {
  Builder &builder = emitter.builder();
  llvm::Value *value = emitter.readBits(index, type);
  if (space != Space::Shared)
    return builder.CreateIntToPtr(builder.CreateZExt(value, builder.getInt64Ty()), builder.getPtrTy());
  return builder.CreateGEP(builder.getInt8Ty(), sharedBase(emitter), builder.CreateSExt(value, builder.getInt64Ty()));
}

}  // namespace

// mapa{.shared::cluster}.type d, address, rank
void emitMapa(Emitter &emitter) {
  const Space space = takeSpace(emitter);
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(3, 3)) return;
  Builder &builder = emitter.builder();
  llvm::Value *mapped = emitter.callRuntime("hw_cluster_shared", builder.getPtrTy(),
                                            {generic(emitter, 1, space, type), emitter.readBits(2, b32)});
  llvm::Value *value = builder.CreatePtrToInt(mapped, builder.getInt64Ty());
  if (space == Space::Shared)
    value = builder.CreateSub(value, builder.CreatePtrToInt(sharedBase(emitter), builder.getInt64Ty()));
  emitter.write(0, builder.CreateTrunc(value, emitter.intType(type.width())));
}

// getctarank{.shared::cluster}.type d, address
void emitGetctarank(Emitter &emitter) {
  const Space space = takeSpace(emitter);
  const Type type = emitter.takeType();
  if (!emitter.operandsBetween(2, 2)) return;
  emitter.write(
      0, emitter.callRuntime("hw_cluster_rank", emitter.builder().getInt32Ty(), {generic(emitter, 1, space, type)}));
}

}  // namespace hostwarp::compiler::ptx
