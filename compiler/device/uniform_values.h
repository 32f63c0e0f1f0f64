// Which values are the same in all threads of a block that execute the same instruction.
#ifndef HOSTWARP_COMPILER_DEVICE_UNIFORM_VALUES_H
#define HOSTWARP_COMPILER_DEVICE_UNIFORM_VALUES_H

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace hostwarp::compiler {

// UniformValues assumes the worst where it does not know: what is read from memory differs between threads, and so does
// what depends on `sources`, by its operands or by the way control reached it.
class UniformValues {
 public:
  UniformValues(llvm::Function &function, llvm::ArrayRef<llvm::Value *> sources);

  bool isUniform(const llvm::Value &value) const { return !varying_.contains(&value); }
  // separates(): threads may leave the block by different edges.
  bool separates(const llvm::BasicBlock &block) const;
  // meeting() is where the threads that a block has separated come together again; null where some never do.
  llvm::BasicBlock *meeting(llvm::BasicBlock &block) const;
  const llvm::LoopInfo &loops() const { return loops_; }

 private:
  void mark(llvm::Value &value);
  void markJoins(llvm::BasicBlock &branch);
  void markLeftLoops(llvm::BasicBlock &branch);
  llvm::DenseSet<llvm::BasicBlock *> reachable(llvm::BasicBlock &from, const llvm::BasicBlock *until) const;

  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree postDominators_;
  llvm::LoopInfo loops_;
  llvm::DenseSet<const llvm::Value *> varying_;
  llvm::SmallVector<llvm::Value *> work_;
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_UNIFORM_VALUES_H
