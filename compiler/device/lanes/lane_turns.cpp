// What lanes do one after the other: instructions that have no vector form, and versions of blocks that hardly ever
// run, in functions of which there is much. As vectors that look up each lane's element by itself those would be most
// of the code.
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/device/lane_meetings.h"
#include "compiler/device/lanes/lane_checks.h"
#include "compiler/device/lanes/lane_emitter.h"
#include "compiler/device/loop_properties.h"
#include "compiler/device/remarks.h"

namespace hostwarp::compiler {

// LaneTurns is the loop over lanes while it is written.
class LaneEmitter::LaneTurns {
 public:
  explicit LaneTurns(LaneEmitter &emitter) : emitter_(emitter), builder_(emitter.builder_) {}

  // take() makes the operand's value known to each lane. pre: the loop has not begun.
  void take(llvm::Value &operand) {
    if (llvm::isa<llvm::Constant, llvm::MetadataAsValue>(operand) || operands_.contains(&operand)) return;
    const Shape shape = emitter_.shapeOf(operand);
    if (!shape.isVarying())
      operands_[&operand] = {emitter_.scalarOf(operand), nullptr, shape.isUniform() ? 0 : shape.stride()};
    else if (const auto place = operand.getType()->isPointerTy() ? emitter_.placeOf(operand) : std::nullopt)
      operands_[&operand] = {place->base, inMemory(*place->number), place->scale};
    else
      operands_[&operand] = {nullptr, inMemory(operand), 0};
  }

  void begin() {
    llvm::Value *all = emitter_.lanesAsBits();
    llvm::BasicBlock *before = builder_.GetInsertBlock();
    turn_ = emitter_.newBlock("lane");
    builder_.CreateBr(turn_);
    builder_.SetInsertPoint(turn_);
    left_ = builder_.CreatePHI(all->getType(), 2);
    left_->addIncoming(all, before);
    lane_ = builder_.CreateZExt(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left_, builder_.getTrue()),
                                builder_.getInt64Ty());
  }

  // copy() has the lane whose turn it is do the instruction.
  void copy(llvm::Instruction &instruction) {
    llvm::Instruction *made = instruction.clone();
    for (llvm::Use &operand : made->operands()) operand.set(ofLane(*operand));
    made->setMetadata(llvm::LLVMContext::MD_access_group, nullptr);
    builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
    builder_.Insert(made, instruction.getName());
    copies_[&instruction] = made;
  }

  // keep() keeps each lane's value of the instruction beyond its turn.
  void keep(llvm::Instruction &instruction) {
    llvm::Value *value = copies_.lookup(&instruction);
    if (value->getType()->isIntegerTy(1)) value = builder_.CreateZExt(value, builder_.getInt8Ty());
    results_[&instruction] = newSlot(emitter_.vectorType(value->getType()));
    builder_.CreateStore(value, builder_.CreateGEP(value->getType(), results_[&instruction], {lane_}));
  }

  void end() {
    llvm::Value *less = builder_.CreateSub(left_, llvm::ConstantInt::get(left_->getType(), 1));
    llvm::Value *rest = builder_.CreateAnd(left_, less);
    llvm::BasicBlock *after = emitter_.newBlock("lanes.done");
    left_->addIncoming(rest, turn_);
    llvm::BranchInst *latch = builder_.CreateCondBr(builder_.CreateIsNotNull(rest), turn_, after);
    if (emitter_.isBrief_) keepRolled(*latch);
    builder_.SetInsertPoint(after);
  }

  // resultOf() is what the lanes have kept, or the last one's of what is the same for all. pre: the loop has ended.
  llvm::Value *resultOf(llvm::Instruction &instruction) {
    llvm::AllocaInst *slot = results_.lookup(&instruction);
    if (!slot) return copies_.lookup(&instruction);
    llvm::Value *vector = builder_.CreateLoad(slot->getAllocatedType(), slot);
    return instruction.getType()->isIntegerTy(1)
               ? builder_.CreateTrunc(vector, emitter_.vectorType(instruction.getType()))
               : vector;
  }

