// Whether numbers that vectors take to follow each other wrap around.
#ifndef HOSTWARP_COMPILER_DEVICE_WRAP_CHECKS_H
#define HOSTWARP_COMPILER_DEVICE_WRAP_CHECKS_H

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace hostwarp::compiler {

// lacksCheck(): LLVM 19 takes an unsigned number that begins at 0 and grows by more than 1 for one that never wraps.
bool lacksCheck(const llvm::SCEVAddRecExpr &number, llvm::ScalarEvolution &evolution);

// createWrapCheck() makes code in front of `at` that is true where the predicate does not hold.
llvm::Value *createWrapCheck(llvm::SCEVExpander &expander, const llvm::SCEVPredicate &predicate, llvm::Instruction &at);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_WRAP_CHECKS_H
