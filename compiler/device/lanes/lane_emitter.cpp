#include "compiler/device/lanes/lane_emitter.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/device/loop_properties.h"
#include "compiler/device/wrap_checks.h"

namespace hostwarp::compiler {

LaneEmitter::LaneEmitter(const ThreadLoop &threads, const LaneShapes &shapes, llvm::LoopInfo &loops,
                         llvm::PredicatedScalarEvolution &evolution, unsigned lanes, bool isBrief, Rest rest)
    : threads_(threads),
      shapes_(shapes),
      loops_(loops),
      evolution_(evolution),
      width_(lanes),
      patterns_(shapes, lanes),
      isBrief_(isBrief),
      rest_(rest),
      function_(*threads.loop().getHeader()->getParent()),
      builder_(function_.getContext()) {}

void LaneEmitter::emit() {
  makeFrame();
  startVariables();
  present_ = present();
  Turn turn{&shapes_.graphOf(&threads_.loop()), present_};
  emitTurn(turn);
  countOn();
  joinRest();
  llvm::DominatorTree dominators(function_);
  llvm::PromoteMemToReg(variables_, dominators);
}

// makeFrame() makes what is around the loop: how many threads it takes, and whether there is one turn at least.
void LaneEmitter::makeFrame() {
  preheader_ = threads_.loop().getLoopPreheader();
  llvm::SCEVExpander expander(*evolution_.getSE(), function_.getParent()->getDataLayout(), "threads");
  turns_ = expander.expandCodeFor(threads_.turns(), threads_.turns()->getType(), preheader_->getTerminator());
  entry_ = newBlock("lanes.entry");
  header_ = newBlock("lanes");
  middle_ = newBlock("lanes.end");
  builder_.SetInsertPoint(preheader_->getTerminator());
  llvm::Type *type = turns_->getType();
  const auto full = llvm::ConstantInt::getSigned(type, -static_cast<int64_t>(width_));
  taken_ = rest_ != Rest::OneByOne ? turns_ : builder_.CreateAnd(turns_, full, "taken");
  if (rest_ != Rest::None && !evolution_.getPredicate().isAlwaysTrue()) {
    llvm::Value *isWrong = createWrapCheck(expander, evolution_.getPredicate(), *preheader_->getTerminator());
    builder_.SetInsertPoint(preheader_->getTerminator());
    taken_ = builder_.CreateSelect(isWrong, llvm::ConstantInt::get(type, 0), taken_);
  }
  builder_.SetInsertPoint(header_);
  counted_ = builder_.CreatePHI(type, 2, "counted");
  counted_->addIncoming(llvm::ConstantInt::get(type, 0), entry_);
}

// present() are the lanes that have a thread; null: all.
llvm::Value *LaneEmitter::present() {
  if (rest_ != Rest::Masked) return nullptr;
  llvm::Value *left = builder_.CreateSub(turns_, counted_);
  return builder_.CreateICmpULT(laneNumbers(left->getType(), 1), builder_.CreateVectorSplat(width_, left), "present");
}

// startVariables() gives the header's variables their first values.
void LaneEmitter::startVariables() {
  for (const auto &[phi, variable] : threads_.variables()) {
    llvm::Value *start = phi->getIncomingValueForBlock(preheader_);
    if (variable.role == ThreadLoop::Role::Counter) {
      builder_.SetInsertPoint(header_);
      llvm::PHINode *first = builder_.CreatePHI(phi->getType(), 2, phi->getName());
      first->addIncoming(start, entry_);
      started_[phi] = first;
      values_[phi] = first;
      continue;
    }
    builder_.SetInsertPoint(entry_);
    const bool isVector = variable.role == ThreadLoop::Role::Reduction;
    builder_.CreateStore(isVector ? builder_.CreateVectorSplat(width_, start) : start, phiVariable(*phi));
    if (!isVector) continue;
    const Sum sum{newVariable(phi->getType(), "common"), newVariable(builder_.getInt1Ty(), "has_vectors"), nullptr};
    builder_.CreateStore(start, sum.common);
    builder_.CreateStore(builder_.getFalse(), sum.hasVectors);
    sums_[phi] = sum;
  }
  builder_.SetInsertPoint(entry_);
  builder_.CreateBr(header_);
  builder_.SetInsertPoint(header_);
}

void LaneEmitter::emitTurn(Turn &turn) {
  turn_ = &turn;
  open_ = nullptr;
  llvm::BasicBlock *code = newBlock("turn");
  beginnings_[turn.graph] = builder_.GetInsertBlock();
  builder_.CreateBr(code);
  builder_.SetInsertPoint(code);
  if (turn.goOn) resetAtBeginning(*turn.graph, *turn.goOn, llvm::Constant::getNullValue(turn.goOn->getAllocatedType()));
  const std::vector<TurnGraph::Node> &nodes = turn.graph->nodes();
  for (unsigned i = 0; i < nodes.size(); ++i) {
    open(maskOf(*turn.graph, nodes[i].leader));
    if (nodes[i].loop)
      emitLoop(*nodes[i].loop);
    else
      emitBlock(*nodes[i].block);
  }
  close();
}

// emitLoop() makes a loop that goes on while any lane does.
void LaneEmitter::emitLoop(llvm::Loop &loop) {
  const bool isDivergent = shapes_.isDivergent(&loop);
  llvm::Type *i1 = builder_.getInt1Ty(), *type = isDivergent ? vectorType(i1) : i1;
  Turn turn{&shapes_.graphOf(&loop), lanes_, newVariable(type, "go_on")};
  llvm::AllocaInst *live = isDivergent ? newVariable(type, "live") : nullptr;
  if (live) builder_.CreateStore(lanes_ ? lanes_ : allLanes(), live);
  llvm::BasicBlock *head = newBlock("loop"), *after = newBlock("loop.end");
  builder_.CreateBr(head);
  builder_.SetInsertPoint(head);
  if (live) turn.lanes = builder_.CreateLoad(type, live);
  Turn *outer = turn_;
  Mask *open = open_;
  llvm::BasicBlock *skipped = skipped_;
  llvm::Value *lanes = lanes_;
  emitTurn(turn);
  llvm::Value *goOn = builder_.CreateLoad(type, turn.goOn);
  if (live) builder_.CreateStore(goOn, live);
  builder_.CreateCondBr(live ? isAny(goOn) : goOn, head, after);
  builder_.SetInsertPoint(after);
  turn_ = outer;
  open_ = open;
  skipped_ = skipped;
  lanes_ = lanes;
}

void LaneEmitter::emitBlock(llvm::BasicBlock &block) {
  block_ = &block;
  for (llvm::PHINode &phi : block.phis())
    if (!started_.contains(&phi)) define(phi, builder_.CreateLoad(typeOf(phi), phiVariable(phi)));
  ahead_.clear();
  const LaneAssumptions assumptions(shapes_, *evolution_.getSE(), block, width_, !lanes_, reducedIn(block));
  const bool mayAskForAll = !present_ && !function_.hasOptSize() && block.size() <= LaneAssumptions::mostOfBlock;
  assumed_ = &assumptions;
  groups_ = lanes_ && !mayAskForAll ? nullptr : findGroups(block);
  assumed_ = nullptr;
  if (!assumptions.pivots().empty() || (lanes_ && groups_ && !groups_->empty()))
    emitVersions(block, assumptions);
  else
    emitInstructions(block);
  leave(block);
  block_ = nullptr;
}

// open() begins the code that the lanes of a mask execute, unless the code before was theirs, too.
void LaneEmitter::open(Mask &mask) {
  if (open_ == &mask) return;
  close();
  open_ = &mask;
  lanes_ = mask.partial ? builder_.CreateLoad(mask.lanes->getAllocatedType(), mask.lanes) : turn_->lanes;
  if (!mask.skips) return;
  llvm::BasicBlock *code = newBlock("any");
  skipped_ = newBlock("none");
  llvm::Value *any = mask.partial ? isAny(lanes_) : builder_.CreateLoad(builder_.getInt1Ty(), mask.any);
  builder_.CreateCondBr(any, code, skipped_);
  builder_.SetInsertPoint(code);
}

void LaneEmitter::close() {
  if (open_ && open_->skips) {
    builder_.CreateBr(skipped_);
    builder_.SetInsertPoint(skipped_);
  }
  open_ = nullptr;
}

// maskOf() is that of a leader.
LaneEmitter::Mask &LaneEmitter::maskOf(const TurnGraph &graph, unsigned leader) {
  const auto [found, isNew] = masks_.try_emplace({&graph, leader});
  Mask &mask = found->second;
  if (!isNew) return mask;
  mask.always = leader == 0;
  if (mask.always) return mask;
  mask.partial = shapes_.isPartial(graph, leader);
  mask.skips = !isCheap(graph, leader);
  llvm::Type *i1 = builder_.getInt1Ty(), *type = mask.partial ? vectorType(i1) : i1;
  llvm::AllocaInst *variable = newVariable(type, "mask");
  (mask.partial ? mask.lanes : mask.any) = variable;
  resetAtBeginning(graph, *variable, llvm::Constant::getNullValue(type));
  return mask;
}

// isCheap(): the code may as well run where no lane comes. What it hands to others is masked then. What is done lane by
// lane needs one.
bool LaneEmitter::isCheap(const TurnGraph &graph, unsigned leader) const {
  if (!shapes_.isPartial(graph, leader)) return false;
  for (const TurnGraph::Node &node : graph.nodes())
    if (node.leader == leader && (node.loop || !isCheap(*node.block))) return false;
  return true;
}

bool LaneEmitter::isCheap(const llvm::BasicBlock &block) const {
  constexpr unsigned most = 6;
  unsigned count = 0;
  for (const llvm::Instruction &instruction : block) {
    if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator()) continue;
    const bool isHarmless = llvm::isSafeToSpeculativelyExecute(&instruction) && !runsOneByOne(instruction);
    if (++count > most || instruction.mayReadOrWriteMemory() || !isHarmless) return false;
  }
  for (const llvm::BasicBlock *next : llvm::successors(&block))
    for (const llvm::PHINode &phi : next->phis())
      if (!shapes_.of(phi).isVarying()) return false;
  return true;
}