 private:
  // Operand is a value from before the loop: a scalar that goes on by `stride` from lane to lane, the lanes' values, or
  // an address by the lanes' numbers.
  struct Operand {
    llvm::Value *first;
    llvm::AllocaInst *slot;
    int64_t stride;
  };

  llvm::AllocaInst *inMemory(llvm::Value &value) {
    llvm::Value *vector = emitter_.vectorOf(value);
    if (value.getType()->isIntegerTy(1))
      vector = builder_.CreateZExt(vector, emitter_.vectorType(builder_.getInt8Ty()));
    llvm::AllocaInst *slot = newSlot(vector->getType());
    builder_.CreateStore(vector, slot);
    return slot;
  }

  llvm::AllocaInst *newSlot(llvm::Type *vector) { return slots_.emplace_back(emitter_.slotOf(vector, slots_)); }

  llvm::Value *ofLane(llvm::Value &value) {
    if (llvm::Value *own = copies_.lookup(&value)) return own;
    const auto found = operands_.find(&value);
    if (found == operands_.end()) return &value;
    const Operand &operand = found->second;
    if (operand.slot && !operand.first) return loaded(operand.slot, *value.getType());
    if (operand.stride == 0) return operand.first;
    llvm::Value *number = lane_;
    if (operand.slot)
      number = builder_.CreateSExt(loaded(operand.slot, *operand.slot->getAllocatedType()->getScalarType()),
                                   lane_->getType());
    llvm::Value *distance = builder_.CreateMul(number, llvm::ConstantInt::getSigned(lane_->getType(), operand.stride));
    if (value.getType()->isPointerTy()) return builder_.CreatePtrAdd(operand.first, distance);
    return builder_.CreateAdd(operand.first, builder_.CreateSExtOrTrunc(distance, value.getType()));
  }

  llvm::Value *loaded(llvm::AllocaInst *slot, llvm::Type &type) {
    llvm::Type *element = slot->getAllocatedType()->getScalarType();
    llvm::Value *value = builder_.CreateLoad(element, builder_.CreateGEP(element, slot, {lane_}));
    return type.isIntegerTy(1) ? builder_.CreateTrunc(value, &type) : value;
  }

  LaneEmitter &emitter_;
  llvm::IRBuilder<> &builder_;
  llvm::BasicBlock *turn_ = nullptr;
  llvm::PHINode *left_ = nullptr;  // the lanes, as bits, whose turn is still to come
  llvm::Value *lane_ = nullptr;
  llvm::DenseMap<llvm::Value *, Operand> operands_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> copies_;
  llvm::DenseMap<llvm::Value *, llvm::AllocaInst *> results_;
  llvm::SmallVector<llvm::AllocaInst *> slots_;
};

// slotOf() is memory for a vector while one instruction is done lane by lane, other than what that has `taken`. All of
// them share it, since there may be hundreds.
llvm::AllocaInst *LaneEmitter::slotOf(llvm::Type *vector, llvm::ArrayRef<llvm::AllocaInst *> taken) {
  for (llvm::AllocaInst *slot : slots_)
    if (slot->getAllocatedType() == vector && !llvm::is_contained(taken, slot)) return slot;
  llvm::IRBuilder<> first(&function_.getEntryBlock(), function_.getEntryBlock().begin());
  return slots_.emplace_back(first.CreateAlloca(vector));
}

// emitOneByOne() does for each lane that is there, in their order, what has no vector form.
void LaneEmitter::emitOneByOne(llvm::Instruction &instruction) {
  if (llvm::Value *results = oneByOneOf(instruction)) define(instruction, results);
}

