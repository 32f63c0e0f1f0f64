#include "compiler/device/lanes/lane_shapes.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <functional>

#include "compiler/device/llvm_versions.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

namespace {

// combine() is the shape of what is computed from two shapes that have strides.
Shape combine(Shape a, Shape b, const std::function<int64_t(int64_t, int64_t)> &operation) {
  if (!a.isKnown() || !b.isKnown()) return {};
  if (!a.isStrided() || !b.isStrided()) return Shape::varying();
  return Shape::strided(operation(a.stride(), b.stride()));
}

int64_t sum(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }
int64_t difference(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
int64_t product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

Shape scaled(Shape shape, int64_t factor) {
  return combine(shape, Shape::uniform(), [&](int64_t stride, int64_t) { return product(stride, factor); });
}

// isUniformSoFar(): nothing is known that would make it differ.
bool isUniformSoFar(Shape shape) { return !shape.isKnown() || shape.isUniform(); }

// mayHaveStride(): lanes of this type may differ by a constant.
bool mayHaveStride(const llvm::Type &type) {
  return type.isPointerTy() || (type.isIntegerTy() && !type.isIntegerTy(1) && type.getIntegerBitWidth() <= 64);
}

using ShapeOf = llvm::function_ref<Shape(const llvm::Value &)>;

Shape uniformIfOperandsAre(const llvm::Instruction &instruction, ShapeOf of) {
  Shape result = Shape::uniform();
  for (const llvm::Value *operand : instruction.operands()) {
    if (llvm::isa<llvm::BasicBlock>(operand)) continue;
    const Shape shape = of(*operand);
    if (!shape.isKnown()) result = {};
    if (shape.isKnown() && !shape.isUniform()) return Shape::varying();
  }
  return result;
}

// shapeOfAddress(): indices narrower than addresses may wrap around where their lanes differ.
Shape shapeOfAddress(const llvm::GetElementPtrInst &address, ShapeOf of) {
  const llvm::DataLayout &layout = address.getModule()->getDataLayout();
  const unsigned bits = layout.getIndexTypeSizeInBits(address.getType());
  IndexScales scales;
  llvm::APInt offset(bits, 0);
  if (!address.collectOffset(layout, bits, scales, offset)) return uniformIfOperandsAre(address, of);
  Shape shape = of(*address.getPointerOperand());
  for (auto &[index, scale] : scales) {
    const Shape step = of(*index);
    if (step.isStrided() && !step.isUniform() && index->getType()->getIntegerBitWidth() != bits)
      return Shape::varying();
    shape = combine(shape, scaled(step, scale.getSExtValue()), sum);
  }
  return shape;
}

}  // namespace

bool isOwnOfThreads(const llvm::Value &object) {
  auto *argument = llvm::dyn_cast<llvm::Argument>(&object);
  return argument && argument->hasNoAliasAttr();
}

Shape shapeOfArithmetic(const llvm::Instruction &instruction, ShapeOf of) {
  const auto operand = [&](unsigned i) { return of(*instruction.getOperand(i)); };
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
      return combine(operand(0), operand(1), sum);
    case llvm::Instruction::Sub:
      return combine(operand(0), operand(1), difference);
    case llvm::Instruction::Mul:
      if (auto *factor = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
          factor && factor->getBitWidth() <= 64)
        return scaled(operand(0), factor->getSExtValue());
      return uniformIfOperandsAre(instruction, of);
    case llvm::Instruction::Shl:
      if (auto *bits = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1)); bits && bits->getValue().ult(63))
        return scaled(operand(0), int64_t{1} << bits->getZExtValue());
      return uniformIfOperandsAre(instruction, of);
    case llvm::Instruction::Or:
      if (llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint()) return combine(operand(0), operand(1), sum);
      return uniformIfOperandsAre(instruction, of);
    case llvm::Instruction::Trunc:
    case llvm::Instruction::AddrSpaceCast:
      return mayHaveStride(*instruction.getType()) ? operand(0) : uniformIfOperandsAre(instruction, of);
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
      return instruction.getType()->isPointerTy() || instruction.getType()->isIntegerTy(64)
                 ? operand(0)
                 : uniformIfOperandsAre(instruction, of);
    case llvm::Instruction::GetElementPtr:
      return shapeOfAddress(llvm::cast<llvm::GetElementPtrInst>(instruction), of);
    case llvm::Instruction::Select: {
      const Shape condition = operand(0);
      return condition.isUniform() ? operand(1).join(operand(2)) : condition;
    }
    default:
      return uniformIfOperandsAre(instruction, of);
  }
}

