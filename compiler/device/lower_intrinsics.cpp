// Replaces llvm.nvvm.* intrinsics by reads of hw_thread and calls of the device ABI, as intrinsics.def says.
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <functional>

#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

using Builder = llvm::IRBuilder<>;
// Lowering returns the value that replaces the call, null for a call without result.
using Lowering = std::function<llvm::Value *(Builder &, llvm::CallInst &)>;

llvm::Value *specialRegister(Builder &builder, llvm::CallInst &call, int which) {
  llvm::FunctionCallee read =
      abiFunction(*call.getModule(), "hw_special_register", builder.getInt64Ty(), {builder.getInt32Ty()});
  return builder.CreateTrunc(builder.CreateCall(read, builder.getInt32(which)), call.getType());
}

// BarrierOperand is a constant or one of the intrinsic's own operands.
struct BarrierOperand {
  int argument;
  uint32_t constant;
  BarrierOperand(uint32_t value) : argument(-1), constant(value) {}
  BarrierOperand(int argument, std::nullptr_t) : argument(argument), constant(0) {}
  llvm::Value *value(Builder &builder, llvm::CallInst &call) const {
    return argument < 0 ? builder.getInt32(constant) : call.getArgOperand(argument);
  }
};
const BarrierOperand ARG0{0, nullptr}, ARG1{1, nullptr};

llvm::Value *barrier(Builder &builder, llvm::CallInst &call, BarrierOperand id, BarrierOperand count) {
  llvm::Type *i32 = builder.getInt32Ty();
  builder.CreateCall(abiFunction(*call.getModule(), "hw_barrier", builder.getVoidTy(), {i32, i32}),
                     {id.value(builder, call), count.value(builder, call)});
  return nullptr;
}

llvm::Value *barrierReduce(Builder &builder, llvm::CallInst &call, int operation) {
  llvm::Type *i32 = builder.getInt32Ty();
  llvm::FunctionCallee reduce = abiFunction(*call.getModule(), "hw_barrier_reduce", i32, {i32, i32, i32, i32});
  return builder.CreateCall(
      reduce, {builder.getInt32(0), builder.getInt32(0), builder.getInt32(operation), call.getArgOperand(0)});
}

llvm::Value *sameCall(Builder &builder, llvm::CallInst &call, const char *function) {
  llvm::FunctionType *type = call.getFunctionType();
  llvm::FunctionCallee callee = abiFunction(*call.getModule(), function, type->getReturnType(), type->params());
  llvm::SmallVector<llvm::Value *> arguments(call.args());
  llvm::Value *result = builder.CreateCall(callee, arguments);
  return call.getType()->isVoidTy() ? nullptr : result;
}

// shuffle(): PTX packs the clamp lane and the segment mask into operand c; the segment mask gives the width.
llvm::Value *shuffle(Builder &builder, llvm::CallInst &call, int kind) {
  llvm::Type *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty();
  llvm::Value *value = builder.CreateZExt(builder.CreateBitCast(call.getArgOperand(1), i32), i64);
  llvm::Value *segment = builder.CreateAnd(builder.CreateLShr(call.getArgOperand(3), 8), 31);
  llvm::Value *width = builder.CreateSub(builder.getInt32(32), segment);
  llvm::FunctionCallee function =
      abiFunction(*call.getModule(), "hw_shuffle", i64, {i32, i32, i64, i32, i32, builder.getPtrTy()});
  llvm::Value *result =
      builder.CreateCall(function, {call.getArgOperand(0), builder.getInt32(kind), value, call.getArgOperand(2), width,
                                    llvm::ConstantPointerNull::get(builder.getPtrTy())});
  return builder.CreateBitCast(builder.CreateTrunc(result, i32), call.getType());
}

llvm::Value *vote(Builder &builder, llvm::CallInst &call, int kind) {
  llvm::Type *i32 = builder.getInt32Ty();
  llvm::FunctionCallee function = abiFunction(*call.getModule(), "hw_vote", i32, {i32, i32, i32});
  llvm::Value *predicate = builder.CreateZExtOrTrunc(call.getArgOperand(1), i32);
  llvm::Value *result = builder.CreateCall(function, {call.getArgOperand(0), builder.getInt32(kind), predicate});
  return call.getType()->isIntegerTy(1) ? builder.CreateICmpNE(result, builder.getInt32(0)) : result;
}

const llvm::StringMap<Lowering> &lowerings() {
  static const llvm::StringMap<Lowering> table{
#define ENTRY(name, expression) \
  {name, [](Builder &builder, llvm::CallInst &call) -> llvm::Value * { return expression; }},
#define FIELD(name, offset) ENTRY(name, ((void)call, loadField(builder, offset, builder.getInt32Ty())))
#define CONSTANT(name, value) ENTRY(name, ((void)builder, llvm::ConstantInt::get(call.getType(), value)))
#define SPECIAL(name, which) ENTRY(name, specialRegister(builder, call, which))
#define FENCE(name) \
  ENTRY(name, ((void)call, builder.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent), nullptr))
#define BARRIER(name, id, count) ENTRY(name, barrier(builder, call, id, count))
#define BARRIER_REDUCE(name, operation) ENTRY(name, barrierReduce(builder, call, operation))
#define CALL(name, function) ENTRY(name, sameCall(builder, call, function))
#define SHUFFLE(name, kind) ENTRY(name, shuffle(builder, call, kind))
#define VOTE(name, kind) ENTRY(name, vote(builder, call, kind))
#define HANDLE(name) ENTRY(name, builder.CreateLoad(call.getType(), call.getArgOperand(0)))
#include "compiler/device/intrinsics.def"
#undef ENTRY
#undef FIELD
#undef CONSTANT
#undef SPECIAL
#undef FENCE
#undef BARRIER
#undef BARRIER_REDUCE
#undef CALL
#undef SHUFFLE
#undef VOTE
#undef HANDLE
  };
  return table;
}

void lowerCalls(DeviceModule &device, llvm::Function &intrinsic, const Lowering *lowering) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::User *user : intrinsic.users())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user)) calls.push_back(call);
  for (llvm::CallInst *call : calls) {
    if (!lowering) {
      fail(device, call, ("no CPU counterpart for " + intrinsic.getName()).str());
      continue;
    }
    Builder builder(call);
    if (llvm::Value *value = (*lowering)(builder, *call)) call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

}  // namespace

void lowerIntrinsics(DeviceModule &device) {
  for (llvm::Function &function : llvm::make_early_inc_range(device.module)) {
    auto found = lowerings().find(function.getName());
    bool isNvvm = function.getName().starts_with("llvm.nvvm.");
    if (!isNvvm && found == lowerings().end()) continue;
    lowerCalls(device, function, found == lowerings().end() ? nullptr : &found->second);
    if (function.use_empty()) function.eraseFromParent();
  }
}

}  // namespace hostwarp::compiler