// oneByOneOf() is the lanes' results; null: there are none.
llvm::Value *LaneEmitter::oneByOneOf(llvm::Instruction &instruction) {
  remark(RemarkKind::Analysis, function_, &instruction, "one thread after the other does this");
  LaneTurns turns(*this);
  for (llvm::Value *operand : instruction.operands()) turns.take(*operand);
  turns.begin();
  turns.copy(instruction);
  const bool hasResult = !instruction.getType()->isVoidTy();
  if (hasResult) turns.keep(instruction);
  turns.end();
  return hasResult ? turns.resultOf(instruction) : nullptr;
}

// ownIn() are the block's instructions that no version has in common with the other.
llvm::SmallSetVector<llvm::Instruction *, 32> LaneEmitter::ownIn(llvm::BasicBlock &block) const {
  llvm::SmallSetVector<llvm::Instruction *, 32> own;
  for (llvm::Instruction &instruction : block) {
    const bool isLeft = !llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator() && !isNote(instruction);
    if (isLeft && !ahead_.contains(&instruction)) own.insert(&instruction);
  }
  return own;
}

// mayTakeTurns(): each lane can do all of the block's code before the next one does.
bool LaneEmitter::mayTakeTurns(llvm::BasicBlock &block) const {
  if (!isBrief_ || isWarp()) return false;
  bool accesses = false;
  for (llvm::Instruction *instruction : ownIn(block)) {
    const auto isResult = [&](const auto &each) { return each.second.result == instruction; };
    if (llvm::any_of(threads_.variables(), isResult) || laneMeetingOf(*instruction) ||
        isLaneCheck(*instruction, shapes_))
      return false;
    // What has a stride has a value where the first lane is not there, too.
    const Shape shape = shapes_.of(*instruction);
    if (!instruction->getType()->isVoidTy() && !shape.isVarying() && !shape.isUniform()) return false;
    accesses |= instruction->mayReadOrWriteMemory();
  }
  // Code that accesses nothing may be come to by no lane.
  return accesses;
}

// usedElsewhere() are those of the block's instructions whose values others may look up: placeOf() takes addresses of
// other blocks apart as far as additions and extensions.
llvm::SmallPtrSet<const llvm::Instruction *, 16> LaneEmitter::usedElsewhere(llvm::BasicBlock &block) {
  llvm::SmallPtrSet<const llvm::Instruction *, 16> used;
  for (llvm::Instruction &instruction : llvm::reverse(block))
    for (const llvm::User *user : instruction.users()) {
      auto *by = llvm::cast<llvm::Instruction>(user);
      const bool isPart = llvm::isa<llvm::CastInst, llvm::GetElementPtrInst, llvm::BinaryOperator>(by);
      if (by->getParent() != &block || by->isTerminator() || llvm::isa<llvm::PHINode>(by) ||
          (isPart && used.contains(by)))
        used.insert(&instruction);
    }
  return used;
}

// emitTurns() has each lane that is there do all of the block's code. pre: mayTakeTurns(); one is there.
void LaneEmitter::emitTurns(llvm::BasicBlock &block, const llvm::SmallPtrSetImpl<const llvm::Instruction *> &used) {
  const auto own = ownIn(block);
  LaneTurns turns(*this);
  for (llvm::Instruction *instruction : own)
    for (llvm::Value *operand : instruction->operands())
      if (auto *by = llvm::dyn_cast<llvm::Instruction>(operand); !by || !own.contains(by)) turns.take(*operand);
  turns.begin();
  for (llvm::Instruction *instruction : own) turns.copy(*instruction);
  const auto isKept = [&](llvm::Instruction *one) { return shapes_.of(*one).isVarying() && used.contains(one); };
  for (llvm::Instruction *instruction : own)
    if (isKept(instruction)) turns.keep(*instruction);
  turns.end();
  for (llvm::Instruction *instruction : own)
    if (!instruction->getType()->isVoidTy() && (isKept(instruction) || !shapes_.of(*instruction).isVarying()))
      define(*instruction, turns.resultOf(*instruction));
}

}  // namespace hostwarp::compiler