void LaneEmitter::leave(llvm::BasicBlock &block) {
  llvm::SmallPtrSet<llvm::BasicBlock *, 4> seen;
  for (llvm::BasicBlock *next : llvm::successors(&block))
    if (seen.insert(next).second && threads_.loop().contains(next) && next != threads_.loop().getHeader())
      goTo(block, *next, conditionOf(block, *next));
}

// graphEntered() is the graph in which the edge leads to a node.
const TurnGraph &LaneEmitter::graphEntered(const llvm::BasicBlock &from, llvm::BasicBlock &to) const {
  llvm::Loop *loop = loops_.getLoopFor(&to);
  return shapes_.graphOf(loop->getHeader() == &to && !loop->contains(&from) ? loop->getParentLoop() : loop);
}

void LaneEmitter::goTo(llvm::BasicBlock &from, llvm::BasicBlock &to, Condition condition) {
  if (&to == turn_->graph->loop().getHeader()) {
    handOverToLoop(from, to);
    const bool isDivergent = shapes_.isDivergent(&turn_->graph->loop());
    llvm::Value *scalar = condition.value ? condition.value : builder_.getTrue();
    builder_.CreateStore(isDivergent ? lanesThat(condition) : scalar, turn_->goOn);
    return;
  }
  const TurnGraph &graph = graphEntered(from, to);
  const unsigned node = graph.nodeOf(&to);
  if (const unsigned leader = graph.nodes()[node].leader; leader == node && leader != 0)
    addToMask(maskOf(graph, leader), condition);
  if (graph.nodes()[node].loop)
    handOverToLoop(from, to);
  else
    handOver(from, to, condition);
}

