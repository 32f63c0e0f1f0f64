// What orders a kernel's accesses, which its checks say: the runtime need not look for more.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

#include "compiler/device/abi_functions.h"
#include "compiler/device/check_calls.h"
#include "compiler/device/collectives.h"
#include "compiler/device/passes.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::compiler {

namespace {

// Order is what an instruction may do beside the barriers of the block.
enum class Order { None, Volatile, Meeting, Any };

// orderOfCheck(): volatile accesses order something where a thread waits for them, or with fences, which say so
// themselves.
Order orderOfCheck(const llvm::CallInst &check) {
  if (isCheckOf(check, checkObject)) return Order::None;
  const uint64_t traits = checkedTraitsOf(check);
  constexpr uint64_t orders =
      HW_ACCESS_POLLS | HW_ACCESS_COMPARES | HW_ACCESS_ACQUIRES | HW_ACCESS_RELEASES | HW_ACCESS_OF_LIBRARY;
  const bool isSilent = (traits & HW_ACCESS_RESULT_UNUSED) != 0 || (traits & HW_ACCESS_ATOMIC) == 0;
  if ((traits & orders) != 0 || !isSilent) return Order::Any;
  return (traits & HW_ACCESS_VOLATILE) != 0 ? Order::Volatile : Order::None;
}

// orderOf() is how the instruction may order the accesses of threads in another way than barriers of the block do.
Order orderOf(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || llvm::isa<llvm::IntrinsicInst>(call)) return Order::None;
  auto *check = llvm::dyn_cast<llvm::CallInst>(call);
  if (check && isAsyncCheck(*check)) return Order::Any;
  if (check && isCheck(*check)) return orderOfCheck(*check);
  const llvm::Function *callee = call->getCalledFunction();
  if (!callee || !callee->isDeclaration()) return Order::Any;
  if (keepsStep(instruction)) return Order::None;
  if (const std::optional<Exchange> exchange = exchangeOf(*call))
    return isBarrierOfAll(exchange->kind) ? Order::None : Order::Meeting;
  return neverBlocks(callee->getName()) ? Order::None : Order::Any;
}

// Update is an atomic update that a check is about: of so many bytes at the address, if that is a constant distance
// from `base`.
struct Update {
  const llvm::Value *base;
  int64_t offset, bytes;
  uint64_t kind;  // HW_ACCESS_UPDATE_KIND

  // isApartFrom(): the two are sure to be of different places.
  bool isApartFrom(const Update &other) const {
    return base == other.base && bytes != 0 && other.bytes != 0 &&
           (offset + bytes <= other.offset || other.offset + other.bytes <= offset);
  }
};

Update updateOf(const llvm::CallInst &check) {
  const llvm::Value *address = check.getArgOperand(checkedAddress);
  llvm::APInt offset(check.getDataLayout().getIndexTypeSizeInBits(address->getType()), 0);
  const llvm::Value *base = address->stripAndAccumulateConstantOffsets(check.getDataLayout(), offset, true);
  const auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(check.getArgOperand(checkedBytes));
  return {base, offset.getSExtValue(), bytes ? bytes->getSExtValue() : 0,
          HW_ACCESS_UPDATE_KIND(checkedTraitsOf(check))};
}

// changesPlaces(): the kernel's atomic updates of one place come to the same in any order.
bool changesPlaces(llvm::Function &entry) {
  constexpr size_t most = 32;
  llvm::SmallVector<Update> updates;
  for (const llvm::Instruction &instruction : llvm::instructions(entry)) {
    auto *check = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!check || !isAccessCheck(*check)) continue;
    const uint64_t traits = checkedTraitsOf(*check);
    if ((traits & HW_ACCESS_ATOMIC) == 0 || (traits & HW_ACCESS_ROUNDS) != 0) continue;
    const Update update = updateOf(*check);
    const auto agrees = [&](const Update &other) { return other.kind == update.kind || other.isApartFrom(update); };
    if (update.kind == 0 || updates.size() == most || !llvm::all_of(updates, agrees)) return false;
    updates.push_back(update);
  }
  return true;
}

void addTraits(llvm::Function &function, uint64_t more) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *check = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!check || !isCheck(*check)) continue;
    auto *traits = llvm::cast<llvm::ConstantInt>(check->getArgOperand(checkedTraits));
    check->setArgOperand(checkedTraits, llvm::ConstantInt::get(traits->getType(), traits->getZExtValue() | more));
  }
}

bool isBarrier(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && exchangeOf(*call) && !keepsStep(instruction);
}

}  // namespace

void markOnlyBarriers(llvm::Function &entry) {
  const auto has = [&](auto... orders) {
    return llvm::any_of(llvm::instructions(entry), [&](const llvm::Instruction &instruction) {
      const Order order = orderOf(instruction);
      return ((order == orders) || ...);
    });
  };
  if (has(Order::Any) || !changesPlaces(entry)) return;
  if (has(Order::Meeting)) return addTraits(entry, has(Order::Volatile) ? 0 : HW_ACCESS_SILENT);
  const bool hasBarriers = llvm::any_of(llvm::instructions(entry), isBarrier);
  addTraits(entry, HW_ACCESS_SILENT | HW_ACCESS_ONLY_BARRIERS | (hasBarriers ? 0 : HW_ACCESS_NONE_LEAVES));
}

void tellThatNoneLeaves(llvm::Function &function) { addTraits(function, HW_ACCESS_NONE_LEAVES); }

}  // namespace hostwarp::compiler