LaneShapes::LaneShapes(const ThreadLoop &threads, llvm::LoopInfo &loops, llvm::PredicatedScalarEvolution &evolution)
    : threads_(threads), loops_(loops), predicated_(evolution), evolution_(*evolution.getSE()) {
  addGraph(threads.loop());
  for (const auto &[phi, variable] : threads.variables()) {
    const bool counts = variable.role == ThreadLoop::Role::Counter;
    shapes_[phi] = counts                                         ? Shape::strided(variable.step)
                   : variable.role == ThreadLoop::Role::Reduction ? Shape::varying()
                                                                  : Shape::uniform();
  }
  while (update(graphOf(&threads.loop()))) {
  }
}

void LaneShapes::addGraph(llvm::Loop &loop) {
  graphs_[&loop] = std::make_unique<TurnGraph>(loop, loops_);
  for (llvm::Loop *inner : loop) addGraph(*inner);
}

Shape LaneShapes::of(const llvm::Value &value) const {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || !threads_.loop().contains(instruction)) return Shape::uniform();
  const auto found = shapes_.find(&value);
  return found == shapes_.end() ? Shape() : found->second;
}

// update() goes through a turn once; true: something has changed.
bool LaneShapes::update(const TurnGraph &graph) {
  bool changed = false;
  for (unsigned i = 0; i < graph.nodes().size(); ++i) changed |= updateNode(graph, i);
  return changed;
}

bool LaneShapes::updateNode(const TurnGraph &graph, unsigned index) {
  const TurnGraph::Node &node = graph.nodes()[index];
  bool changed = false;
  const auto comesApart = [&](unsigned from) { return isPartial(graph, from) || mayPart(graph, from); };
  const bool parts =
      node.leader == index ? index != 0 && llvm::any_of(node.previous, comesApart) : isPartial(graph, node.leader);
  if (parts) changed |= partial_.insert({&graph, index}).second;
  if (!node.loop) return updateBlock(*node.block) || changed;
  changed |= update(graphOf(node.loop));
  return updateDivergence(*node.loop) || changed;
}

// separates(): lanes that are in the block together may leave it in different ways.
bool LaneShapes::separates(llvm::BasicBlock &block) const {
  const llvm::Instruction *end = block.getTerminator();
  if (end->getNumSuccessors() < 2) return false;
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(end)) return !isUniformSoFar(of(*branch->getCondition()));
  if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(end)) return !isUniformSoFar(of(*choice->getCondition()));
  return true;
}

// mayPart(): the same for a node, as far as the turn goes on.
bool LaneShapes::mayPart(const TurnGraph &graph, unsigned index) const {
  const TurnGraph::Node &node = graph.nodes()[index];
  if (node.next.size() + (node.mayEndTurn ? 1 : 0) < 2) return false;
  return node.loop ? isDivergent(node.loop) : separates(*node.block);
}

bool LaneShapes::areTogether(llvm::BasicBlock &block) const {
  for (const llvm::Loop *loop = loops_.getLoopFor(&block);; loop = loop->getParentLoop()) {
    const TurnGraph &graph = graphOf(loop);
    if (isPartial(graph, graph.nodeOf(&block))) return false;
    if (loop == &threads_.loop()) return true;
    if (isDivergent(loop)) return false;
  }
}

bool LaneShapes::updateDivergence(const llvm::Loop &loop) {
  if (isDivergent(&loop)) return false;
  llvm::SmallVector<llvm::BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  // A block that leaves the loop may be in a loop inside, and its lanes come apart there.
  const auto parts = [&](llvm::BasicBlock *block) {
    for (const llvm::Loop *around = loops_.getLoopFor(block); around != loop.getParentLoop();
         around = around->getParentLoop()) {
      const TurnGraph &graph = graphOf(around);
      const unsigned node = graph.nodeOf(block);
      const llvm::Loop *inner = graph.nodes()[node].loop;
      if (isPartial(graph, node) || (inner ? isDivergent(inner) : separates(*block))) return true;
    }
    return false;
  };
  return llvm::any_of(exiting, parts) && divergent_.insert(&loop).second;
}

