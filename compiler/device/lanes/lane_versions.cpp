// Blocks in two versions: one for vectors of whose lanes LaneAssumptions hold, and one for all others.
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/device/lanes/lane_assumptions.h"
#include "compiler/device/lanes/lane_emitter.h"

namespace hostwarp::compiler {

Shape LaneEmitter::shapeOf(const llvm::Value &value) const {
  return assumed_ ? assumed_->of(value) : shapes_.of(value);
}

void LaneEmitter::emitInstructions(llvm::BasicBlock &block) {
  grouped_.clear();
  for (llvm::Instruction &instruction : block)
    if (!llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator() && !ahead_.contains(&instruction))
      emitInstruction(instruction);
}

// emitVersions() tests what is assumed once for the whole block, and, where accesses can be done in groups if all
// lanes are there, whether they are.
void LaneEmitter::emitVersions(llvm::BasicBlock &block, const LaneAssumptions &assumptions) {
  emitAhead(block);
  firsts_.clear();
  assumed_ = &assumptions;
  llvm::Value *const lanes = lanes_;
  const bool needsAll = lanes && groups_ && !groups_->empty();
  llvm::Value *holds = builder_.getTrue();
  if (needsAll) holds = builder_.CreateAndReduce(lanes);
  for (const llvm::Instruction *pivot : assumptions.pivots()) holds = builder_.CreateAnd(holds, testOf(*pivot));
  llvm::BasicBlock *likely = newBlock("as_assumed"), *otherwise = newBlock("otherwise"), *after = newBlock("whatever");
  // The first lane may not be there, and its value be anything.
  builder_.CreateCondBr(builder_.CreateFreeze(holds), likely, otherwise);
  builder_.SetInsertPoint(likely);
  isVersion_ = true;
  if (needsAll) lanes_ = nullptr;
  emitInstructions(block);
  lanes_ = lanes;
  const bool takesTurns = mayTakeTurns(block);
  const auto used = usedElsewhere(block);
  auto results = resultsOf(
      block, [&](llvm::Instruction &one) { return takesTurns ? used.contains(&one) : mayBeUsedElsewhere(one); });
  llvm::BasicBlock *likelyEnd = builder_.GetInsertBlock();
  builder_.CreateBr(after);
  assumed_ = nullptr;
  builder_.SetInsertPoint(otherwise);
  if (takesTurns) {
    emitTurns(block, used);
  } else {
    groups_ = lanes_ ? nullptr : findGroups(block);
    emitInstructions(block);
  }
  llvm::BasicBlock *otherwiseEnd = builder_.GetInsertBlock();
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
  isVersion_ = false;
  for (auto [instruction, value] : results) {
    llvm::PHINode *either = builder_.CreatePHI(value->getType(), 2);
    either->addIncoming(value, likelyEnd);
    either->addIncoming(values_.lookup(instruction), otherwiseEnd);
    results[instruction] = either;
  }
  for (auto [instruction, value] : results) define(*instruction, value);
}

// resultsOf() is what a version has made of those of the block's values that others look up.
llvm::MapVector<llvm::Instruction *, llvm::Value *> LaneEmitter::resultsOf(
    llvm::BasicBlock &block, llvm::function_ref<bool(llvm::Instruction &)> isUsed) {
  llvm::MapVector<llvm::Instruction *, llvm::Value *> results;
  for (llvm::Instruction &instruction : block)
    if (values_.contains(&instruction) && !llvm::isa<llvm::PHINode>(instruction) && !ahead_.contains(&instruction)) {
      const bool isVarying = shapes_.of(instruction).isVarying();
      // firstOf() may need a scalar anywhere.
      if (!isVarying || isUsed(instruction))
        results[&instruction] = isVarying ? vectorOf(instruction) : lookUp(instruction);
    }
  return results;
}

// emitAhead() emits what is the same in both versions and has no effects.
void LaneEmitter::emitAhead(llvm::BasicBlock &block) {
  const auto isThere = [&](const llvm::Use &operand) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
    return !instruction || instruction->getParent() != &block || llvm::isa<llvm::PHINode>(instruction) ||
           ahead_.contains(instruction);
  };
  for (llvm::Instruction &instruction : block) {
    if (shapes_.of(instruction).isVarying() || !isArithmetic(instruction) || threads_.lastOf(instruction) ||
        !llvm::all_of(instruction.operands(), isThere))
      continue;
    emitInstruction(instruction);
    ahead_.insert(&instruction);
  }
}

// addedTo() is what the instruction adds to the reduction at once; null: it does more.
static llvm::Value *addedTo(const llvm::PHINode &variable, const llvm::Instruction &result) {
  const bool isSimple = llvm::isa<llvm::MinMaxIntrinsic>(result) || result.getOpcode() == llvm::Instruction::And ||
                        result.getOpcode() == llvm::Instruction::Or;
  if (!isSimple) return nullptr;
  for (unsigned i = 0; i < 2; ++i)
    if (result.getOperand(i) == &variable) return result.getOperand(1 - i);
  return nullptr;
}

