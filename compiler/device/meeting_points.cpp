#include "compiler/device/meeting_points.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <optional>

#include "compiler/device/collectives.h"
#include "compiler/device/uniform_values.h"

namespace hostwarp::compiler {

namespace {

// Each point costs a copy of the code around it, and a pass over the threads.
constexpr unsigned mostLoops = 8;
constexpr unsigned mostLoopInstructions = 200;

// Advance is a variable of a loop that changes by the same for all threads in each turn.
struct Advance {
  llvm::Value *start;
  llvm::Instruction *update;
  unsigned stepOperand;
};

class MeetingPoints {
 public:
  MeetingPoints(llvm::Function &function, const ThreadFields &threads)
      : function_(function),
        threads_(threads),
        layout_(function.getParent()->getDataLayout()),
        uniform_(function, {threads.x, threads.y, threads.z, threads.linear, threads.lane, threads.warp}) {}

  llvm::SmallVector<llvm::CallInst *> add();

 private:
  bool isWorthwhile(const llvm::Loop &loop) const;
  template <class Range>
  bool isLongRun(const Range &instructions) const;
  bool isInTheWay(const llvm::Loop &loop) const;
  bool partsBehind(const llvm::BasicBlock &block) const;
  void cutRuns(llvm::ArrayRef<llvm::Loop *> chosen);
  bool mostlyLeaveTogether(const llvm::Loop &loop) const;
  bool isCoalesced(const llvm::Instruction &access) const;
  bool isSideBySide(const llvm::Loop &loop) const;
  bool holdsForMost(const llvm::Value &condition) const;
  llvm::BasicBlock *guarded(llvm::BasicBlock &block) const;
  std::optional<int64_t> stride(const llvm::Value &value, unsigned depth = 0) const;
  std::optional<int64_t> strideOfSum(const llvm::Instruction &sum, unsigned depth) const;
  std::optional<int64_t> strideOfAddress(const llvm::GetElementPtrInst &address, unsigned depth) const;
  std::optional<Advance> advance(const llvm::PHINode &phi) const;
  void separateFromThread(llvm::PHINode &phi, const Advance &advance);
  void addAt(llvm::BasicBlock &block);
  void addBefore(llvm::Instruction &instruction);

  llvm::Function &function_;
  const ThreadFields &threads_;
  const llvm::DataLayout &layout_;
  UniformValues uniform_;
  llvm::SmallVector<llvm::CallInst *> points_;
};

// isPlain(): the instruction neither calls for what only one thread can do at a time, nor talks to other threads.
bool isPlain(const llvm::Instruction &instruction) {
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
    return intrinsic && (intrinsic->isAssumeLikeIntrinsic() || !intrinsic->mayHaveSideEffects());
  }
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isSimple();
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->isSimple();
  return !instruction.isAtomic();
}

std::optional<Advance> MeetingPoints::advance(const llvm::PHINode &phi) const {
  const llvm::Loop *loop = uniform_.loops().getLoopFor(phi.getParent());
  llvm::BasicBlock *latch = loop->getLoopLatch();
  auto *update = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(latch));
  if (!update) return std::nullopt;
  llvm::Value *start = phi.getIncomingValueForBlock(loop->getLoopPreheader());
  const auto steps = [&](unsigned operand) {
    const llvm::Value *step = update->getOperand(operand);
    return update->getOperand(1 - operand) == &phi && uniform_.isUniform(*step) && loop->isLoopInvariant(step);
  };
  // Narrower indices would wrap around where the sum of them does not.
  const bool isAddress = llvm::isa<llvm::GetElementPtrInst>(update) && update->getNumOperands() == 2 &&
                         update->getOperand(1)->getType()->isIntegerTy(64);
  if (update->getOpcode() != llvm::Instruction::Add && !isAddress) return std::nullopt;
  if (steps(1)) return Advance{start, update, 1};
  if (!isAddress && steps(0)) return Advance{start, update, 0};
  return std::nullopt;
}

