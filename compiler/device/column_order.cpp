#include "compiler/device/column_order.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CheckedArithmetic.h>

#include <optional>

#include "compiler/device/llvm_versions.h"

namespace hostwarp::compiler {

namespace {

// Stride is by how much a value grows when one index does; none: not evenly.
using Stride = std::optional<int64_t>;

// What stands for a factor that is not known, the length of a row: more than an element, and nothing that cancels out.
constexpr int64_t someFactor = (1 << 20) + 7;

// Strides tells them for one of the two indices. It guides a choice between two right ways, so that what it takes for
// granted need not hold: that narrow numbers do not wrap, and that memory which is read at one place has one value.
class Strides {
 public:
  // `isExact`: no two threads have one value where the stride is not 0, so that limits and choices have none.
  Strides(llvm::Function &function, const llvm::Value &index, const ThreadFields &threads, bool isExact)
      : layout_(function.getParent()->getDataLayout()), dominators_(function), isExact_(isExact) {
    // How numbers that count along rows grow with y depends on the block.
    for (const llvm::Value *number : {threads.linear, threads.lane, threads.warp}) known_[number] = std::nullopt;
    known_[&index] = 1;
  }

  Stride of(const llvm::Value &value) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (const auto found = known_.find(&value); found != known_.end()) return found->second;
    if (!instruction || instruction->getNumOperands() == 0) return 0;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction)) return ofPhi(*phi);
    const Stride stride = ofInstruction(*instruction);
    return known_[&value] = stride;
  }

 private:
  // ofPhi() goes by what comes in first, and later values have to agree: in a loop that is the value of the first turn.
  Stride ofPhi(const llvm::PHINode &phi) {
    known_[&phi] = std::nullopt;  // until more is known, for cycles that have several ways in
    const auto isAgain = [&](const llvm::BasicBlock *block) { return dominators_.dominates(phi.getParent(), block); };
    if (isExact_ && llvm::none_of(phi.blocks(), isAgain)) return std::nullopt;
    const llvm::Value *first = nullptr;
    for (unsigned i = 0; i < phi.getNumIncomingValues() && !first; ++i)
      if (!isAgain(phi.getIncomingBlock(i))) first = phi.getIncomingValue(i);
    if (!first) return std::nullopt;
    const Stride stride = of(*first);
    known_[&phi] = stride;
    for (const llvm::Value *value : phi.incoming_values())
      if (of(*value) != stride) return known_[&phi] = std::nullopt;
    return stride;
  }

  Stride ofInstruction(const llvm::Instruction &instruction) {
    if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return ofAddress(*address);
    bool isEven = true;
    for (const llvm::Value *operand : instruction.operands())
      if (!llvm::isa<llvm::BasicBlock>(operand) && of(*operand) != 0) isEven = false;
    if (isEven) return 0;
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst, llvm::FreezeInst>(instruction))
      return of(*instruction.getOperand(0));
    if (auto *limit = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction)) return ofLimit(*limit);
    return llvm::isa<llvm::BinaryOperator>(instruction) ? ofSum(instruction) : std::nullopt;
  }

  // ofLimit(): an index that is kept within bounds grows evenly but at these.
  Stride ofLimit(const llvm::MinMaxIntrinsic &limit) {
    const Stride left = of(*limit.getLHS()), right = of(*limit.getRHS());
    if (isExact_) return std::nullopt;
    if (left == 0) return right;
    return right == 0 ? left : std::nullopt;
  }

  static Stride sum(Stride left, Stride right) {
    return left && right ? llvm::checkedAdd(*left, *right) : std::nullopt;
  }
  static Stride product(Stride left, Stride right) {
    return left && right ? llvm::checkedMul(*left, *right) : std::nullopt;
  }

  Stride ofSum(const llvm::Instruction &instruction) {
    const Stride left = of(*instruction.getOperand(0)), right = of(*instruction.getOperand(1));
    auto *number = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
    const Stride factor = number ? number->getValue().trySExtValue() : std::nullopt;
    switch (instruction.getOpcode()) {
      case llvm::Instruction::Add:
        return sum(left, right);
      case llvm::Instruction::Or:
        return llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint() ? sum(left, right) : std::nullopt;
      case llvm::Instruction::Sub:
        return sum(left, product(right, -1));
      case llvm::Instruction::Mul:
        if (number) return product(left, factor);
        return left == 0 || right == 0 ? product(sum(left, right), someFactor) : std::nullopt;
      case llvm::Instruction::Shl:
        return factor && *factor < 32 ? product(left, int64_t{1} << *factor) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  Stride ofAddress(const llvm::GetElementPtrInst &address) {
    Stride all = of(*address.getPointerOperand());
    for (auto at = llvm::gep_type_begin(address), end = llvm::gep_type_end(address); all && at != end; ++at) {
      const Stride index = of(*at.getOperand());
      if (index == 0) continue;
      const auto bytes = static_cast<int64_t>(layout_.getTypeAllocSize(at.getIndexedType()).getFixedValue());
      all = sum(all, product(index, bytes));
    }
    return all;
  }

  const llvm::DataLayout &layout_;
  const llvm::DominatorTree dominators_;
  const bool isExact_;
  llvm::DenseMap<const llvm::Value *, Stride> known_;
};

// isSilent(): nobody but the thread itself can tell when it does this.
bool isSilent(const llvm::Instruction &instruction) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isSimple();
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->isSimple();
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (intrinsic && intrinsic->isAssumeLikeIntrinsic()) return true;
  return !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects();
}

// isBesides(): neighbours access neighbouring elements, or the same.
bool isBesides(Stride stride, const llvm::Instruction &access) {
  const llvm::DataLayout &layout = access.getModule()->getDataLayout();
  llvm::Type *type = llvm::getLoadStoreType(const_cast<llvm::Instruction *>(&access));
  return stride && *stride >= 0 && static_cast<uint64_t>(*stride) <= layout.getTypeStoreSize(type).getFixedValue();
}

}  // namespace

bool prefersColumns(llvm::Function &function, const ThreadFields &threads) {
  Strides alongX(function, *threads.x, threads, false), alongY(function, *threads.y, threads, false);
  Strides ownX(function, *threads.x, threads, true), ownY(function, *threads.y, threads, true);
  bool isFarAlongX = false;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (!isSilent(instruction)) return false;
    const llvm::Value *place = llvm::getLoadStorePointerOperand(&instruction);
    if (!place) continue;
    const Stride x = alongX.of(*place), y = alongY.of(*place);
    if (!isBesides(y, instruction)) return false;
    if (llvm::isa<llvm::StoreInst>(instruction) &&
        (ownX.of(*place).value_or(0) == 0 || ownY.of(*place).value_or(0) == 0))
      return false;
    if (x == 0) continue;
    const bool isFar = !isBesides(x, instruction);
    if (!isFar && y != 0) return false;
    isFarAlongX |= isFar;
  }
  return isFarAlongX;
}

}  // namespace hostwarp::compiler
