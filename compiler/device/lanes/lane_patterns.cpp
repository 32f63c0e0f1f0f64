#include "compiler/device/lanes/lane_patterns.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <set>

#include "compiler/device/llvm_versions.h"

namespace hostwarp::compiler {

namespace {

constexpr int64_t mostDistance = 1 << 20;  // so that nothing overflows here

std::optional<LanePattern> checked(LanePattern pattern) {
  const auto isFar = [](int64_t distance) { return std::abs(distance) > mostDistance; };
  return llvm::any_of(pattern.lanes, isFar) ? std::nullopt : std::optional(std::move(pattern));
}

template <class Operation>
std::optional<LanePattern> combined(const LanePattern &a, const LanePattern &b, unsigned zeros, Operation operation) {
  LanePattern result{{}, zeros};
  for (size_t lane = 0; lane < a.lanes.size(); ++lane) result.lanes.push_back(operation(a.lanes[lane], b.lanes[lane]));
  return checked(std::move(result));
}

// isWithin(): adding the lanes' parts changes the lowest `bits` bits of the base only.
bool isWithin(const LanePattern &pattern, unsigned bits) {
  const int64_t end = int64_t{1} << std::min(bits, 30u);
  return llvm::all_of(pattern.lanes, [&](int64_t part) { return part >= 0 && part < end; });
}

// lowOf() leaves to the base what a constant has above the lowest bits.
LanePattern lowOf(const LanePattern &pattern, const llvm::Value &value, unsigned bits) {
  LanePattern low = pattern;
  if (llvm::isa<llvm::ConstantInt>(value))
    for (int64_t &part : low.lanes) part &= (int64_t{1} << bits) - 1;
  return low;
}

const llvm::ConstantInt *constantOf(const llvm::Instruction &instruction, unsigned operand) {
  return llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(operand));
}

unsigned bitsOf(const llvm::Value &value) { return value.getType()->getIntegerBitWidth(); }

}  // namespace

bool LaneWindow::isOneToOne() const {
  return std::set<unsigned>(elements.begin(), elements.end()).size() == elements.size();
}

const std::optional<LanePattern> &LanePatterns::of(const llvm::Value &value) {
  const auto found = known_.find(&value);
  if (found != known_.end()) return found->second;
  Pattern pattern = ofNew(value);
  return known_[&value] = std::move(pattern);
}

std::optional<LanePattern> LanePatterns::ofNew(const llvm::Value &value) {
  if (!value.getType()->isIntegerTy() && !value.getType()->isPointerTy()) return std::nullopt;
  if (value.getType()->isIntegerTy() && bitsOf(value) > 64) return std::nullopt;
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    LanePattern same{{}, bitsOf(value)};
    same.lanes.assign(lanes_, constant->getSExtValue());
    return checked(std::move(same));
  }
  if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value))
    if (Pattern pattern = ofInstruction(*instruction)) return pattern;
  return ofShape(value);
}

std::optional<LanePattern> LanePatterns::ofInstruction(const llvm::Instruction &instruction) {
  if (shapes_.of(instruction).isUniform()) return std::nullopt;
  if (llvm::isa<llvm::GetElementPtrInst>(instruction)) return ofAddress(instruction);
  const bool isArithmetic =
      llvm::isa<llvm::BinaryOperator, llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst>(instruction);
  if (!isArithmetic || !instruction.getType()->isIntegerTy()) return std::nullopt;
  const Pattern a = of(*instruction.getOperand(0));
  if (!a) return std::nullopt;
  if (llvm::isa<llvm::TruncInst>(instruction)) return LanePattern{a->lanes, std::min(a->zeros, bitsOf(instruction))};
  if (llvm::isa<llvm::CastInst>(instruction)) return ofExtension(instruction, *a);
  if (instruction.isShift()) return ofShift(instruction, *a);
  const Pattern b = of(*instruction.getOperand(1));
  if (!b) return std::nullopt;
  const unsigned zeros = std::min(a->zeros, b->zeros);
  auto *alternative = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
  if (instruction.getOpcode() == llvm::Instruction::Add || (alternative && alternative->isDisjoint()))
    return combined(*a, *b, zeros, std::plus<int64_t>());
  if (instruction.getOpcode() == llvm::Instruction::Sub) return combined(*a, *b, zeros, std::minus<int64_t>());
  if (instruction.getOpcode() == llvm::Instruction::Mul) {
    const llvm::ConstantInt *factor = constantOf(instruction, 1);
    if (!factor || factor->isZero()) return std::nullopt;
    const unsigned more = a->zeros + factor->getValue().countr_zero();
    return combined(*a, *b, std::min(more, bitsOf(instruction)), std::multiplies<int64_t>());
  }
  return ofBits(instruction, *a, *b);
}

// ofBits(): above the lowest bits all lanes have the same, below they have what is known.
std::optional<LanePattern> LanePatterns::ofBits(const llvm::Instruction &operation, const LanePattern &a,
                                                const LanePattern &b) const {
  const unsigned bits = std::min({a.zeros, b.zeros, 30u});
  const LanePattern left = lowOf(a, *operation.getOperand(0), bits), right = lowOf(b, *operation.getOperand(1), bits);
  if (!isWithin(left, bits) || !isWithin(right, bits)) return std::nullopt;
  switch (operation.getOpcode()) {
    case llvm::Instruction::And: {
      // Where the mask has low bits only, nothing is left of the base.
      const llvm::ConstantInt *mask = constantOf(operation, 1);
      const bool isLow = mask && mask->getValue().getActiveBits() <= bits;
      return combined(left, right, isLow ? bitsOf(operation) : bits, std::bit_and<int64_t>());
    }
    case llvm::Instruction::Or:
      return combined(left, right, bits, std::bit_or<int64_t>());
    case llvm::Instruction::Xor:
      return combined(left, right, bits, std::bit_xor<int64_t>());
    default:
      return std::nullopt;
  }
}