void LaneEmitter::addToMask(Mask &mask, Condition condition) {
  llvm::AllocaInst *variable = mask.partial ? mask.lanes : mask.any;
  // Where lanes leave a loop in different turns and come together behind it, all of them do.
  const bool isScalar = condition.value && !condition.value->getType()->isVectorTy();
  llvm::Value *more = mask.partial ? lanesThat(condition) : isScalar ? condition.value : builder_.getTrue();
  llvm::Value *known = builder_.CreateLoad(variable->getAllocatedType(), variable);
  builder_.CreateStore(builder_.CreateOr(known, more), variable);
}

// handOverToLoop() gives a loop's variables their values for the next turn, or the first.
void LaneEmitter::handOverToLoop(llvm::BasicBlock &from, llvm::BasicBlock &header) {
  llvm::SmallVector<std::pair<llvm::Value *, llvm::AllocaInst *>> values;
  for (llvm::PHINode &phi : header.phis()) {
    llvm::Value &value = *phi.getIncomingValueForBlock(&from);
    values.emplace_back(shapes_.of(phi).isVarying() ? vectorOf(value) : scalarOf(value), phiVariable(phi));
  }
  for (auto [value, variable] : values) builder_.CreateStore(value, variable);
}

void LaneEmitter::handOver(llvm::BasicBlock &from, llvm::BasicBlock &to, Condition condition) {
  for (llvm::PHINode &phi : to.phis()) {
    llvm::AllocaInst *variable = phiVariable(phi);
    llvm::Value *before = builder_.CreateLoad(variable->getAllocatedType(), variable);
    builder_.CreateStore(chosen(phi, from, condition, before), variable);
  }
}

