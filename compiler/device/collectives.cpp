#include "compiler/device/collectives.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Module.h>

namespace hostwarp::compiler {

namespace {

// Form says in which of a call's arguments what stands; -1: nowhere.
struct Form {
  hw_boundary_kind kind;
  int mask = -1, operation = -1, value = -1, operand = -1, width = -1, flag = -1, work = -1;
};

std::optional<Form> formOf(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Form>>(name)
      .Case("hw_barrier", Form{.kind = HW_AT_NAMED_BARRIER, .mask = 0, .operand = 1})
      .Case("hw_barrier_reduce",
            Form{.kind = HW_AT_NAMED_BARRIER_REDUCE, .mask = 0, .operation = 2, .value = 3, .operand = 1})
      .Case("hw_tile_together", Form{.kind = HW_AT_TILE, .mask = 0, .value = 1, .work = 2})
      .Case("hw_grid_sync", Form{.kind = HW_AT_GRID})
      .Case("hw_grid_wait", Form{.kind = HW_AT_GRID})
      .Case("hw_cluster_wait", Form{.kind = HW_AT_CLUSTER})
      .Case("hw_syncwarp", Form{.kind = HW_AT_SYNCWARP, .mask = 0})
      .Case("hw_shuffle",
            Form{.kind = HW_AT_SHUFFLE, .mask = 0, .operation = 1, .value = 2, .operand = 3, .width = 4, .flag = 5})
      .Case("hw_vote", Form{.kind = HW_AT_VOTE, .mask = 0, .operation = 1, .value = 2})
      .Case("hw_match_any", Form{.kind = HW_AT_MATCH_ANY, .mask = 0, .value = 1})
      .Case("hw_match_all", Form{.kind = HW_AT_MATCH_ALL, .mask = 0, .value = 1, .flag = 2})
      .Case("hw_warp_reduce", Form{.kind = HW_AT_REDUCE, .mask = 0, .operation = 1, .value = 2})
      .Case("hw_warp_together", Form{.kind = HW_AT_TOGETHER, .mask = 0, .value = 1, .work = 2})
      .Case("hw_activemask", Form{.kind = HW_AT_ACTIVEMASK})
      .Default(std::nullopt);
}

llvm::Value *argument(const llvm::CallBase &call, int index) { return index < 0 ? nullptr : call.getArgOperand(index); }

bool isZero(const llvm::Value *value) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(value);
  return constant && constant->isNullValue();
}

// takeForAll(): the barrier with number 0 and without a count is for all threads of the block.
void takeForAll(Form &form, const llvm::CallBase &call) {
  if (form.kind != HW_AT_NAMED_BARRIER && form.kind != HW_AT_NAMED_BARRIER_REDUCE) return;
  if (!isZero(argument(call, form.mask)) || !isZero(argument(call, form.operand))) return;
  form.kind = form.kind == HW_AT_NAMED_BARRIER ? HW_AT_BARRIER : HW_AT_BARRIER_REDUCE;
  form.mask = form.operand = -1;
}

}  // namespace

std::optional<Exchange> exchangeOf(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  std::optional<Form> form = callee ? formOf(callee->getName()) : std::nullopt;
  if (!form) return std::nullopt;
  takeForAll(*form, call);
  Exchange exchange;
  exchange.kind = form->kind;
  if (form->operation >= 0) {
    auto *operation = llvm::dyn_cast<llvm::ConstantInt>(argument(call, form->operation));
    if (!operation) return std::nullopt;
    exchange.operation = static_cast<uint32_t>(operation->getZExtValue());
  }
  if (form->work >= 0 && !isZero(argument(call, form->work))) {
    exchange.work = llvm::dyn_cast<llvm::Function>(argument(call, form->work)->stripPointerCasts());
    if (!exchange.work) return std::nullopt;
  }
  exchange.mask = argument(call, form->mask);
  exchange.value = argument(call, form->value);
  exchange.operand = argument(call, form->operand);
  exchange.width = argument(call, form->width);
  exchange.flagPointer = argument(call, form->flag);
  if (exchange.flagPointer && isZero(exchange.flagPointer)) exchange.flagPointer = nullptr;
  return exchange;
}

bool isBarrierOfAll(hw_boundary_kind kind) { return kind == HW_AT_BARRIER || kind == HW_AT_BARRIER_REDUCE; }

