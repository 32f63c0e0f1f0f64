#include "compiler/device/thread_state.h"
#include "compiler/ptx/emitter.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler::ptx {

namespace {

llvm::Value *special(Emitter &emitter, int which, unsigned shift) {
  Builder &builder = emitter.builder();
  llvm::Value *value = emitter.callRuntime("hw_special_register", builder.getInt64Ty(), {builder.getInt32(which)});
  if (which == HW_SREG_CLOCK64 || which == HW_SREG_GLOBALTIMER || which == HW_SREG_GRIDID ||
      which == HW_SREG_GRID_WORKSPACE)
    return builder.CreateLShr(value, shift);
  return builder.CreateTrunc(value, builder.getInt32Ty());
}

struct LaneMask {
  llvm::StringRef name;
  llvm::Value *(*value)(Builder &builder, llvm::Value *bit, llvm::Value *below);
};

constexpr LaneMask laneMasks[] = {
#define FIELD(name, member)
#define SPECIAL(name, which, shift)
#define POINTER(name, function)
#define CONSTANT(name, value)
#define MASK(name, expression)                                                         \
  {name, [](Builder &builder, llvm::Value *bit, llvm::Value *below) -> llvm::Value * { \
     (void)builder, (void)bit, (void)below;                                            \
     return expression;                                                                \
   }},
#include "compiler/ptx/registers.def"
#undef FIELD
#undef SPECIAL
#undef POINTER
#undef CONSTANT
#undef MASK
};

llvm::Value *laneMask(Builder &builder, llvm::StringRef name) {
  for (const LaneMask &mask : laneMasks) {
    if (mask.name != name) continue;
    llvm::Value *lane = loadField(builder, offsetof(hw_thread, laneId), builder.getInt32Ty());
    llvm::Value *bit = builder.CreateShl(builder.getInt32(1), lane);
    return mask.value(builder, bit, builder.CreateSub(bit, builder.getInt32(1)));
  }
  return nullptr;
}

}  // namespace

llvm::Value *specialRegister(Emitter &emitter, llvm::StringRef name) {
  Builder &builder = emitter.builder();
#define FIELD(ptx, member) \
  if (name == ptx) return loadField(builder, offsetof(hw_thread, member), builder.getInt32Ty());
#define SPECIAL(ptx, which, shift) \
  if (name == ptx) return special(emitter, which, shift);
#define POINTER(ptx, function) \
  if (name == ptx)             \
    return builder.CreatePtrToInt(emitter.callRuntime(function, builder.getPtrTy(), {}), builder.getInt64Ty());
#define CONSTANT(ptx, value) \
  if (name == ptx) return builder.getInt32(value);
#define MASK(ptx, expression)
#include "compiler/ptx/registers.def"
#undef FIELD
#undef SPECIAL
#undef POINTER
#undef CONSTANT
#undef MASK
  return laneMask(builder, name);
}

}  // namespace hostwarp::compiler::ptx
