// A loop over threads, as the vectoriser needs it.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_THREAD_LOOP_H
#define HOSTWARP_COMPILER_DEVICE_LANES_THREAD_LOOP_H

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/IVDescriptors.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

#include <string>

namespace hostwarp::compiler {

// ThreadLoop says what becomes of the variables that the loop's header has, from one thread to the next.
class ThreadLoop {
 public:
  enum class Role {
    Counter,    // goes up by the same constant for each thread
    Reduction,  // minimum, maximum, and, or of all threads' values
    Last,       // the value of the last thread that has one to give, which is the same for all that do
  };
  struct Variable {
    Role role;
    int64_t step = 0;                                   // of a counter; for pointers in bytes
    llvm::RecurKind reduction = llvm::RecurKind::None;  // of a reduction
    llvm::Instruction *result = nullptr;                // what the turn makes of the variable
  };

  ThreadLoop(llvm::Loop &loop, llvm::ScalarEvolution &evolution);

  // whyNot() is empty when the loop has the form that is needed.
  const std::string &whyNot() const { return whyNot_; }
  llvm::Loop &loop() const { return loop_; }
  const llvm::MapVector<llvm::PHINode *, Variable> &variables() const { return variables_; }
  // turns() is how many threads there are.
  const llvm::SCEV *turns() const { return turns_; }
  // lastOf() is the variable of the role Last that the value becomes; null: none.
  llvm::PHINode *lastOf(const llvm::Value &value) const;

 private:
  bool classify(llvm::PHINode &phi, llvm::ScalarEvolution &evolution);
  bool isCounter(llvm::PHINode &phi, llvm::ScalarEvolution &evolution, Variable &variable) const;
  bool isReduction(llvm::PHINode &phi, llvm::ScalarEvolution &evolution, Variable &variable) const;
  bool isLast(llvm::PHINode &phi, Variable &variable) const;

  llvm::Loop &loop_;
  llvm::MapVector<llvm::PHINode *, Variable> variables_;
  const llvm::SCEV *turns_ = nullptr;
  std::string whyNot_;
};

// isThreadLoop(): block functions have marked the loop as one whose turns are threads that may run side by side.
bool isThreadLoop(const llvm::Loop &loop);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_THREAD_LOOP_H