// chosen() is what the phi has when lanes have gone this way, in which the others keep what they had.
llvm::Value *LaneEmitter::chosen(llvm::PHINode &phi, llvm::BasicBlock &from, Condition condition,
                                 llvm::Value *otherwise) {
  llvm::Value &value = *phi.getIncomingValueForBlock(&from);
  const bool isScalarChoice = condition.value && !condition.value->getType()->isVectorTy();
  if (!shapes_.of(phi).isVarying()) {
    llvm::Value *scalar = scalarOf(value);
    // Where lanes part and the value is uniform all the same, there is only one.
    return isScalarChoice && !comesOnlyFrom(from, *phi.getParent())
               ? builder_.CreateSelect(condition.value, scalar, otherwise)
               : scalar;
  }
  llvm::Value *vector = vectorOf(value);
  if (comesOnlyFrom(from, *phi.getParent()) && !leavesDivergentLoop(from, *phi.getParent())) return vector;
  if (!lanes_ && (!condition.value || isScalarChoice))
    return condition.value ? builder_.CreateSelect(condition.value, vector, otherwise) : vector;
  return builder_.CreateSelect(lanesThat(condition), vector, otherwise);
}

bool LaneEmitter::comesOnlyFrom(llvm::BasicBlock &from, llvm::BasicBlock &to) const {
  return llvm::all_of(llvm::predecessors(&to), [&](llvm::BasicBlock *before) { return before == &from; });
}

bool LaneEmitter::leavesDivergentLoop(llvm::BasicBlock &from, llvm::BasicBlock &to) const {
  for (llvm::Loop *loop = loops_.getLoopFor(&from); !loop->contains(&to); loop = loop->getParentLoop())
    if (shapes_.isDivergent(loop)) return true;
  return false;
}

LaneEmitter::Condition LaneEmitter::conditionOf(llvm::BasicBlock &from, llvm::BasicBlock &to) {
  llvm::Instruction *end = from.getTerminator();
  if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(end)) return switchCondition(*choice, to);
  auto *branch = llvm::cast<llvm::BranchInst>(end);
  if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return {};
  llvm::Value &decision = *branch->getCondition();
  llvm::Value *value = shapes_.of(decision).isVarying() ? vectorOf(decision) : scalarOf(decision);
  return {branch->getSuccessor(0) == &to ? value : builder_.CreateNot(value)};
}

LaneEmitter::Condition LaneEmitter::switchCondition(llvm::SwitchInst &choice, llvm::BasicBlock &to) {
  llvm::Value &decision = *choice.getCondition();
  // A value with a stride differs between lanes, too.
  const bool isUniform = shapes_.of(decision).isUniform();
  llvm::Value *value = isUniform ? scalarOf(decision) : vectorOf(decision);
  const bool isDefault = choice.getDefaultDest() == &to;
  llvm::Value *taken = llvm::ConstantInt::getFalse(isUniform ? static_cast<llvm::Type *>(builder_.getInt1Ty())
                                                             : vectorType(builder_.getInt1Ty()));
  for (auto &option : choice.cases()) {
    if ((option.getCaseSuccessor() == &to) == isDefault) continue;
    llvm::Constant *number = option.getCaseValue();
    taken = builder_.CreateOr(taken, builder_.CreateICmpEQ(value, isUniform ? number : splat(number)));
  }
  return {isDefault ? builder_.CreateNot(taken) : taken};
}

