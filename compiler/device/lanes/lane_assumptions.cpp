#include "compiler/device/lanes/lane_assumptions.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "compiler/device/lanes/access_groups.h"

namespace hostwarp::compiler {

namespace {

constexpr size_t mostTests = 32;

}  // namespace

bool isArithmetic(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::MinMaxIntrinsic>(instruction)) return true;
  if (!instruction.getType()->isIntegerTy() && !instruction.getType()->isPointerTy()) return false;
  return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::ICmpInst, llvm::SelectInst, llvm::GetElementPtrInst>(
      instruction);
}

LaneAssumptions::LaneAssumptions(const LaneShapes &shapes, llvm::ScalarEvolution &evolution,
                                 const llvm::BasicBlock &block, unsigned lanes, bool areAllThere,
                                 llvm::ArrayRef<const llvm::Value *> common)
    : shapes_(shapes), block_(block), lanes_(lanes), areAllThere_(areAllThere) {
  if (block.size() > mostOfBlock) return;
  LanePatterns patterns(shapes, lanes);
  for (const llvm::Instruction &instruction : block)
    if (llvm::getLoadStorePointerOperand(&instruction)) consider(instruction, patterns);
  considerMembers(evolution);
  for (const llvm::Value *value : common)
    if (assume(*value).shape.isUniform()) test(assume(*value).pivots);
  if (tested_.size() > mostTests) tested_.clear();
}

// consider() has the pivots tested that keep the access from being a wide one, or one for all.
void LaneAssumptions::consider(const llvm::Instruction &access, LanePatterns &patterns) {
  const llvm::Value *address = llvm::getLoadStorePointerOperand(&access);
  if (!shapes_.of(*address).isVarying() || shapes_.comesFromMemory(*address)) return;
  if (patterns.windowOf(access, !areAllThere_)) return;
  llvm::Type *type = llvm::getLoadStoreType(const_cast<llvm::Instruction *>(&access));
  const auto bytes = static_cast<int64_t>(access.getModule()->getDataLayout().getTypeStoreSize(type).getFixedValue());
  const Assumed &assumed = assume(*address);
  const bool isWide = assumed.shape.isStrided() && assumed.shape.stride() == bytes;
  if (!isWide && !(assumed.shape.isUniform() && llvm::isa<llvm::LoadInst>(access))) return;
  test(assumed.pivots);
}

// considerMembers() has the pivots tested that keep accesses of an array of structures from being done at once.
void LaneAssumptions::considerMembers(llvm::ScalarEvolution &evolution) {
  const auto needsTest = [&](const llvm::Instruction &instruction) {
    const llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction);
    return address && shapes_.of(*address).isVarying() && assume(*address).shape.isStrided();
  };
  if (llvm::none_of(block_, needsTest)) return;
  const AccessGroups groups([this](const llvm::Value &address) { return assume(address).shape; }, evolution, block_,
                            lanes_);
  for (const llvm::Instruction &instruction : block_)
    if (needsTest(instruction) && groups.of(instruction))
      test(assume(*llvm::getLoadStorePointerOperand(&instruction)).pivots);
}

// test() adds pivots, if all of them can be tested.
void LaneAssumptions::test(const Pivots &pivots) {
  const auto canTest = [&](const llvm::Instruction *pivot) {
    return llvm::all_of(pivot->operands(), [&](const llvm::Use &operand) { return isComputable(*operand); });
  };
  if (llvm::all_of(pivots, canTest)) tested_.insert(pivots.begin(), pivots.end());
}

Shape LaneAssumptions::of(const llvm::Value &value) const {
  const Assumed &assumed = assume(value);
  const auto isTested = [&](const llvm::Instruction *pivot) { return tested_.contains(pivot); };
  return llvm::all_of(assumed.pivots, isTested) ? assumed.shape : shapes_.of(value);
}

bool LaneAssumptions::isComputable(const llvm::Value &value) const {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return true;
  const bool isHere = instruction->getParent() == &block_ && !llvm::isa<llvm::PHINode>(instruction);
  if (!isHere && !shapes_.of(value).isVarying()) return true;
  return isArithmetic(*instruction) &&
         llvm::all_of(instruction->operands(), [&](const llvm::Use &operand) { return isComputable(*operand); });
}

const LaneAssumptions::Assumed &LaneAssumptions::assume(const llvm::Value &value) const {
  const auto found = known_.find(&value);
  if (found != known_.end()) return found->second;
  const Shape shape = shapes_.of(value);
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!shape.isVarying() || !instruction) return known_[&value] = {shape, {}};
  Assumed assumed = assumeNew(*instruction);
  if (assumed.shape.isVarying() || !assumed.shape.isKnown()) assumed = {Shape::varying(), {}};
  return known_[&value] = std::move(assumed);
}

LaneAssumptions::Assumed LaneAssumptions::assumeNew(const llvm::Instruction &instruction) const {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return assumeLoad(*load);
  if (!isArithmetic(instruction)) return {Shape::varying(), {}};
  if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return assumeSelect(*choice);
  Assumed assumed;
  for (const llvm::Value *operand : instruction.operands()) {
    const Pivots &more = assume(*operand).pivots;
    assumed.pivots.insert(more.begin(), more.end());
  }
  const auto shapeOf = [&](const llvm::Value &value) { return assume(value).shape; };
  assumed.shape = shapeOfArithmetic(instruction, shapeOf);
  if (!assumed.shape.isVarying()) return assumed;
  assumed.shape = shapeAsPivot(instruction);
  const bool isExtension = llvm::isa<llvm::ZExtInst, llvm::SExtInst>(instruction);
  if (!isExtension || !isInOrder(*instruction.getOperand(0), llvm::isa<llvm::SExtInst>(instruction)))
    assumed.pivots.insert(&instruction);
  return assumed;
}

