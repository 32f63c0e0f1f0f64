#include "compiler/device/lanes/lane_atomics.h"

#include "compiler/device/lanes/lane_emitter.h"
#include "compiler/device/memory_spaces.h"

namespace hostwarp::compiler {

namespace {

// kindOf() is what makes one operation of several; none: nothing does. What is subtracted is added up.
llvm::RecurKind kindOf(const llvm::AtomicRMWInst &atomic) {
  switch (atomic.getOperation()) {
    case llvm::AtomicRMWInst::Add:
    case llvm::AtomicRMWInst::Sub:
      return llvm::RecurKind::Add;
    case llvm::AtomicRMWInst::And:
      return llvm::RecurKind::And;
    case llvm::AtomicRMWInst::Or:
      return llvm::RecurKind::Or;
    case llvm::AtomicRMWInst::Xor:
      return llvm::RecurKind::Xor;
    case llvm::AtomicRMWInst::Max:
      return llvm::RecurKind::SMax;
    case llvm::AtomicRMWInst::Min:
      return llvm::RecurKind::SMin;
    case llvm::AtomicRMWInst::UMax:
      return llvm::RecurKind::UMax;
    case llvm::AtomicRMWInst::UMin:
      return llvm::RecurKind::UMin;
    default:
      return llvm::RecurKind::None;
  }
}

// neutral() changes nothing.
llvm::Constant *neutral(llvm::RecurKind kind, llvm::Type *type) {
  const unsigned bits = type->getScalarSizeInBits();
  switch (kind) {
    case llvm::RecurKind::And:
    case llvm::RecurKind::UMin:
      return llvm::Constant::getAllOnesValue(type);
    case llvm::RecurKind::SMax:
      return llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
    case llvm::RecurKind::SMin:
      return llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits));
    default:
      return llvm::Constant::getNullValue(type);
  }
}

// isSum(): one of floating-point numbers that nobody wants to know the course of.
bool isSum(const llvm::AtomicRMWInst &atomic) {
  const llvm::Type *type = atomic.getType();
  return atomic.getOperation() == llvm::AtomicRMWInst::FAdd && atomic.use_empty() &&
         (type->isFloatTy() || type->isDoubleTy());
}

}  // namespace

bool isCombined(const llvm::Instruction &instruction, Shape address) {
  auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  if (!atomic || atomic->isVolatile() || !address.isUniform()) return false;
  return isSum(*atomic) || (atomic->getType()->isIntegerTy() && kindOf(*atomic) != llvm::RecurKind::None);
}

// emitCombined() changes memory once. Each lane gets what it would have found had they come one after the other.
void LaneEmitter::emitCombined(llvm::AtomicRMWInst &atomic) {
  if (isSum(atomic)) return emitSum(atomic);
  const llvm::RecurKind kind = kindOf(atomic);
  llvm::Value *values = vectorOf(*atomic.getValOperand());
  if (lanes_) values = builder_.CreateSelect(lanes_, values, neutral(kind, values->getType()));
  auto *once = llvm::cast<llvm::AtomicRMWInst>(atomic.clone());
  once->setOperand(0, scalarOf(*atomic.getPointerOperand()));
  once->setMetadata(llvm::LLVMContext::MD_access_group, nullptr);
  if (atomic.use_empty()) {
    once->setOperand(1, reduce(kind, values));
    builder_.Insert(once);
    return define(atomic, llvm::PoisonValue::get(values->getType()));
  }
  for (unsigned distance = 1; distance < width_; distance *= 2)
    values = combine(kind, values, movedUp(kind, values, distance));
  once->setOperand(1, builder_.CreateExtractElement(values, width_ - 1));
  builder_.Insert(once);
  llvm::Value *found = builder_.CreateVectorSplat(width_, once), *before = movedUp(kind, values, 1);
  const bool subtracts = atomic.getOperation() == llvm::AtomicRMWInst::Sub;
  define(atomic, subtracts ? builder_.CreateSub(found, before) : combine(kind, found, before));
}

// emitSum() rounds as the lanes one after the other would, in their order. What a lane that is not there adds changes
// nothing, not even a zero's sign.
void LaneEmitter::emitSum(llvm::AtomicRMWInst &atomic) {
  llvm::Value *values = vectorOf(*atomic.getValOperand());
  if (lanes_) values = builder_.CreateSelect(lanes_, values, llvm::ConstantFP::getNegativeZero(values->getType()));
  llvm::Type *type = atomic.getType(), *bits = builder_.getIntNTy(type->getScalarSizeInBits());
  llvm::Value *place = scalarOf(*atomic.getPointerOperand());
  llvm::LoadInst *first = builder_.CreateAlignedLoad(bits, place, atomic.getAlign());
  first->setAtomic(llvm::AtomicOrdering::Monotonic, atomic.getSyncScopeID());
  const auto sumFrom = [&](llvm::Value *found) {
    llvm::Value *sum = builder_.CreateFAddReduce(builder_.CreateBitCast(found, type), values);
    return builder_.CreateBitCast(sum, bits);
  };
  define(atomic, llvm::PoisonValue::get(values->getType()));
  if (isOwnAtomic(atomic)) {
    llvm::StoreInst *store = builder_.CreateAlignedStore(sumFrom(first), place, atomic.getAlign());
    return store->setAtomic(llvm::AtomicOrdering::Monotonic, atomic.getSyncScopeID());
  }
  llvm::BasicBlock *before = builder_.GetInsertBlock(), *attempt = newBlock("attempt"), *after = newBlock("added");
  builder_.CreateBr(attempt);
  builder_.SetInsertPoint(attempt);
  llvm::PHINode *found = builder_.CreatePHI(bits, 2);
  llvm::AtomicCmpXchgInst *change = builder_.CreateAtomicCmpXchg(
      place, found, sumFrom(found), atomic.getAlign(), atomic.getOrdering(),
      llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(atomic.getOrdering()), atomic.getSyncScopeID());
  found->addIncoming(first, before);
  found->addIncoming(builder_.CreateExtractValue(change, 0), attempt);
  builder_.CreateCondBr(builder_.CreateExtractValue(change, 1), after, attempt);
  builder_.SetInsertPoint(after);
}

// movedUp() gives each lane what the one `distance` before it has, and the first ones what is neutral.
llvm::Value *LaneEmitter::movedUp(llvm::RecurKind kind, llvm::Value *lanes, unsigned distance) {
  llvm::SmallVector<int> sources;
  for (unsigned lane = 0; lane < width_; ++lane)
    sources.push_back(static_cast<int>(lane < distance ? width_ : lane - distance));
  return builder_.CreateShuffleVector(lanes, neutral(kind, lanes->getType()), sources);
}

}  // namespace hostwarp::compiler