std::optional<LanePattern> LanePatterns::ofShift(const llvm::Instruction &shift, const LanePattern &a) const {
  const llvm::ConstantInt *constant = constantOf(shift, 1);
  const uint64_t amount = constant ? constant->getValue().getLimitedValue(64) : 64;
  if (amount >= bitsOf(shift) || amount > 20) return std::nullopt;
  LanePattern result = a;
  if (shift.getOpcode() == llvm::Instruction::Shl) {
    for (int64_t &part : result.lanes) part *= int64_t{1} << amount;
    result.zeros = std::min<unsigned>(a.zeros + static_cast<unsigned>(amount), bitsOf(shift));
    return checked(std::move(result));
  }
  const bool hasNoBase = a.zeros == bitsOf(shift);
  if (a.zeros < amount || !isWithin(a, hasNoBase ? a.zeros - 1 : a.zeros)) return std::nullopt;
  for (int64_t &part : result.lanes) part >>= amount;
  if (!hasNoBase) result.zeros -= static_cast<unsigned>(amount);
  return result;
}

// ofExtension(): no lane's number wraps around where the base's low bits are free for its part.
std::optional<LanePattern> LanePatterns::ofExtension(const llvm::Instruction &extension, const LanePattern &a) const {
  const unsigned bits = bitsOf(*extension.getOperand(0));
  const bool hasNoBase = a.zeros == bits;
  if (!isWithin(a, hasNoBase ? bits - 1 : a.zeros)) return std::nullopt;
  return LanePattern{a.lanes, hasNoBase ? bitsOf(extension) : a.zeros};
}

std::optional<LanePattern> LanePatterns::ofAddress(const llvm::Instruction &address) {
  const llvm::DataLayout &layout = address.getModule()->getDataLayout();
  auto &step = llvm::cast<llvm::GEPOperator>(address);
  IndexScales scales;
  llvm::APInt constant(64, 0);
  if (step.getType()->isVectorTy() || !step.collectOffset(layout, 64, scales, constant)) return std::nullopt;
  Pattern result = of(*step.getPointerOperand());
  for (const auto &[index, scale] : scales) {
    const Pattern part = of(*index);
    // A narrow index is extended.
    if (!result || !part || (bitsOf(*index) < 64 && !isWithin(*part, part->zeros)) || scale.abs().ugt(mostDistance))
      return std::nullopt;
    const int64_t factor = scale.getSExtValue();
    result = combined(*result, *part, 0, [&](int64_t base, int64_t distance) { return base + factor * distance; });
  }
  return result;
}

// ofShape() is for what has a stride or is the same for all.
std::optional<LanePattern> LanePatterns::ofShape(const llvm::Value &value) const {
  const Shape shape = shapes_.of(value);
  if (!shape.isStrided() || std::abs(shape.stride()) > mostDistance) return std::nullopt;
  LanePattern pattern{{}, value.getType()->isIntegerTy() ? shapes_.zerosOfFirst(value, lanes_) : 0};
  for (unsigned lane = 0; lane < lanes_; ++lane) pattern.lanes.push_back(shape.stride() * lane);
  return checked(std::move(pattern));
}

std::optional<LaneWindow> LanePatterns::windowAt(const LanePattern &address, int64_t bytes) const {
  const auto [lowest, highest] = std::minmax_element(address.lanes.begin(), address.lanes.end());
  LaneWindow window;
  for (int64_t at : address.lanes) {
    if ((at - *lowest) % bytes != 0) return std::nullopt;
    window.elements.push_back(static_cast<unsigned>((at - *lowest) / bytes));
  }
  window.count = static_cast<unsigned>((*highest - *lowest) / bytes) + 1;
  window.lowest = *lowest - address.lanes.front();
  return window.count <= 2 * lanes_ ? std::optional(window) : std::nullopt;
}

std::optional<LaneWindow> LanePatterns::windowOf(const llvm::Instruction &access, bool isMasked) {
  const llvm::Value &address = *llvm::getLoadStorePointerOperand(&access);
  if (shapes_.of(address).isUniform() || shapes_.comesFromMemory(address)) return std::nullopt;
  const Pattern pattern = of(address);
  if (!pattern) return std::nullopt;
  llvm::Type *type = llvm::getLoadStoreType(const_cast<llvm::Instruction *>(&access));
  const auto bytes = static_cast<int64_t>(access.getModule()->getDataLayout().getTypeStoreSize(type).getFixedValue());
  std::optional<LaneWindow> window = windowAt(*pattern, bytes);
  if (!window) return std::nullopt;
  // Parts of a vector can be loaded and stored where its elements have 4 bytes or 8.
  const bool isStore = llvm::isa<llvm::StoreInst>(access), hasParts = bytes == 4 || bytes == 8;
  if (isStore || isMasked) return hasParts && window->isOneToOne() ? window : std::nullopt;
  return hasParts || window->count >= lanes_ ? window : std::nullopt;
}

}  // namespace hostwarp::compiler