// assumeLoad(): what lies at one address is the same for all.
LaneAssumptions::Assumed LaneAssumptions::assumeLoad(const llvm::LoadInst &load) const {
  const Assumed &address = assume(*load.getPointerOperand());
  const bool isCommon = load.isSimple() && load.getParent() == &block_ && address.shape.isUniform();
  return {isCommon ? Shape::uniform() : Shape::varying(), address.pivots};
}

LaneAssumptions::Assumed LaneAssumptions::assumeSelect(const llvm::SelectInst &choice) const {
  const Assumed &condition = assume(*choice.getCondition());
  Assumed assumed{condition.shape, condition.pivots};
  if (!condition.shape.isUniform()) return assumed;
  const std::optional<bool> outcome = outcomeOf(*choice.getCondition());
  for (const llvm::Value *value : {choice.getTrueValue(), choice.getFalseValue()}) {
    if (outcome && *outcome != (value == choice.getTrueValue())) continue;
    const Assumed &chosen = assume(*value);
    assumed.shape = value == choice.getTrueValue() || outcome ? chosen.shape : assumed.shape.join(chosen.shape);
    assumed.pivots.insert(chosen.pivots.begin(), chosen.pivots.end());
  }
  return assumed;
}

std::optional<bool> LaneAssumptions::outcomeOf(const llvm::Value &value) const {
  auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(&value);
  if (!comparison || !comparison->isEquality() || !isPivot(*comparison)) return std::nullopt;
  return comparison->getPredicate() == llvm::CmpInst::ICMP_NE;
}

const llvm::Value *LaneAssumptions::passedOn(const llvm::Instruction &instruction) const {
  if (!llvm::isa<llvm::MinMaxIntrinsic>(instruction) || !isPivot(instruction)) return nullptr;
  return instruction.getOperand(assume(*instruction.getOperand(0)).shape.isUniform() ? 1 : 0);
}

// isInRange(): from the first lane to the last the value does not come around once more.
bool LaneAssumptions::isInRange(const llvm::Value &value, Shape shape) const {
  if (!value.getType()->isIntegerTy() || !shape.isStrided() || shape.isUniform()) return false;
  const unsigned bits = value.getType()->getIntegerBitWidth();
  if (bits < 8 || bits > 64) return false;
  const llvm::APInt most = llvm::APInt::getSignedMaxValue(bits).zext(128);
  return (llvm::APInt(128, static_cast<uint64_t>(shape.stride()), true).abs() * (lanes_ - 1)).ult(most);
}

// isInOrder(): the value does not wrap around between lanes, since it comes from a bound, whose test says so, by steps
// of which the program says so.
bool LaneAssumptions::isInOrder(const llvm::Value &value, bool isSigned) const {
  if (auto *bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&value))
    return bound->isSigned() == isSigned && assume(value).pivots.contains(bound);
  auto *step = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&value);
  if (!step || !areAllThere_ || !(isSigned ? step->hasNoSignedWrap() : step->hasNoUnsignedWrap())) return false;
  return llvm::all_of(step->operands(), [&](const llvm::Use &operand) {
    return assume(*operand).shape.isUniform() || isInOrder(*operand, isSigned);
  });
}

// shapeAsPivot() is the shape that an instruction has whose test holds. What the tests are says lane_versions.cpp.
Shape LaneAssumptions::shapeAsPivot(const llvm::Instruction &instruction) const {
  const llvm::Value &first = *instruction.getOperand(0);
  const Shape a = assume(first).shape;
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(instruction)) return isInRange(first, a) ? a : Shape::varying();
  if (instruction.getNumOperands() < 2) return Shape::varying();
  const Shape b = assume(*instruction.getOperand(1)).shape;
  const bool isEither = llvm::isa<llvm::MinMaxIntrinsic, llvm::ICmpInst>(instruction);
  if (isEither && a.isUniform() && isInRange(*instruction.getOperand(1), b))
    return llvm::isa<llvm::ICmpInst>(instruction) ? Shape::uniform() : b;
  if (!isInRange(first, a) || !b.isUniform()) return Shape::varying();
  if (llvm::isa<llvm::ICmpInst>(instruction)) return Shape::uniform();
  if (llvm::isa<llvm::MinMaxIntrinsic>(instruction)) return a;
  if (instruction.isIntDivRem()) {
    const bool isRest =
        instruction.getOpcode() == llvm::Instruction::URem || instruction.getOpcode() == llvm::Instruction::SRem;
    return isRest ? a : Shape::uniform();
  }
  return shapeOfMask(instruction, a);
}

// shapeOfMask() is for operations on bits, of numbers that begin at a multiple of the number of lanes.
Shape LaneAssumptions::shapeOfMask(const llvm::Instruction &mask, Shape lanes) const {
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(mask.getOperand(1));
  switch (mask.getOpcode()) {
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      return constant ? Shape::uniform() : Shape::varying();
    case llvm::Instruction::And: {
      if (lanes.stride() != 1) return Shape::varying();
      if (!constant) return lanes;
      const llvm::APInt low = constant->getValue() & (lanes_ - 1);
      return low.isZero() ? Shape::uniform() : low == lanes_ - 1 ? lanes : Shape::varying();
    }
    case llvm::Instruction::Xor:
      return lanes.stride() == 1 ? lanes : Shape::varying();
    default:
      return Shape::varying();
  }
}

}  // namespace hostwarp::compiler