// zerosOfFirst(): a vector begins at a multiple of its lanes from the first thread.
unsigned LaneShapes::zerosOfFirst(const llvm::Value &value, unsigned lanes) const {
  const llvm::SCEV *expression = evolution_.getSCEV(const_cast<llvm::Value *>(&value));
  const unsigned bits = value.getType()->getIntegerBitWidth();
  if (of(value).isUniform()) return std::min(evolution_.getMinTrailingZeros(expression), bits);
  auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(expression);
  if (!recurrence || recurrence->getLoop() != &threads_.loop() || !recurrence->isAffine()) return 0;
  const unsigned ofStep =
      evolution_.getMinTrailingZeros(recurrence->getStepRecurrence(evolution_)) + llvm::Log2_32(lanes);
  return std::min({evolution_.getMinTrailingZeros(recurrence->getStart()), ofStep, bits});
}

bool LaneShapes::leavesByMemory(const llvm::Loop &loop) const {
  llvm::SmallVector<llvm::BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  return isDivergent(&loop) && llvm::any_of(exiting, [&](const llvm::BasicBlock *block) {
           const auto comes = [&](const llvm::Value *operand) { return comesFromMemory(*operand); };
           return llvm::any_of(block->getTerminator()->operands(), comes);
         });
}

bool LaneShapes::updateBlock(llvm::BasicBlock &block) {
  bool changed = false;
  const bool isHeader = &block == threads_.loop().getHeader();
  for (llvm::Instruction &instruction : block) {
    if (instruction.getType()->isVoidTy() || (isHeader && llvm::isa<llvm::PHINode>(instruction))) continue;
    Shape shape = shapeOf(instruction);
    if (shape.isStrided() && !shape.isUniform() && !mayHaveStride(*instruction.getType())) shape = Shape::varying();
    Shape &known = shapes_[&instruction];
    const Shape joined = known.join(shape);
    changed |= joined != known;
    known = joined;
    changed |= updateOrigin(instruction);
  }
  return changed;
}

bool LaneShapes::updateOrigin(const llvm::Instruction &instruction) {
  if (!of(instruction).isVarying() || fromMemory_.contains(&instruction)) return false;
  const auto comes = [&](const llvm::Value *operand) { return comesFromMemory(*operand); };
  const bool isCall = llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction) &&
                      !laneMeetingOf(instruction);
  const llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction);
  // What a thread has kept at a barrier need not have come from memory.
  const bool isKept = address && isOwnOfThreads(*llvm::getUnderlyingObject(address));
  const bool reads = (instruction.mayReadFromMemory() && !isKept) || isCall;
  return (reads || llvm::any_of(instruction.operands(), comes)) && fromMemory_.insert(&instruction).second;
}

Shape LaneShapes::shapeOf(llvm::Instruction &instruction) const {
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return shapeOfPhi(*phi);
  if (threads_.lastOf(instruction)) return Shape::uniform();
  const auto shape = [&](const llvm::Value &value) { return of(value); };
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple() ? uniformIfOperandsAre(instruction, shape) : Shape::varying();
  if (const auto meeting = laneMeetingOf(instruction))
    return shapeOfMeeting(llvm::cast<llvm::CallInst>(instruction), *meeting);
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const bool isPure = call->doesNotAccessMemory() && call->doesNotThrow() && !call->isConvergent();
    return isPure ? uniformIfOperandsAre(instruction, shape) : Shape::varying();
  }
  if (instruction.mayReadOrWriteMemory() || llvm::isa<llvm::AllocaInst>(instruction)) return Shape::varying();
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(instruction)) return shapeOfExtension(instruction);
  return shapeOfArithmetic(instruction, shape);
}

// shapeOfMeeting(): votes and reductions give all the same, and so does a shuffle that reads one lane, or what all
// have.
Shape LaneShapes::shapeOfMeeting(const llvm::CallInst &call, LaneMeeting meeting) const {
  const bool isForAll =
      meeting == LaneMeeting::Vote || meeting == LaneMeeting::Reduce || meeting == LaneMeeting::MatchAll;
  if (isForAll) return Shape::uniform();
  if (meeting != LaneMeeting::Shuffle) return Shape::varying();
  const auto isConstant = [&](unsigned argument, uint64_t number) {
    auto *constant = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(argument));
    return constant && constant->getZExtValue() == number;
  };
  const Shape value = of(*call.getArgOperand(1)), operand = of(*call.getArgOperand(2));
  if (!value.isKnown() || !operand.isKnown()) return {};
  const bool readsOne = isConstant(0, HW_SHFL_IDX) && isConstant(3, warpLanes) && operand.isUniform();
  return value.isUniform() || readsOne ? Shape::uniform() : Shape::varying();
}