// lanesThat() meet the condition, of those that are here. What the condition says of others may be anything.
llvm::Value *LaneEmitter::lanesThat(Condition condition) {
  llvm::Value *here = lanes_ ? lanes_ : allLanes();
  if (!condition.value) return here;
  llvm::Value *none = llvm::Constant::getNullValue(here->getType());
  if (!condition.value->getType()->isVectorTy()) {
    // Where the code runs though no lane is here, it may be poison.
    llvm::Value *holds = lanes_ ? builder_.CreateFreeze(condition.value) : condition.value;
    return builder_.CreateSelect(holds, here, none);
  }
  return lanes_ ? builder_.CreateSelect(here, condition.value, none) : condition.value;
}

llvm::Value *LaneEmitter::isAny(llvm::Value *lanes) { return builder_.CreateOrReduce(lanes); }

// resetAtBeginning() has the variable begin each turn with the value.
void LaneEmitter::resetAtBeginning(const TurnGraph &graph, llvm::AllocaInst &variable, llvm::Value *value) {
  llvm::IRBuilder<>(beginnings_.lookup(&graph)->getTerminator()).CreateStore(value, &variable);
}

// countOn() ends the loop's turn.
void LaneEmitter::countOn() {
  llvm::BasicBlock *latch = builder_.GetInsertBlock();
  for (const auto &[phi, variable] : threads_.variables()) {
    if (variable.role == ThreadLoop::Role::Counter) {
      llvm::Value *first = started_[phi];
      const int64_t step = variable.step * static_cast<int64_t>(width_);
      llvm::Value *next = phi->getType()->isPointerTy()
                              ? builder_.CreatePtrAdd(first, builder_.getInt64(step))
                              : builder_.CreateAdd(first, llvm::ConstantInt::getSigned(phi->getType(), step));
      llvm::cast<llvm::PHINode>(first)->addIncoming(next, latch);
      started_[phi] = next;
    } else {
      const bool isVector = variable.role == ThreadLoop::Role::Reduction;
      llvm::Value *value = isVector ? vectorOf(*variable.result) : scalarOf(*variable.result);
      if (isVector && present_) value = builder_.CreateSelect(present_, value, vectorOf(*phi));
      builder_.CreateStore(value, phiVariable(*phi));
    }
  }
  llvm::Value *counted = builder_.CreateAdd(counted_, llvm::ConstantInt::get(counted_->getType(), width_));
  counted_->addIncoming(counted, latch);
  llvm::BranchInst *again = builder_.CreateCondBr(builder_.CreateICmpULT(counted, taken_), header_, middle_);
  if (isBrief_) keepRolled(*again);
}

llvm::Value *LaneEmitter::combine(llvm::RecurKind kind, llvm::Value *a, llvm::Value *b) {
  switch (kind) {
    case llvm::RecurKind::UMin:
      return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
    case llvm::RecurKind::UMax:
      return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a, b);
    case llvm::RecurKind::SMin:
      return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
    case llvm::RecurKind::SMax:
      return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
    case llvm::RecurKind::And:
      return builder_.CreateAnd(a, b);
    case llvm::RecurKind::Xor:
      return builder_.CreateXor(a, b);
    case llvm::RecurKind::Add:
      return builder_.CreateAdd(a, b);
    default:
      return builder_.CreateOr(a, b);
  }
}

llvm::Value *LaneEmitter::reduce(llvm::RecurKind kind, llvm::Value *lanes) {
  switch (kind) {
    case llvm::RecurKind::UMin:
      return builder_.CreateIntMinReduce(lanes, false);
    case llvm::RecurKind::UMax:
      return builder_.CreateIntMaxReduce(lanes, false);
    case llvm::RecurKind::SMin:
      return builder_.CreateIntMinReduce(lanes, true);
    case llvm::RecurKind::SMax:
      return builder_.CreateIntMaxReduce(lanes, true);
    case llvm::RecurKind::And:
      return builder_.CreateAndReduce(lanes);
    case llvm::RecurKind::Xor:
      return builder_.CreateXorReduce(lanes);
    case llvm::RecurKind::Add:
      return builder_.CreateAddReduce(lanes);
    default:
      return builder_.CreateOrReduce(lanes);
  }
}

