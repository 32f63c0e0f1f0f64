// What stands for a value of one thread where several run: a scalar, where it is enough, or a vector.
#include <llvm/IR/Instructions.h>

#include "compiler/device/lanes/lane_emitter.h"

namespace hostwarp::compiler {

llvm::BasicBlock *LaneEmitter::newBlock(const llvm::Twine &name) {
  return llvm::BasicBlock::Create(function_.getContext(), name, &function_, threads_.loop().getHeader());
}

// newMemory() is for what is looked up, newVariable() for what becomes registers.
llvm::AllocaInst *LaneEmitter::newMemory(llvm::Type *type, const llvm::Twine &name) {
  llvm::BasicBlock &first = function_.getEntryBlock();
  return llvm::IRBuilder<>(&first, first.begin()).CreateAlloca(type, nullptr, name);
}

llvm::AllocaInst *LaneEmitter::newVariable(llvm::Type *type, const llvm::Twine &name) {
  variables_.push_back(newMemory(type, name));
  return variables_.back();
}

// phiVariable() is where a phi's value is kept until the code behind the ways to it runs.
llvm::AllocaInst *LaneEmitter::phiVariable(llvm::PHINode &phi) {
  llvm::AllocaInst *&variable = phis_[&phi];
  if (variable) return variable;
  variable = newVariable(typeOf(phi), phi.getName());
  llvm::Loop *loop = loops_.getLoopFor(phi.getParent());
  if (loop->getHeader() != phi.getParent())
    resetAtBeginning(shapes_.graphOf(loop), *variable, llvm::PoisonValue::get(variable->getAllocatedType()));
  return variable;
}

llvm::Type *LaneEmitter::typeOf(const llvm::Instruction &value) {
  return shapes_.of(value).isVarying() ? vectorType(value.getType()) : value.getType();
}

// mayBeUsedElsewhere(): other blocks use the value, or may, since addresses are computed where they are used
// (placeOf()).
bool LaneEmitter::mayBeUsedElsewhere(const llvm::Instruction &instruction) {
  return llvm::any_of(instruction.users(), [&](const llvm::User *user) {
    auto *by = llvm::cast<llvm::Instruction>(user);
    return by->getParent() != instruction.getParent() || by->isTerminator() ||
           llvm::isa<llvm::PHINode, llvm::CastInst, llvm::GetElementPtrInst, llvm::BinaryOperator>(by);
  });
}

// define() notes what stands for the value. Where its block may be jumped over, others take it from a variable.
void LaneEmitter::define(llvm::Instruction &original, llvm::Value *value) {
  values_[&original] = value;
  if (isVersion_) return;
  const TurnGraph &graph = shapes_.graphAround(original.getParent());
  const bool mayBeSkipped = maskOf(graph, graph.nodes()[graph.nodeOf(original.getParent())].leader).skips;
  // Others than its users may want a scalar (firstOf()).
  if (!mayBeSkipped || (value->getType()->isVectorTy() && !mayBeUsedElsewhere(original))) return;
  llvm::AllocaInst *variable = newVariable(value->getType(), original.getName());
  kept_[&original] = variable;
  resetAtBeginning(graph, *variable, llvm::PoisonValue::get(value->getType()));
  builder_.CreateStore(value, variable);
}

llvm::Value *LaneEmitter::lookUp(llvm::Value &value) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || !threads_.loop().contains(instruction)) return &value;
  const auto kept = kept_.find(instruction);
  if (kept == kept_.end() || instruction->getParent() == block_) return values_.lookup(instruction);
  return builder_.CreateLoad(kept->second->getAllocatedType(), kept->second);
}

// scalarOf() is the value that all lanes have, or the first lane's of one that has a stride.
llvm::Value *LaneEmitter::scalarOf(llvm::Value &value) { return assumed_ ? firstOf(value) : lookUp(value); }

llvm::Value *LaneEmitter::vectorOf(llvm::Value &value) {
  const Shape shape = shapeOf(value);
  if (shape.isVarying()) return lookUp(value);
  llvm::Value *known = scalarOf(value);
  llvm::Value *vector = builder_.CreateVectorSplat(width_, known);
  if (shape.isUniform()) return vector;
  if (!value.getType()->isPointerTy()) return builder_.CreateAdd(vector, laneNumbers(value.getType(), shape.stride()));
  return builder_.CreateGEP(builder_.getInt8Ty(), vector, laneNumbers(builder_.getInt64Ty(), shape.stride()));
}

llvm::Constant *LaneEmitter::splat(llvm::Constant *value) const {
  return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(width_), value);
}

// laneNumbers() is 0, 1, 2 ... times the stride.
llvm::Value *LaneEmitter::laneNumbers(llvm::Type *type, int64_t stride) {
  llvm::SmallVector<llvm::Constant *> numbers;
  const llvm::APInt each(64, static_cast<uint64_t>(stride), true);
  for (unsigned lane = 0; lane < width_; ++lane)
    numbers.push_back(
        llvm::ConstantInt::get(type->getContext(), (each * lane).sextOrTrunc(type->getIntegerBitWidth())));
  return llvm::ConstantVector::get(numbers);
}

}  // namespace hostwarp::compiler