// reducedIn() are the values that the block adds to reductions.
llvm::SmallVector<const llvm::Value *> LaneEmitter::reducedIn(const llvm::BasicBlock &block) const {
  llvm::SmallVector<const llvm::Value *> values;
  for (const auto &[phi, variable] : threads_.variables())
    if (variable.role == ThreadLoop::Role::Reduction && variable.result->getParent() == &block)
      if (const llvm::Value *value = addedTo(*phi, *variable.result)) values.push_back(value);
  return values;
}

// emitCommon() adds to a reduction; false: the instruction does not. A value that all lanes have in common leaves the
// vector as it is.
bool LaneEmitter::emitCommon(llvm::Instruction &instruction) {
  for (const auto &[phi, variable] : threads_.variables()) {
    if (variable.role != ThreadLoop::Role::Reduction || variable.result != &instruction) continue;
    const Sum &sum = sums_[phi];
    llvm::Value *value = addedTo(*phi, instruction);
    if (!value || !shapeOf(*value).isUniform()) {
      builder_.CreateStore(builder_.getTrue(), sum.hasVectors);
      return false;
    }
    llvm::Value *known = builder_.CreateLoad(phi->getType(), sum.common);
    builder_.CreateStore(combine(variable.reduction, known, scalarOf(*value)), sum.common);
    define(instruction, vectorOf(*phi));
    return true;
  }
  return false;
}

// firstOf() is the first lane's value: where assumptions hold, of what has a stride or is the same for all then.
llvm::Value *LaneEmitter::firstOf(llvm::Value &value) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || !shapes_.of(value).isVarying()) return lookUp(value);
  if (instruction->getParent() == block_)
    if (llvm::Value *known = values_.lookup(instruction); known && !known->getType()->isVectorTy()) return known;
  llvm::Value *&first = firsts_[instruction];
  if (!first) first = emitFirst(*instruction);
  return first;
}

// firstByAssumption() is what a pivot has, or chooses; null: it is none.
llvm::Value *LaneEmitter::firstByAssumption(llvm::Instruction &instruction) {
  if (const std::optional<bool> outcome = assumed_->outcomeOf(instruction)) return builder_.getInt1(*outcome);
  if (const llvm::Value *operand = assumed_->passedOn(instruction)) return firstOf(const_cast<llvm::Value &>(*operand));
  if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    if (const std::optional<bool> outcome = assumed_->outcomeOf(*choice->getCondition()))
      return firstOf(*outcome ? *choice->getTrueValue() : *choice->getFalseValue());
  return nullptr;
}

llvm::Value *LaneEmitter::emitFirst(llvm::Instruction &instruction) {
  if (llvm::Value *known = assumed_ ? firstByAssumption(instruction) : nullptr) return known;
  llvm::SmallVector<llvm::Value *> operands;
  for (llvm::Value *operand : instruction.operands()) operands.push_back(firstOf(*operand));
  if (instruction.isIntDivRem()) operands[1] = harmlessDivisor(instruction, *operands[0], *operands[1]);
  auto *alternative = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
  if (alternative && alternative->isDisjoint()) return builder_.CreateAdd(operands[0], operands[1]);
  llvm::Instruction *copy = instruction.clone();
  for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
  copy->dropPoisonGeneratingFlags();
  return builder_.Insert(copy, instruction.getName());
}

// harmlessDivisor() is one where the division would trap, which the program may never come to.
llvm::Value *LaneEmitter::harmlessDivisor(const llvm::Instruction &division, llvm::Value &dividend,
                                          llvm::Value &divisor) {
  llvm::Type *type = divisor.getType();
  llvm::Value *traps = builder_.CreateICmpEQ(&divisor, llvm::ConstantInt::get(type, 0));
  if (isSigned(division)) {
    const llvm::APInt lowest = llvm::APInt::getSignedMinValue(type->getIntegerBitWidth());
    llvm::Value *isLowest = builder_.CreateICmpEQ(&dividend, llvm::ConstantInt::get(type, lowest));
    llvm::Value *isMinusOne = builder_.CreateICmpEQ(&divisor, llvm::Constant::getAllOnesValue(type));
    traps = builder_.CreateOr(traps, builder_.CreateAnd(isLowest, isMinusOne));
  }
  return builder_.CreateSelect(traps, llvm::ConstantInt::get(type, 1), &divisor);
}

// divisorOf() is one where the test of the division fails: it comes before.
llvm::Value *LaneEmitter::divisorOf(const llvm::Instruction &division, llvm::Value &divisor) {
  llvm::Value *zero = llvm::ConstantInt::get(divisor.getType(), 0), *one = llvm::ConstantInt::get(divisor.getType(), 1);
  llvm::Value *isValid =
      isSigned(division) ? builder_.CreateICmpSGT(&divisor, zero) : builder_.CreateICmpNE(&divisor, zero);
  return builder_.CreateSelect(isValid, &divisor, one);
}