// stride() is by how much the value grows from a thread to its neighbour, as far as can be told.
std::optional<int64_t> MeetingPoints::stride(const llvm::Value &value, unsigned depth) const {
  if (&value == threads_.x || &value == threads_.linear || &value == threads_.lane) return 1;
  if (uniform_.isUniform(value) || &value == threads_.y || &value == threads_.z || &value == threads_.warp) return 0;
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || depth > 16) return std::nullopt;
  if (llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst, llvm::FreezeInst>(instruction))
    return stride(*instruction->getOperand(0), depth + 1);
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) return strideOfAddress(*address, depth);
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
    const llvm::Loop *loop = uniform_.loops().getLoopFor(phi->getParent());
    if (!loop || loop->getHeader() != phi->getParent() || !loop->isLoopSimplifyForm()) return std::nullopt;
    const std::optional<Advance> known = advance(*phi);
    return known ? stride(*known->start, depth + 1) : std::nullopt;
  }
  return strideOfSum(*instruction, depth);
}

std::optional<int64_t> MeetingPoints::strideOfSum(const llvm::Instruction &sum, unsigned depth) const {
  if (!llvm::isa<llvm::BinaryOperator>(sum)) return std::nullopt;
  const std::optional<int64_t> left = stride(*sum.getOperand(0), depth + 1),
                               right = stride(*sum.getOperand(1), depth + 1);
  if (!left || !right) return std::nullopt;
  auto *factor = llvm::dyn_cast<llvm::ConstantInt>(sum.getOperand(1));
  switch (sum.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Or:
      return *left + *right;
    case llvm::Instruction::Sub:
      return *left - *right;
    case llvm::Instruction::Mul:
      return factor ? std::optional(*left * factor->getSExtValue()) : std::nullopt;
    case llvm::Instruction::Shl:
      return factor && factor->getZExtValue() < 32 ? std::optional(*left << factor->getZExtValue()) : std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<int64_t> MeetingPoints::strideOfAddress(const llvm::GetElementPtrInst &address, unsigned depth) const {
  std::optional<int64_t> sum = stride(*address.getPointerOperand(), depth + 1);
  for (auto at = llvm::gep_type_begin(address), end = llvm::gep_type_end(address); sum && at != end; ++at) {
    const std::optional<int64_t> index = stride(*at.getOperand(), depth + 1);
    if (!index) return std::nullopt;
    if (*index != 0)
      *sum += *index * static_cast<int64_t>(layout_.getTypeAllocSize(at.getIndexedType()).getFixedValue());
  }
  return sum;
}

// isCoalesced(): neighbouring threads access neighbouring elements, "side by side".
bool MeetingPoints::isCoalesced(const llvm::Instruction &access) const {
  const std::optional<int64_t> distance = stride(*llvm::getLoadStorePointerOperand(&access));
  const uint64_t size =
      layout_.getTypeStoreSize(llvm::getLoadStoreType(const_cast<llvm::Instruction *>(&access))).getFixedValue();
  return distance && *distance != 0 && static_cast<uint64_t>(std::abs(*distance)) <= size;
}

// isSideBySide(): the loop's accesses are mostly coalesced, so that one iteration of all threads after another makes
// better use of caches and vectors than each thread's whole loop after another.
bool MeetingPoints::isSideBySide(const llvm::Loop &loop) const {
  unsigned good = 0, bad = 0, instructions = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      ++instructions;
      if (!isPlain(instruction)) return false;
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || uniform_.isUniform(*pointer)) continue;
      const std::optional<int64_t> distance = stride(*pointer);
      if (distance == 0) continue;
      ++(isCoalesced(instruction) ? good : bad);
    }
  return good > 0 && good >= bad && instructions <= mostLoopInstructions;
}

