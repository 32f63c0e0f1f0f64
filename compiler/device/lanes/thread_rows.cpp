#include "compiler/device/lanes/thread_rows.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>

namespace hostwarp::compiler {

namespace {

// Numbers of fewer bits wrap around in programs: a loop of an unsigned char goes on to 200.
constexpr unsigned leastBits = 32;

bool isWide(const llvm::SCEV &number) { return number.getType()->getScalarSizeInBits() >= leastBits; }

// SignedOnly replaces extensions by signed ones, so that one number has one expression.
class SignedOnly : public llvm::SCEVRewriteVisitor<SignedOnly> {
 public:
  using SCEVRewriteVisitor::SCEVRewriteVisitor;
  const llvm::SCEV *visitZeroExtendExpr(const llvm::SCEVZeroExtendExpr *extension) {
    const llvm::SCEV *number = extension->getOperand();
    return isWide(*number) ? SE.getSignExtendExpr(visit(number), extension->getType()) : extension;
  }
};

}  // namespace

// placeOf() takes an address or index apart. Numbers that are extended may be so part by part, since none wraps.
ThreadRows::Place ThreadRows::placeOf(const llvm::SCEV &expression) const {
  const llvm::SCEV *zero = evolution_.getZero(evolution_.getEffectiveSCEVType(expression.getType()));
  if (evolution_.isLoopInvariant(&expression, &threads_)) return {zero, &expression};
  if (auto *walk = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&expression)) {
    if (!walk->isAffine()) return {};
    const llvm::SCEV *step = walk->getStepRecurrence(evolution_);
    if (!evolution_.isLoopInvariant(step, &threads_)) return {};
    if (walk->getLoop() == &threads_) return {step, walk->getStart()};
    const Place start = placeOf(*walk->getStart());
    if (!start.distance) return {};
    return {start.distance, evolution_.getAddRecExpr(start.within, step, walk->getLoop(), llvm::SCEV::FlagAnyWrap)};
  }
  if (auto *cast = llvm::dyn_cast<llvm::SCEVIntegralCastExpr>(&expression)) {
    if (llvm::isa<llvm::SCEVTruncateExpr>(cast) || !isWide(*cast->getOperand())) return {};
    const Place inner = placeOf(*cast->getOperand());
    if (!inner.distance) return {};
    return {evolution_.getSignExtendExpr(inner.distance, cast->getType()),
            evolution_.getSignExtendExpr(inner.within, cast->getType())};
  }
  if (llvm::isa<llvm::SCEVAddExpr>(expression)) return placeOfSum(expression);
  return llvm::isa<llvm::SCEVMulExpr>(expression) ? placeOfProduct(expression) : Place();
}

ThreadRows::Place ThreadRows::placeOfSum(const llvm::SCEV &sum) const {
  llvm::SmallVector<const llvm::SCEV *> distances, within;
  for (const llvm::SCEV *part : sum.operands()) {
    const Place place = placeOf(*part);
    if (!place.distance) return {};
    distances.push_back(place.distance);
    within.push_back(place.within);
  }
  return {evolution_.getAddExpr(distances), evolution_.getAddExpr(within)};
}

ThreadRows::Place ThreadRows::placeOfProduct(const llvm::SCEV &product) const {
  const llvm::SCEV *factor = evolution_.getOne(product.getType()), *stepping = nullptr;
  for (const llvm::SCEV *part : product.operands()) {
    if (evolution_.isLoopInvariant(part, &threads_))
      factor = evolution_.getMulExpr(factor, part);
    else if (std::exchange(stepping, part))
      return {};
  }
  const Place place = placeOf(*stepping);
  if (!place.distance) return {};
  return {evolution_.getMulExpr(factor, place.distance), evolution_.getMulExpr(factor, place.within)};
}