// reduceAll() makes one value of each reduction, of vectors only where there have been any.
void LaneEmitter::reduceAll() {
  builder_.SetInsertPoint(middle_);
  for (auto &[phi, sum] : sums_) {
    const llvm::RecurKind kind = threads_.variables().find(const_cast<llvm::PHINode *>(phi))->second.reduction;
    llvm::BasicBlock *before = builder_.GetInsertBlock(), *vectors = newBlock("vectors"), *after = newBlock("reduced");
    llvm::Value *common = builder_.CreateLoad(phi->getType(), sum.common);
    builder_.CreateCondBr(builder_.CreateLoad(builder_.getInt1Ty(), sum.hasVectors), vectors, after);
    builder_.SetInsertPoint(vectors);
    llvm::Value *lanes = builder_.CreateLoad(vectorType(phi->getType()), phis_.lookup(phi));
    llvm::Value *all = combine(kind, common, reduce(kind, lanes));
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
    llvm::PHINode *result = builder_.CreatePHI(phi->getType(), 2);
    result->addIncoming(common, before);
    result->addIncoming(all, vectors);
    sum.result = result;
  }
  middle_ = builder_.GetInsertBlock();
}

// leftValue() is what the last of the threads leaves behind.
llvm::Value *LaneEmitter::leftValue(llvm::Value &value) {
  for (const auto &[phi, variable] : threads_.variables())
    if (variable.role == ThreadLoop::Role::Reduction && variable.result == &value) return sums_.lookup(phi).result;
  const Shape shape = shapes_.of(value);
  if (shape.isUniform()) return scalarOf(value);
  llvm::Value *last = builder_.getInt32(width_ - 1);
  // The width is a power of two.
  if (present_)
    last = builder_.CreateAnd(
        builder_.CreateSub(builder_.CreateZExtOrTrunc(turns_, last->getType()), builder_.getInt32(1)), last);
  return builder_.CreateExtractElement(vectorOf(value), last);
}

// joinRest() has the loop over threads take what is left. That is less than a vector, of which LLVM need not make any.
void LaneEmitter::joinRest() {
  llvm::Loop &loop = threads_.loop();
  llvm::BasicBlock *rest = newBlock("rest"), *exit = loop.getExitBlock();
  reduceAll();
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::Value *>> left;
  for (llvm::PHINode &phi : exit->phis())
    left.emplace_back(&phi, leftValue(*phi.getIncomingValueForBlock(loop.getLoopLatch())));
  llvm::DenseMap<llvm::PHINode *, llvm::Value *> reached;
  for (const auto &[phi, variable] : threads_.variables())
    reached[phi] = variable.role == ThreadLoop::Role::Counter ? started_[phi] : leftValue(*variable.result);
  builder_.CreateCondBr(builder_.CreateICmpEQ(taken_, turns_), exit, rest);
  for (auto [phi, value] : left) phi->addIncoming(value, middle_);
  builder_.SetInsertPoint(rest);
  for (const auto &[phi, variable] : threads_.variables()) {
    llvm::PHINode *start = builder_.CreatePHI(phi->getType(), 2);
    start->addIncoming(phi->getIncomingValueForBlock(preheader_), preheader_);
    start->addIncoming(reached[phi], middle_);
    const int index = phi->getBasicBlockIndex(preheader_);
    phi->setIncomingBlock(index, rest);
    phi->setIncomingValue(index, start);
  }
  builder_.CreateBr(loop.getHeader());
  llvm::addStringMetadataToLoop(&loop, "llvm.loop.isvectorized", 1);
  llvm::Instruction *end = preheader_->getTerminator();
  builder_.SetInsertPoint(end);
  builder_.CreateCondBr(builder_.CreateIsNotNull(taken_), entry_, rest);
  end->eraseFromParent();
}

}  // namespace hostwarp::compiler
