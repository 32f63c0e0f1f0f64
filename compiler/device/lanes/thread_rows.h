// Rows of memory that threads have for themselves.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_THREAD_ROWS_H
#define HOSTWARP_COMPILER_DEVICE_LANES_THREAD_ROWS_H

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

namespace hostwarp::compiler {

// ThreadRows tells whether what threads go through lies within rows that are as far apart as they are long: of
// `a[t * n + i]` with i below n each thread has a row of its own. It takes for granted that indices do not leave their
// type's range, and that rows lie in the order of their threads where how far apart they are is not known: what is
// wrong then is a program that races.
class ThreadRows {
 public:
  ThreadRows(const llvm::Loop &threads, llvm::ScalarEvolution &evolution) : threads_(threads), evolution_(evolution) {}

  // areApart(): no thread accesses at `left` what another does at `right`, in whatever turns. pre: both are addresses
  // of one object; the sizes are in bytes.
  bool areApart(llvm::Value &left, uint64_t leftSize, llvm::Value &right, uint64_t rightSize) const;

 private:
  // Place is how far two neighbours' addresses are apart, and where the first thread's are; null: not known.
  struct Place {
    const llvm::SCEV *distance = nullptr, *within = nullptr;
  };
  enum class End { Lowest, Highest };

  Place placeOf(const llvm::SCEV &expression) const;
  Place placeOfSum(const llvm::SCEV &sum) const;
  Place placeOfProduct(const llvm::SCEV &product) const;
  const llvm::SCEV *furthest(const llvm::SCEV &expression, End end) const;
  const llvm::SCEV *furthestOfWalk(const llvm::SCEVAddRecExpr &walk, End end) const;
  const llvm::SCEV *furthestOfSum(const llvm::SCEV &sum, End end) const;
  const llvm::SCEV *signExtended(const llvm::SCEV &expression) const;
  bool isWithin(const llvm::SCEV &distance, const llvm::SCEV *highest, uint64_t size, const llvm::SCEV *lowest) const;

  const llvm::Loop &threads_;
  llvm::ScalarEvolution &evolution_;
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_THREAD_ROWS_H
