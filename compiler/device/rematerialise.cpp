// Computes again what is cheaper to compute than to keep. What all regions of a block function have in common, such as
// the addresses of the frame's arrays, moves to its beginning, and is needed at its end: in functions of a hundred
// regions more than a thousand values were alive everywhere, all of them in memory, and LLVM's search for where each is
// best kept took most of the time of compilation.
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// A value that is needed no more than as many blocks behind its own stays where it is.
constexpr unsigned farOff = 32;
// One that is needed in more places than this is one of the few that may stay alive: copies are code, too.
constexpr unsigned mostPlaces = 16;
// In a loop of at most as many blocks it is one of the few that are alive.
constexpr unsigned smallLoop = 16;

// hasUndefined(): each copy might take another value.
bool hasUndefined(const llvm::Instruction &instruction) {
  return llvm::any_of(instruction.operands(), [](const llvm::Use &operand) {
    return llvm::isa<llvm::UndefValue>(operand) && !llvm::isa<llvm::PoisonValue>(operand);
  });
}

// isBroadcast(): it gives all lanes one value, or is the first half of what does.
bool isBroadcast(const llvm::Instruction &instruction) {
  if (auto *shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) return shuffle->isZeroEltSplat();
  auto *insertion = llvm::dyn_cast<llvm::InsertElementInst>(&instruction);
  return insertion && llvm::isa<llvm::PoisonValue>(insertion->getOperand(0)) &&
         llvm::isa<llvm::ConstantInt>(insertion->getOperand(2));
}

// isCheap(): it takes about as long to compute as to read from the stack.
bool isCheap(const llvm::Instruction &instruction) {
  if (hasUndefined(instruction)) return false;
  if (instruction.getType()->isVectorTy()) return isBroadcast(instruction);
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return address->getNumIndices() == 1;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      return llvm::isa<llvm::ConstantInt>(instruction.getOperand(1));
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
    case llvm::Instruction::ICmp:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
    case llvm::Instruction::Trunc:
      return instruction.getType()->isIntegerTy();
    default:
      return false;
  }
}

class Rematerialisation {
 public:
  explicit Rematerialisation(llvm::Function &function) : dominators_(function), loops_(dominators_) {
    const llvm::ReversePostOrderTraversal<llvm::Function *> order(&function);
    for (llvm::BasicBlock *block : order) {
      places_[block] = static_cast<unsigned>(inOrder_.size());
      inOrder_.push_back(block);
    }
  }

  // run() looks at users before what they use: their copies bring their operands along.
  void run() {
    for (llvm::BasicBlock *block : llvm::reverse(inOrder_))
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::reverse(*block)))
        if (isCheap(instruction)) bringToUsers(instruction);
  }

 private:
  bool isFar(const llvm::BasicBlock &from, const llvm::BasicBlock &to) const {
    const auto place = places_.find(&to);
    return place != places_.end() && place->second > places_.lookup(&from) + farOff;
  }

  // outsideOf() is where a value is computed that `user` needs: in front of the largest small loop that it stands in
  // and the value does not. A comparison goes to its branch, which it is one instruction with.
  llvm::BasicBlock *outsideOf(const llvm::Instruction &value, llvm::BasicBlock *user) const {
    if (llvm::isa<llvm::ICmpInst>(value)) return user;
    llvm::BasicBlock *outside = user;
    for (llvm::Loop *loop = loops_.getLoopFor(user); loop && loop->getNumBlocks() <= smallLoop;
         loop = loop->getParentLoop()) {
      llvm::BasicBlock *before = loop->getLoopPreheader();
      if (!before || loop->contains(value.getParent())) break;
      outside = before;
    }
    return outside;
  }

  void bringToUsers(llvm::Instruction &value) {
    llvm::SmallMapVector<llvm::BasicBlock *, llvm::SmallVector<llvm::Use *>, 8> far;
    for (llvm::Use &use : value.uses()) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
      llvm::BasicBlock *place = outsideOf(value, block);
      if (isFar(*value.getParent(), *place)) far[place].push_back(&use);
    }
    if (far.size() > mostPlaces) return;
    for (const auto &[place, uses] : far) {
      llvm::Instruction *copy = copyTo(value, *place);
      for (llvm::Use *use : uses) use->set(copy);
    }
    if (value.use_empty()) value.eraseFromParent();
  }

  static llvm::Instruction *copyTo(const llvm::Instruction &value, llvm::BasicBlock &place) {
    llvm::Instruction *copy = value.clone();
    copy->insertBefore(place, place.getFirstInsertionPt());
    copy->setName(value.getName());
    return copy;
  }

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::vector<llvm::BasicBlock *> inOrder_;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> places_;
};

}  // namespace

void rematerialise(llvm::Function &function) {
  if (!function.isDeclaration() && function.hasFnAttribute(runsBlock)) Rematerialisation(function).run();
}

void rematerialiseAll(llvm::Module &module) {
  for (llvm::Function &function : module) rematerialise(function);
}

}  // namespace hostwarp::compiler