// furthest() is where a thread's walk through its row begins or ends; null: not known.
const llvm::SCEV *ThreadRows::furthest(const llvm::SCEV &expression, End end) const {
  if (evolution_.isLoopInvariant(&expression, &threads_)) return &expression;
  if (auto *walk = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&expression)) return furthestOfWalk(*walk, end);
  if (auto *cast = llvm::dyn_cast<llvm::SCEVIntegralCastExpr>(&expression)) {
    if (llvm::isa<llvm::SCEVTruncateExpr>(cast) || !isWide(*cast->getOperand())) return nullptr;
    const llvm::SCEV *inner = furthest(*cast->getOperand(), end);
    return inner ? evolution_.getSignExtendExpr(inner, cast->getType()) : nullptr;
  }
  if (auto *product = llvm::dyn_cast<llvm::SCEVMulExpr>(&expression)) {
    auto *factor = llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0));
    if (!factor || product->getNumOperands() != 2) return nullptr;
    const End other = end == End::Lowest ? End::Highest : End::Lowest;
    const llvm::SCEV *inner = furthest(*product->getOperand(1), factor->getAPInt().isNegative() ? other : end);
    return inner ? evolution_.getMulExpr(factor, inner) : nullptr;
  }
  return llvm::isa<llvm::SCEVAddExpr>(expression) ? furthestOfSum(expression, end) : nullptr;
}

const llvm::SCEV *ThreadRows::furthestOfSum(const llvm::SCEV &sum, End end) const {
  llvm::SmallVector<const llvm::SCEV *> parts;
  for (const llvm::SCEV *part : sum.operands()) {
    parts.push_back(furthest(*part, end));
    if (!parts.back()) return nullptr;
  }
  return evolution_.getAddExpr(parts);
}

const llvm::SCEV *ThreadRows::furthestOfWalk(const llvm::SCEVAddRecExpr &walk, End end) const {
  const llvm::SCEV *step = walk.getStepRecurrence(evolution_), *last = walk.getStart();
  const bool goesUp = evolution_.isKnownPositive(step);
  if (!goesUp && !evolution_.isKnownNegative(step)) return nullptr;
  if (goesUp == (end == End::Highest)) {
    const llvm::SCEV *turns = evolution_.getSymbolicMaxBackedgeTakenCount(walk.getLoop());
    if (llvm::isa<llvm::SCEVCouldNotCompute>(turns)) return nullptr;
    turns = evolution_.getTruncateOrZeroExtend(turns, step->getType());
    last = evolution_.getAddExpr(last, evolution_.getMulExpr(step, turns));
  }
  // What it begins with, or how long it is, may go through loops around.
  return furthest(*last, end);
}

const llvm::SCEV *ThreadRows::signExtended(const llvm::SCEV &expression) const {
  return SignedOnly(evolution_).visit(&expression);
}

bool ThreadRows::isWithin(const llvm::SCEV &distance, const llvm::SCEV *highest, uint64_t size,
                          const llvm::SCEV *lowest) const {
  if (!highest || !lowest) return false;
  const llvm::SCEV *behind = evolution_.getAddExpr(highest, evolution_.getConstant(highest->getType(), size));
  const llvm::SCEV *length = evolution_.getMinusSCEV(signExtended(*behind), signExtended(*lowest));
  return evolution_.isKnownNonNegative(evolution_.getMinusSCEV(signExtended(distance), length));
}

bool ThreadRows::areApart(llvm::Value &left, uint64_t leftSize, llvm::Value &right, uint64_t rightSize) const {
  const llvm::SCEV *places[] = {evolution_.removePointerBase(evolution_.getSCEV(&left)),
                                evolution_.removePointerBase(evolution_.getSCEV(&right))};
  const Place one = placeOf(*places[0]), other = placeOf(*places[1]);
  if (!one.distance || !other.distance) return false;
  const llvm::SCEV *distance = signExtended(*one.distance);
  if (distance != signExtended(*other.distance) || distance->isZero()) return false;
  if (evolution_.isKnownNegative(distance)) distance = evolution_.getNegativeSCEV(distance);
  return isWithin(*distance, furthest(*one.within, End::Highest), leftSize, furthest(*other.within, End::Lowest)) &&
         isWithin(*distance, furthest(*other.within, End::Highest), rightSize, furthest(*one.within, End::Lowest));
}

}  // namespace hostwarp::compiler
