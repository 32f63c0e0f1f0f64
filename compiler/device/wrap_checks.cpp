#include "compiler/device/wrap_checks.h"

#include <llvm/IR/IRBuilder.h>

namespace hostwarp::compiler {

namespace {

// wrapsFromZero(): the last of the numbers has more bits than there are.
llvm::Value *wrapsFromZero(llvm::SCEVExpander &expander, const llvm::SCEVAddRecExpr &number, llvm::Instruction &at) {
  llvm::ScalarEvolution &evolution = *expander.getSE();
  llvm::Type *type = number.getType();
  const llvm::SCEV *turns = evolution.getBackedgeTakenCount(number.getLoop());
  if (llvm::isa<llvm::SCEVCouldNotCompute>(turns)) return llvm::ConstantInt::getTrue(at.getContext());
  llvm::Value *count = expander.expandCodeFor(turns, turns->getType(), &at);
  llvm::Value *step = expander.expandCodeFor(number.getStepRecurrence(evolution), type, &at);
  llvm::IRBuilder<> builder(&at);
  llvm::Value *narrow = builder.CreateZExtOrTrunc(count, type);
  llvm::Value *isCut = builder.CreateICmpNE(builder.CreateZExtOrTrunc(narrow, count->getType()), count);
  llvm::Value *product = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umul_with_overflow, step, narrow);
  return builder.CreateOr(isCut, builder.CreateExtractValue(product, 1));
}

llvm::ArrayRef<const llvm::SCEVPredicate *> partsOf(const llvm::SCEVPredicate &predicate,
                                                    const llvm::SCEVPredicate *const &itself) {
  if (auto *all = llvm::dyn_cast<llvm::SCEVUnionPredicate>(&predicate)) return all->getPredicates();
  return itself;
}

}  // namespace

bool lacksCheck(const llvm::SCEVAddRecExpr &number, llvm::ScalarEvolution &evolution) {
  const llvm::SCEV *step = number.getStepRecurrence(evolution);
  return number.getStart()->isZero() && !step->isOne() && evolution.isKnownPositive(step);
}

llvm::Value *createWrapCheck(llvm::SCEVExpander &expander, const llvm::SCEVPredicate &predicate,
                             llvm::Instruction &at) {
  const llvm::SCEVPredicate *const itself = &predicate;
  llvm::Value *isWrong = expander.expandCodeForPredicate(&predicate, &at);
  for (const llvm::SCEVPredicate *each : partsOf(predicate, itself)) {
    auto *wrap = llvm::dyn_cast<llvm::SCEVWrapPredicate>(each);
    const bool isUnsigned = wrap && (wrap->getFlags() & llvm::SCEVWrapPredicate::IncrementNUSW) != 0;
    if (isUnsigned && lacksCheck(*wrap->getExpr(), *expander.getSE()))
      isWrong = llvm::IRBuilder<>(&at).CreateOr(isWrong, wrapsFromZero(expander, *wrap->getExpr(), at));
  }
  return isWrong;
}

}  // namespace hostwarp::compiler
