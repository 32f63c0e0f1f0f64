// Calls of functions that do for several threads what another does for one.
#include <llvm/Analysis/VectorUtils.h>

#include "compiler/device/lane_functions.h"
#include "compiler/device/lanes/lane_emitter.h"
#include "compiler/device/thread_notes.h"

namespace hostwarp::compiler {

llvm::Function *laneCallee(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call ? notedLanes(*call) : nullptr;
}

// inMemory() is an array of the lanes' values, as long as a register at least.
llvm::Value *LaneEmitter::inMemory(llvm::Value *vector) {
  llvm::IRBuilder<> first(&function_.getEntryBlock(), function_.getEntryBlock().begin());
  llvm::Type *type = vector->getType()->getScalarType();
  if (elementType(type) != type)
    vector = builder_.CreateZExt(vector, vector->getType()->getWithNewType(elementType(type)));
  const auto lanes = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  llvm::AllocaInst *memory =
      first.CreateAlloca(llvm::FixedVectorType::get(elementType(type), std::max(lanes, lanesOfRegister(function_))));
  builder_.CreateStore(vector, memory);
  return memory;
}

// lanesAsBits() has a bit for each lane that is there.
llvm::Value *LaneEmitter::lanesAsBits() {
  llvm::Type *bits = builder_.getIntNTy(width_);
  return lanes_ ? builder_.CreateBitCast(lanes_, bits) : llvm::ConstantInt::getAllOnesValue(bits);
}

// emitLaneCall() calls the lane function, or, where the unit that has the function made none, the function itself for
// one lane after the other.
void LaneEmitter::emitLaneCall(llvm::CallInst &call, llvm::Function &callee) {
  llvm::BasicBlock *together = nullptr, *after = nullptr, *afterEach = nullptr;
  llvm::Value *each = nullptr;
  if (callee.hasExternalWeakLinkage()) {
    together = newBlock("together");
    after = newBlock("called");
    llvm::BasicBlock *oneByOne = newBlock("one_by_one");
    builder_.CreateCondBr(builder_.CreateIsNotNull(&callee), together, oneByOne);
    builder_.SetInsertPoint(oneByOne);
    each = oneByOneOf(call);
    afterEach = builder_.GetInsertBlock();
    builder_.CreateBr(after);
    builder_.SetInsertPoint(together);
  }
  llvm::Value *result = callTogether(call, callee);
  if (after) {
    llvm::BasicBlock *afterTogether = builder_.GetInsertBlock();
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
    if (result) {
      llvm::PHINode *either = builder_.CreatePHI(result->getType(), 2);
      either->addIncoming(result, afterTogether);
      either->addIncoming(each, afterEach);
      result = either;
    }
  }
  if (result) define(call, result);
}

// partOf() are the lanes from `first` on.
llvm::Value *LaneEmitter::partOf(llvm::Value *vector, unsigned first, unsigned lanes) {
  if (lanes == width_) return vector;
  return builder_.CreateShuffleVector(vector, llvm::createSequentialMask(first, lanes, 0));
}

// callTogether() is the lanes' results; null: there are none. The callee takes as many lanes as fill a register.
llvm::Value *LaneEmitter::callTogether(llvm::CallInst &call, llvm::Function &callee) {
  const unsigned each = std::min(width_, lanesOfRegister(function_));
  llvm::Value *bits = lanesAsBits();
  llvm::SmallVector<llvm::Value *> arguments{vectorOf(*notedThread(call))}, results;
  for (llvm::Use &argument : call.args()) arguments.push_back(vectorOf(*argument));
  for (unsigned first = 0; first < width_; first += each) {
    llvm::Value *own = builder_.CreateTrunc(builder_.CreateLShr(bits, first), builder_.getIntNTy(each));
    llvm::SmallVector<llvm::Value *> parts{builder_.CreateZExt(own, builder_.getInt32Ty())};
    for (llvm::Value *argument : arguments) parts.push_back(inMemory(partOf(argument, first, each)));
    if (llvm::Value *result = callPart(call, callee, parts, each)) results.push_back(result);
  }
  return results.empty() ? nullptr : llvm::concatenateVectors(builder_, results);
}

llvm::Value *LaneEmitter::callPart(llvm::CallInst &call, llvm::Function &callee,
                                   llvm::SmallVectorImpl<llvm::Value *> &arguments, unsigned lanes) {
  llvm::Type *type = call.getType();
  llvm::AllocaInst *results = nullptr;
  if (!type->isVoidTy()) {
    llvm::IRBuilder<> first(&function_.getEntryBlock(), function_.getEntryBlock().begin());
    results = first.CreateAlloca(llvm::FixedVectorType::get(elementType(type), lanesOfRegister(function_)));
    arguments.push_back(results);
  }
  builder_.CreateCall(&callee, arguments);
  if (!results) return nullptr;
  llvm::Value *vector = builder_.CreateLoad(llvm::FixedVectorType::get(elementType(type), lanes), results);
  return elementType(type) == type ? vector : builder_.CreateTrunc(vector, llvm::FixedVectorType::get(type, lanes));
}

}  // namespace hostwarp::compiler
