#include "compiler/device/counted_barriers.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/device/collectives.h"
#include "compiler/device/lane_meetings.h"

namespace hostwarp::compiler {

namespace {

constexpr uint64_t barriersOfBlock = 16;

bool isUsed(const llvm::Module &module, llvm::StringRef name) {
  const llvm::Function *function = module.getFunction(name);
  return function && !function->use_empty();
}

// isForAll(): the barrier has a number and a count, which are that of all `threads`, or of whoever is there.
bool isForAll(const Exchange &exchange, uint64_t threads) {
  auto *number = llvm::dyn_cast<llvm::ConstantInt>(exchange.mask),
       *count = llvm::dyn_cast<llvm::ConstantInt>(exchange.operand);
  if (!number || !count || number->getZExtValue() >= barriersOfBlock) return false;
  return count->isZero() || count->getZExtValue() == threads;
}

// Counted are the entry's barriers that have a number.
struct Counted {
  llvm::SmallVector<llvm::CallBase *> calls;
  bool areAll = true;  // all are for the whole block, and nobody waits otherwise than at these and at __syncthreads()
};

Counted barriersIn(llvm::Function &entry, uint64_t threads) {
  Counted counted;
  for (llvm::Instruction &instruction : llvm::instructions(entry)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const std::optional<Exchange> exchange = call ? exchangeOf(*call) : std::nullopt;
    if (!exchange || exchange->kind == HW_AT_BARRIER) continue;
    counted.areAll &= exchange->kind == HW_AT_NAMED_BARRIER && isForAll(*exchange, threads);
    counted.calls.push_back(call);
  }
  return counted;
}

}  // namespace

llvm::Function *entryWithBarriersForAll(llvm::Function &entry, const BlockShape &shape) {
  const uint64_t threads = uint64_t{shape[0]} * shape[1] * shape[2];
  const Counted found = barriersIn(entry, threads);
  if (found.calls.empty() || !found.areAll || threads % warpLanes != 0) return nullptr;
  if (isUsed(*entry.getParent(), "hw_barrier_arrive")) return nullptr;
  llvm::ValueToValueMapTy map;
  llvm::Function *copy = llvm::CloneFunction(&entry, map);
  for (llvm::CallBase *call : barriersIn(*copy, threads).calls)
    for (llvm::Use &argument : call->args()) argument.set(llvm::Constant::getNullValue(argument->getType()));
  return copy;
}

}  // namespace hostwarp::compiler