// shapeOfExtension(): a narrow counter may wrap around. Where that is not known, it is made a predicate that the loop
// looks at before it begins.
Shape LaneShapes::shapeOfExtension(llvm::Instruction &extension) const {
  constexpr unsigned mostPredicates = 8;
  const Shape shape = of(*extension.getOperand(0));
  if (!shape.isStrided() || shape.isUniform()) return shape;
  const Shape known = shapeOfExpression(evolution_.getSCEV(&extension));
  if (!known.isVarying() || predicated_.getPredicate().getComplexity() >= mostPredicates) return known;
  const llvm::SCEVAddRecExpr *recurrence = predicated_.getAsAddRec(&extension);
  return recurrence ? shapeOfExpression(recurrence) : known;
}

// shapeOfExpression() takes what ScalarEvolution has found out about overflow.
Shape LaneShapes::shapeOfExpression(const llvm::SCEV *expression) const {
  if (evolution_.isLoopInvariant(expression, &threads_.loop())) return Shape::uniform();
  if (auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(expression)) return of(*unknown->getValue());
  if (auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(expression); recurrence && recurrence->isAffine()) {
    const llvm::SCEV *step = recurrence->getStepRecurrence(evolution_);
    if (recurrence->getLoop() != &threads_.loop()) {
      const Shape each = shapeOfExpression(step);
      if (!each.isKnown()) return {};
      return each.isUniform() ? shapeOfExpression(recurrence->getStart()) : Shape::varying();
    }
    auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(step);
    const bool isKnown = constant && evolution_.isLoopInvariant(recurrence->getStart(), &threads_.loop());
    return isKnown ? Shape::strided(constant->getAPInt().getSExtValue()) : Shape::varying();
  }
  if (auto *add = llvm::dyn_cast<llvm::SCEVAddExpr>(expression)) {
    Shape shape = Shape::uniform();
    for (const llvm::SCEV *part : add->operands()) shape = combine(shape, shapeOfExpression(part), sum);
    return shape;
  }
  return Shape::varying();
}

// leavesDivergentLoop(): the value comes from turns that may differ between lanes, or, unless it is the only one, by a
// way out of the loop that may.
bool LaneShapes::leavesDivergentLoop(const llvm::PHINode &phi, unsigned incoming, bool isOnly) const {
  const auto *value = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValue(incoming));
  for (const llvm::Loop *loop = loops_.getLoopFor(phi.getIncomingBlock(incoming));
       loop && !loop->contains(phi.getParent()); loop = loop->getParentLoop())
    if (isDivergent(loop) && (!isOnly || (value && loop->contains(value)))) return true;
  return false;
}

// partsOnWayTo(): lanes that are together at the node's dominator may come to the node in different ways.
bool LaneShapes::partsOnWayTo(const TurnGraph &graph, unsigned index) const {
  const unsigned above = graph.nodes()[index].dominator;
  llvm::SmallVector<unsigned, 4> work = graph.nodes()[index].previous;
  std::set<unsigned> seen;
  while (!work.empty()) {
    const unsigned at = work.pop_back_val();
    if (!seen.insert(at).second) continue;
    if (mayPart(graph, at)) return true;
    if (at != above) work.append(graph.nodes()[at].previous);
  }
  return false;
}

Shape LaneShapes::shapeOfPhi(llvm::PHINode &phi) const {
  Shape result;
  const bool isOnly =
      llvm::all_of(phi.incoming_values(), [&](const llvm::Use &use) { return use == phi.getIncomingValue(0); });
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    result = result.join(of(*phi.getIncomingValue(i)));
    if (leavesDivergentLoop(phi, i, isOnly)) return Shape::varying();
  }
  const TurnGraph &graph = graphAround(phi.getParent());
  const unsigned node = graph.nodeOf(phi.getParent());
  // Lanes that are in a turn of a loop have all come from the turn before, or all from its beginning.
  if (node == 0 || isOnly) return result;
  return partsOnWayTo(graph, node) ? Shape::varying() : result;
}

}  // namespace hostwarp::compiler
