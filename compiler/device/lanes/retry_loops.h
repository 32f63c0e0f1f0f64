// Loops with a compare-and-exchange, which mostly try until it succeeds, while vectors are made around them.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_RETRY_LOOPS_H
#define HOSTWARP_COMPILER_DEVICE_LANES_RETRY_LOOPS_H

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

namespace hostwarp::compiler {

// RetryLoops makes functions of such loops of a block function's threads. Lanes call them one after the other: all
// lanes in the loop at once would fail again and again where they change the same place.
class RetryLoops {
 public:
  explicit RetryLoops(llvm::Function &function);
  // The functions do not outlive it: it puts them back wherever they are called.
  ~RetryLoops();
  RetryLoops(const RetryLoops &) = delete;
  RetryLoops &operator=(const RetryLoops &) = delete;

  bool hasChanged() const { return !seen_.empty(); }

 private:
  bool setOneApart();
  void setApart(llvm::Loop &loop);

  llvm::Function &function_;
  llvm::SmallVector<llvm::Function *> apart_;
  llvm::SmallPtrSet<llvm::BasicBlock *, 4> seen_;  // headers of loops that were looked at
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_RETRY_LOOPS_H