// staysInOrder() tells whether the value does not wrap around between the first and the last lane.
llvm::Value *LaneEmitter::staysInOrder(const Span &span, bool isSigned) {
  const llvm::CmpInst::Predicate order = span.stride > 0
                                             ? (isSigned ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE)
                                             : (isSigned ? llvm::CmpInst::ICMP_SGE : llvm::CmpInst::ICMP_UGE);
  return builder_.CreateICmp(order, span.first, span.last);
}

LaneEmitter::Span LaneEmitter::spanOf(llvm::Value &value) {
  const int64_t stride = shapeOf(value).stride();
  llvm::Value *first = firstOf(value);
  const auto distance = llvm::ConstantInt::getSigned(value.getType(), stride * static_cast<int64_t>(width_ - 1));
  return {first, builder_.CreateAdd(first, distance), stride};
}

// testOf() tells whether the pivot's value has the shape that is assumed of it.
llvm::Value *LaneEmitter::testOf(const llvm::Instruction &pivot) {
  llvm::Value *a = pivot.getOperand(0), *b = pivot.getNumOperands() > 1 ? pivot.getOperand(1) : nullptr;
  const bool isSwapped = shapeOf(*a).isUniform();
  if (isSwapped) std::swap(a, b);
  const Span span = spanOf(*a);
  if (llvm::isa<llvm::CastInst>(pivot)) return staysInOrder(span, llvm::isa<llvm::SExtInst>(pivot));
  llvm::Value *other = firstOf(*b);
  if (auto *bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&pivot)) return testOfBound(*bound, span, *other);
  if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(&pivot))
    return testOfComparison(*comparison, span, *other, isSwapped);
  if (pivot.isIntDivRem()) return testOfDivision(pivot, span, *other);
  return testOfMask(pivot, span, *other);
}

// testOfBound(): no lane's value is replaced by the bound.
llvm::Value *LaneEmitter::testOfBound(const llvm::MinMaxIntrinsic &bound, const Span &span, llvm::Value &limit) {
  const llvm::CmpInst::Predicate within = llvm::CmpInst::getNonStrictPredicate(bound.getPredicate());
  llvm::Value *first = builder_.CreateICmp(within, span.first, &limit);
  llvm::Value *last = builder_.CreateICmp(within, span.last, &limit);
  return builder_.CreateAnd(builder_.CreateAnd(first, last), staysInOrder(span, bound.isSigned()));
}

// testOfComparison(): no lane is equal, or all stand on the same side.
llvm::Value *LaneEmitter::testOfComparison(const llvm::ICmpInst &comparison, const Span &span, llvm::Value &other,
                                           bool isSwapped) {
  if (comparison.isEquality()) {
    llvm::Value *low = span.stride > 0 ? span.first : span.last;
    const uint64_t extent = static_cast<uint64_t>(std::abs(span.stride)) * (width_ - 1);
    return builder_.CreateICmpUGT(builder_.CreateSub(&other, low), llvm::ConstantInt::get(other.getType(), extent));
  }
  const llvm::CmpInst::Predicate order = isSwapped ? comparison.getSwappedPredicate() : comparison.getPredicate();
  llvm::Value *first = builder_.CreateICmp(order, span.first, &other);
  llvm::Value *last = builder_.CreateICmp(order, span.last, &other);
  return builder_.CreateAnd(builder_.CreateICmpEQ(first, last), staysInOrder(span, comparison.isSigned()));
}

// testOfDivision(): all lanes have one quotient, since the first and the last one have, and none wraps around.
llvm::Value *LaneEmitter::testOfDivision(const llvm::Instruction &division, const Span &span, llvm::Value &divisor) {
  const bool hasSign = isSigned(division);
  llvm::Value *valid = divisorOf(division, divisor);
  const auto quotient = [&](llvm::Value *value) {
    return hasSign ? builder_.CreateSDiv(value, valid) : builder_.CreateUDiv(value, valid);
  };
  llvm::Value *isOne = builder_.CreateICmpEQ(quotient(span.first), quotient(span.last));
  llvm::Value *isValid = builder_.CreateAnd(builder_.CreateICmpEQ(valid, &divisor), staysInOrder(span, hasSign));
  return builder_.CreateAnd(isOne, isValid);
}

// testOfMask(): the bits that differ between lanes are all kept, or all dropped.
llvm::Value *LaneEmitter::testOfMask(const llvm::Instruction &operation, const Span &span, llvm::Value &mask) {
  llvm::Type *type = mask.getType();
  llvm::Value *zero = llvm::ConstantInt::get(type, 0), *low = llvm::ConstantInt::get(type, width_ - 1);
  if (operation.isShift()) {
    llvm::Value *difference = builder_.CreateXor(span.first, span.last);
    return builder_.CreateICmpEQ(builder_.CreateLShr(difference, &mask), zero);
  }
  llvm::Value *differing = span.first;
  if (operation.getOpcode() == llvm::Instruction::Xor)
    differing = builder_.CreateOr(differing, &mask);
  else if (!shapeOf(operation).isUniform())
    differing = builder_.CreateOr(differing, builder_.CreateNot(&mask));
  return builder_.CreateICmpEQ(builder_.CreateAnd(differing, low), zero);
}

}  // namespace hostwarp::compiler