// holdsForMost(): the condition compares a value that is affine in the thread's index with a uniform one, and so has
// one result in nearly all blocks.
bool MeetingPoints::holdsForMost(const llvm::Value &condition) const {
  if (uniform_.isUniform(condition)) return true;
  if (auto *operation = llvm::dyn_cast<llvm::Instruction>(&condition);
      operation && (operation->getOpcode() == llvm::Instruction::And ||
                    operation->getOpcode() == llvm::Instruction::Or || llvm::isa<llvm::SelectInst>(operation)))
    return llvm::all_of(operation->operands(), [&](const llvm::Value *operand) { return holdsForMost(*operand); });
  auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  if (!comparison || comparison->isEquality()) return false;
  const auto isBound = [&](unsigned operand) {
    const llvm::Value *bound = comparison->getOperand(operand);
    return !llvm::isa<llvm::Constant>(bound) && uniform_.isUniform(*bound) &&
           stride(*comparison->getOperand(1 - operand));
  };
  return isBound(0) || isBound(1);
}

bool MeetingPoints::mostlyLeaveTogether(const llvm::Loop &loop) const {
  llvm::SmallVector<llvm::BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  return llvm::all_of(exiting, [&](const llvm::BasicBlock *block) {
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    return branch && branch->isConditional() && holdsForMost(*branch->getCondition());
  });
}

bool MeetingPoints::isWorthwhile(const llvm::Loop &loop) const {
  return loop.isInnermost() && loop.isLoopSimplifyForm() && mostlyLeaveTogether(loop) && isSideBySide(loop);
}

// cuts(): the call is where the code is cut already.
bool cuts(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == boundaryName;
}

// isLongRun(): the instructions, up to the first that is not plain, access so much side by side that they should become
// vectors whatever comes next to them.
template <class Range>
bool MeetingPoints::isLongRun(const Range &instructions) const {
  constexpr unsigned longRun = 12;
  unsigned coalesced = 0;
  for (const llvm::Instruction &instruction : instructions) {
    if (!isPlain(instruction)) break;
    if (llvm::getLoadStorePointerOperand(&instruction)) coalesced += isCoalesced(instruction);
  }
  return coalesced >= longRun;
}

// isInTheWay(): the loop has no boundary inside and most threads leave it in the same iteration. As part of a region it
// would become an inner loop of the work-item loop, which LLVM then does not vectorise.
bool MeetingPoints::isInTheWay(const llvm::Loop &loop) const {
  return mostlyLeaveTogether(loop) &&
         llvm::none_of(loop.blocks(), [](const llvm::BasicBlock *block) { return llvm::any_of(*block, cuts); });
}

// partsBehind(): the basic block ends in a uniform branch, or at a loop that is in the way.
bool MeetingPoints::partsBehind(const llvm::BasicBlock &block) const {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch) return false;
  if (branch->isConditional()) return uniform_.isUniform(*branch->getCondition());
  const llvm::Loop *loop = uniform_.loops().getLoopFor(branch->getSuccessor(0));
  return loop && loop->getHeader() == branch->getSuccessor(0) && !loop->contains(&block) && isInTheWay(*loop);
}

// cutRuns() puts meeting points between long runs and what would keep them from being vectorised.
void MeetingPoints::cutRuns(llvm::ArrayRef<llvm::Loop *> chosen) {
  for (llvm::BasicBlock &block : function_) {
    llvm::Loop *loop = uniform_.loops().getLoopFor(&block);
    if (llvm::is_contained(chosen, loop)) continue;
    if (partsBehind(block) && isLongRun(llvm::reverse(block))) addBefore(*block.getTerminator());
    const llvm::BasicBlock *before = block.getSinglePredecessor();
    llvm::Loop *left = before ? uniform_.loops().getLoopFor(before) : nullptr;
    if (left && !left->contains(&block) && !llvm::is_contained(chosen, left) && isInTheWay(*left) && isLongRun(block))
      addAt(block);
  }
}