bool keepsStep(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || !call->getCalledFunction() || call->getCalledFunction()->getName() != "hw_syncwarp") return false;
  const auto *mask = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
  return mask && mask->isZero();
}

bool opensInParts(hw_boundary_kind kind) {
  return kind == HW_AT_NAMED_BARRIER || kind == HW_AT_NAMED_BARRIER_REDUCE || kind == HW_AT_TILE ||
         kind == HW_AT_GRID || kind == HW_AT_CLUSTER;
}

Arrival arrivalOf(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  return llvm::StringSwitch<Arrival>(callee ? callee->getName() : "")
      .Case("hw_barrier_arrive", Arrival::AtBarrier)
      .Cases("hw_grid_arrive", "hw_cluster_arrive", Arrival::AtOtherBlocks)
      .Default(Arrival::None);
}

llvm::AllocaInst *ExchangeArrays::variable(llvm::AllocaInst *&known, llvm::Type *type, const char *name) {
  if (!known) known = llvm::IRBuilder<>(start_.getTerminator()).CreateAlloca(type, nullptr, name);
  return known;
}

// give() hands over a 32-bit number. One that is the same for all threads needs no array.
llvm::Value *ExchangeArrays::give(llvm::IRBuilder<> &builder, llvm::Value *number, llvm::AllocaInst *&known,
                                  const char *name) {
  if (!number) return builder.getInt32(0);
  if (llvm::isa<llvm::ConstantInt>(number)) return number;
  llvm::AllocaInst *array = variable(known, builder.getInt32Ty(), name);
  builder.CreateStore(number, array);
  return array;
}

// giveValue(): most values have 32 bits, though the call takes 64.
void ExchangeArrays::giveValue(llvm::IRBuilder<> &builder, Boundary &boundary) {
  llvm::Value *value = boundary.exchange.value;
  llvm::Type *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty();
  if (!value) {
    boundary.result = variable(result32_, i32, "result");
    return;
  }
  if (value->getType()->isPointerTy()) value = builder.CreatePtrToInt(value, i64);
  auto *extension = llvm::dyn_cast<llvm::ZExtInst>(value);
  if (extension && extension->getSrcTy()->getScalarSizeInBits() <= 32)
    value = builder.CreateZExt(extension->getOperand(0), i32);
  boundary.valueBits = value->getType()->getScalarSizeInBits();
  const bool isWide = boundary.valueBits == 64;
  llvm::Type *type = isWide ? i64 : i32;
  boundary.value = variable(isWide ? value64_ : value32_, type, "value");
  boundary.result = variable(isWide ? result64_ : result32_, type, "result");
  builder.CreateStore(value, boundary.value);
}

void ExchangeArrays::takeResult(llvm::IRBuilder<> &builder, Boundary &boundary, llvm::CallInst &call) {
  const hw_boundary_kind kind = boundary.exchange.kind;
  if (kind == HW_AT_SHUFFLE || kind == HW_AT_MATCH_ALL) boundary.flag = variable(flag_, builder.getInt32Ty(), "flag");
  if (boundary.exchange.flagPointer)
    builder.CreateStore(builder.CreateLoad(builder.getInt32Ty(), boundary.flag), boundary.exchange.flagPointer);
  if (call.getType()->isVoidTy()) return;
  llvm::Value *result = builder.CreateLoad(boundary.result->getAllocatedType(), boundary.result);
  call.replaceAllUsesWith(builder.CreateZExtOrTrunc(result, call.getType()));
}

ExchangeArrays::Boundary ExchangeArrays::replace(llvm::CallInst &call, const Exchange &exchange) {
  llvm::IRBuilder<> builder(&call);
  Boundary boundary;
  boundary.exchange = exchange;
  boundary.place = call.getDebugLoc();
  boundary.mask = give(builder, exchange.mask, mask_, "mask");
  boundary.operand = give(builder, exchange.operand, operand_, "operand");
  boundary.width = give(builder, exchange.width, width_, "width");
  giveValue(builder, boundary);
  boundary.marker = builder.CreateCall(
      call.getModule()->getOrInsertFunction(boundaryName, llvm::FunctionType::get(builder.getVoidTy(), false)));
  takeResult(builder, boundary, call);
  call.eraseFromParent();
  return boundary;
}

}  // namespace hostwarp::compiler
