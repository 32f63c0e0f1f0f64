#include "compiler/device/state_addresses.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/KnownBits.h>

#include <optional>

#include "compiler/device/llvm_versions.h"
#include "compiler/device/thread_fields.h"

namespace hostwarp::compiler {

namespace {

using Numbers = llvm::SmallSet<int64_t, 4>;

constexpr size_t mostNumbers = 8;

// addConstants() adds the constants that phis and selects choose `value` from; false: it is something else, too.
bool addConstants(const llvm::Value &value, Numbers &numbers, llvm::SmallPtrSetImpl<const llvm::Value *> &seen) {
  const auto add = [&](const llvm::Value *each) { return addConstants(*each, numbers, seen); };
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    if (constant->getBitWidth() > 64) return false;
    numbers.insert(constant->getSExtValue());
    return numbers.size() <= mostNumbers;
  }
  if (!seen.insert(&value).second) return true;
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&value)) return llvm::all_of(phi->incoming_values(), add);
  auto *choice = llvm::dyn_cast<llvm::SelectInst>(&value);
  return choice && add(choice->getTrueValue()) && add(choice->getFalseValue());
}

// addByBits() adds what `value` may be by the bits of it that are known; false: too much.
bool addByBits(const llvm::Value &value, Numbers &numbers, const llvm::DataLayout &layout) {
  if (value.getType()->getScalarSizeInBits() != 64) return false;
  const llvm::KnownBits known = llvm::computeKnownBits(&value, layout);
  const uint64_t least = known.One.getZExtValue(), open = ~(known.Zero | known.One).getZExtValue();
  if (llvm::popcount(open) > 3) return false;
  for (uint64_t part = open;; part = (part - 1) & open) {
    numbers.insert(static_cast<int64_t>(least | part));
    if (part == 0) return true;
  }
}

// StateSearch goes from the address of hw_thread to what is read.
class StateSearch {
 public:
  explicit StateSearch(const llvm::DataLayout &layout) : layout_(layout) {}

  // findsThread(): what is `offset` bytes behind the beginning of hw_thread at `address` is looked at, and belongs to
  // one thread.
  bool findsThread(const llvm::Value &address, int64_t offset) {
    if (offset < 0 || offset > static_cast<int64_t>(sizeof(hw_thread))) return true;
    if (!seen_.insert({&address, offset}).second) return false;
    return llvm::any_of(address.users(), [&](const llvm::User *user) { return mayLook(*user, address, offset); });
  }

 private:
  bool mayLook(const llvm::User &user, const llvm::Value &address, int64_t offset) {
    if (auto *further = llvm::dyn_cast<llvm::GetElementPtrInst>(&user)) {
      const std::optional<Numbers> steps = stepsOf(*further);
      return !steps || llvm::any_of(*steps, [&](int64_t step) { return findsThread(*further, offset + step); });
    }
    if (llvm::isa<llvm::PHINode, llvm::SelectInst>(user)) return findsThread(user, offset);
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&user)) return isOfOneThread(offset, *load->getType());
    auto *store = llvm::dyn_cast<llvm::StoreInst>(&user);
    const bool countsTurns = store && store->getPointerOperand() == &address &&
                             offset == static_cast<int64_t>(offsetof(hw_thread, spinBudget));
    return !countsTurns && !llvm::isa<llvm::ICmpInst>(user);
  }

  bool isOfOneThread(int64_t offset, llvm::Type &type) const {
    const auto bytes = static_cast<int64_t>(layout_.getTypeStoreSize(&type).getFixedValue());
    return llvm::any_of(threadFields, [&](const ThreadField &field) {
      const auto at = static_cast<int64_t>(field.offset);
      return offset < at + static_cast<int64_t>(sizeof(uint32_t)) && at < offset + bytes;
    });
  }

  // stepsOf() are the distances in bytes that the instruction may add; nothing: they are too many, or not known.
  std::optional<Numbers> stepsOf(const llvm::GetElementPtrInst &address) const {
    IndexScales variable;
    llvm::APInt constant(64, 0);
    if (!address.collectOffset(layout_, 64, variable, constant) || variable.size() > 1) return std::nullopt;
    if (variable.empty()) return one(constant.getSExtValue());
    const auto &[index, size] = *variable.begin();
    Numbers chosen, steps;
    llvm::SmallPtrSet<const llvm::Value *, 8> seen;
    if (!addConstants(*index, chosen, seen)) {
      chosen.clear();
      if (!addByBits(*index, chosen, layout_)) return std::nullopt;
    }
    for (const int64_t number : chosen) steps.insert(constant.getSExtValue() + number * size.getSExtValue());
    return steps;
  }

  static Numbers one(int64_t number) {
    Numbers numbers;
    numbers.insert(number);
    return numbers;
  }

  const llvm::DataLayout &layout_;
  llvm::DenseSet<std::pair<const llvm::Value *, int64_t>> seen_;
};

}  // namespace

bool looksAtOneThread(const llvm::Instruction &self) {
  return StateSearch(self.getModule()->getDataLayout()).findsThread(self, 0);
}

}  // namespace hostwarp::compiler