// separateFromThread() splits the loop's variable into a sum: its start, which differs between threads and is cheap to
// rematerialise, and a uniform counter.
void MeetingPoints::separateFromThread(llvm::PHINode &phi, const Advance &advance) {
  llvm::Value *step = advance.update->getOperand(advance.stepOperand);
  llvm::IRBuilder<> builder(&phi);
  llvm::PHINode *common = builder.CreatePHI(step->getType(), 2, "common");
  builder.SetInsertPoint(advance.update);
  llvm::Value *next = builder.CreateAdd(common, step);
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const bool isStart = phi.getIncomingValue(i) == advance.start;
    common->addIncoming(isStart ? llvm::Constant::getNullValue(step->getType()) : next, phi.getIncomingBlock(i));
  }
  builder.SetInsertPoint(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(advance.update);
  phi.replaceAllUsesWith(address ? builder.CreateGEP(address->getSourceElementType(), advance.start, common)
                                 : builder.CreateAdd(advance.start, common));
  phi.eraseFromParent();
}

// guarded() is the code behind a guard: a branch whose other side ends the kernel and which most blocks pass with all
// their threads. Null: the basic block does not end in one. Without a loop behind it a mask costs less than a meeting.
llvm::BasicBlock *MeetingPoints::guarded(llvm::BasicBlock &block) const {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (uniform_.loops().empty() || !branch || branch->isUnconditional() || uniform_.loops().getLoopFor(&block))
    return nullptr;
  const llvm::Value &condition = *branch->getCondition();
  if (uniform_.isUniform(condition) || !holdsForMost(condition)) return nullptr;
  const auto ends = [](const llvm::BasicBlock *way) {
    return llvm::isa<llvm::ReturnInst>(way->getTerminator()) && way->sizeWithoutDebug() == 1;
  };
  for (unsigned i : {0, 1})
    if (ends(branch->getSuccessor(i)) && !ends(branch->getSuccessor(1 - i))) return branch->getSuccessor(1 - i);
  return nullptr;
}

void MeetingPoints::addAt(llvm::BasicBlock &block) {
  // Whether the point comes before or after what separateFromThread() has put there makes no difference.
  addBefore(*block.getFirstInsertionPt());
}

void MeetingPoints::addBefore(llvm::Instruction &instruction) {
  llvm::IRBuilder<> builder(&instruction);
  points_.push_back(builder.CreateCall(function_.getParent()->getOrInsertFunction(
      meetingPointName, llvm::FunctionType::get(builder.getVoidTy(), false))));
}

llvm::SmallVector<llvm::CallInst *> MeetingPoints::add() {
  llvm::SmallSetVector<llvm::BasicBlock *, 16> places;
  llvm::SmallVector<llvm::Loop *> chosen;
  for (llvm::Loop *loop : uniform_.loops().getLoopsInPreorder())
    if (chosen.size() < mostLoops && isWorthwhile(*loop)) chosen.push_back(loop);
  for (llvm::BasicBlock &block : function_)
    if (llvm::BasicBlock *body = guarded(block); body && body->getSinglePredecessor()) places.insert(body);
  llvm::SmallVector<std::pair<llvm::PHINode *, Advance>> advancing;
  for (llvm::Loop *loop : chosen) {
    llvm::SmallVector<llvm::BasicBlock *> exits;
    loop->getUniqueExitBlocks(exits);
    places.insert(loop->getHeader());
    places.insert(exits.begin(), exits.end());
    for (llvm::PHINode &phi : loop->getHeader()->phis())
      if (std::optional<Advance> known = advance(phi); known && !uniform_.isUniform(phi))
        advancing.push_back({&phi, *known});
  }
  cutRuns(chosen);
  for (auto &[phi, known] : advancing) separateFromThread(*phi, known);
  for (llvm::BasicBlock *place : places) addAt(*place);
  return points_;
}

// giveLoopsExits() gives each loop blocks of its own to begin from and to leave to.
void giveLoopsExits(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::AssumptionCache assumptions(function);
  for (llvm::Loop *loop : loops) llvm::simplifyLoop(loop, &dominators, &loops, nullptr, &assumptions, nullptr, false);
}

}  // namespace

llvm::SmallVector<llvm::CallInst *> addMeetingPoints(llvm::Function &function, const ThreadFields &threads) {
  giveLoopsExits(function);
  return MeetingPoints(function, threads).add();
}

}  // namespace hostwarp::compiler
