#include "compiler/device/barrier_regions.h"

#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <iterator>
#include <optional>

#include "compiler/device/llvm_versions.h"

namespace hostwarp::compiler {

// Of so many operations a value is computed anew sooner than kept.
static constexpr unsigned mostOfCheap = 12;
// And in so many steps if it follows from another that is kept.
static constexpr unsigned mostFromRoot = 6;

BarrierRegions::BarrierRegions(llvm::Function &function, llvm::BasicBlock &start,
                               llvm::ArrayRef<llvm::Value *> threadValues, const Boundaries &boundaries)
    : function_(function),
      start_(start),
      barriers_(static_cast<unsigned>(boundaries.barriers.size())),
      stops_(boundaries.stops) {
  regions_.resize(barriers_ + boundaries.meetingPoints.size() + 1);
  regions_[0].entry = whole_.entry = start.getSingleSuccessor();
  split(boundaries);
  for (Region &region : regions_) explore(region, Stop::AtBoundaries);
  for (unsigned i = 0; i <= barriers_; ++i) {
    Region reached;
    reached.entry = regions_[i].entry;
    explore(reached, Stop::AtBarriers);
    whole_.blocks.insert(reached.blocks.begin(), reached.blocks.end());
    whole_.next.insert(reached.next.begin(), reached.next.end());
  }
  whole_.nextIsUniform = false;
  if (regions_.size() == 1) return;
  llvm::SmallVector<llvm::Value *> varying(threadValues);
  std::optional<UniformValues> found(std::in_place, function, varying);
  for (auto more = turnsApart(*found); !more.empty(); more = turnsApart(*found)) {
    varying.append(more.begin(), more.end());
    found.emplace(function, varying);
  }
  const UniformValues &uniform = *found;
  const bool inStep = !partsAtStops(uniform);
  for (Region &region : regions_)
    region.nextIsUniform = region.next.size() == 1 || (inStep && !separatesAtEnd(region, uniform, Stop::AtBoundaries));
  noteMeetings(uniform);
  const bool together = inStep && staysTogether(uniform);
  computeCheapValues(uniform, together);
  computeFromRoots(uniform, together);
  findLiveValues();
  for (llvm::Instruction *value : liveValues())
    keepInSlot(*value, together && uniform.isUniform(*value) && mayShare(*value));
}

void BarrierRegions::split(const Boundaries &boundaries) {
  unsigned index = 0;
  for (llvm::ArrayRef<llvm::CallInst *> calls : {boundaries.barriers, boundaries.meetingPoints})
    for (llvm::CallInst *call : calls) {
      regions_[++index].entry = llvm::SplitBlock(call->getParent(), call);
      call->eraseFromParent();
    }
  for (unsigned i = 1; i < regions_.size(); ++i) after_[regions_[i].entry->getSinglePredecessor()] = i;
}

// explore() finds the blocks and the ends of a region that begins at its entry.
void BarrierRegions::explore(Region &region, EndOf endOf) const {
  region.blocks.insert(region.entry);
  for (size_t i = 0; i < region.blocks.size(); ++i) {
    llvm::BasicBlock *block = region.blocks[i];
    if (const unsigned *next = endOf(block)) {
      region.next.insert(*next);
      continue;
    }
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) region.next.insert(exit());
    region.blocks.insert(llvm::succ_begin(block), llvm::succ_end(block));
  }
}

void BarrierRegions::explore(Region &region, Stop stop) const {
  explore(region, [&](const llvm::BasicBlock *block) { return end(block, stop); });
}

Region BarrierRegions::joined(unsigned region, const Passed &passed) const {
  Region result;
  result.entry = regions_[region].entry;
  explore(result, [&](const llvm::BasicBlock *block) {
    const unsigned *next = after(block);
    return next && passed.contains(*next) ? nullptr : next;
  });
  result.nextIsUniform = result.next.size() == 1 || regions_[region].nextIsUniform;
  if (result.next.size() > 1)
    for (const unsigned each : passed) result.nextIsUniform &= regions_[each].nextIsUniform;
  return result;
}

void BarrierRegions::noteMeetings(const UniformValues &uniform) {
  for (llvm::BasicBlock &block : function_)
    if (uniform.separates(block)) meetings_[&block] = uniform.meeting(block);
}

// mayLeave(): a thread may come from the block to another boundary that ends the joined region without coming to
// `meeting`. Who returns is not waited for.
bool BarrierRegions::mayLeave(const llvm::BasicBlock &from, const llvm::BasicBlock *meeting,
                              const Passed &passed) const {
  llvm::SmallSetVector<const llvm::BasicBlock *, 16> blocks(llvm::succ_begin(&from), llvm::succ_end(&from));
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i] == meeting) continue;
    const unsigned *next = after(blocks[i]);
    if (next && !passed.contains(*next)) return true;
    blocks.insert(llvm::succ_begin(blocks[i]), llvm::succ_end(blocks[i]));
  }
  return false;
}

// Threads that part are together again where they meet, unless some of them wait elsewhere.
BarrierRegions::Passed BarrierRegions::passedApart(const Region &joined, const Passed &passed) const {
  Passed found;
  for (const llvm::BasicBlock *block : joined.blocks) {
    const auto parting = meetings_.find(block);
    if (parting == meetings_.end()) continue;
    const llvm::BasicBlock *meeting = mayLeave(*block, parting->second, passed) ? nullptr : parting->second;
    llvm::SmallSetVector<const llvm::BasicBlock *, 16> before(llvm::succ_begin(block), llvm::succ_end(block));
    for (size_t i = 0; i < before.size(); ++i) {
      if (before[i] == meeting) continue;
      const unsigned *next = after(before[i]);
      if (next && passed.contains(*next)) found.insert(*next);
      if (!next || passed.contains(*next)) before.insert(llvm::succ_begin(before[i]), llvm::succ_end(before[i]));
    }
  }
  return found;
}

// endsBetween() lists how a thread may leave the region before it comes to `until`.
std::vector<unsigned> BarrierRegions::endsBetween(llvm::BasicBlock &from, const llvm::BasicBlock *until,
                                                  Stop stop) const {
  std::vector<unsigned> ends;
  llvm::SmallSetVector<llvm::BasicBlock *, 16> blocks;
  blocks.insert(&from);
  for (size_t i = 0; i < blocks.size(); ++i) {
    llvm::BasicBlock *block = blocks[i];
    if (block == until) continue;
    if (const unsigned *next = end(block, stop)) {
      ends.push_back(*next);
      continue;
    }
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) ends.push_back(exit());
    blocks.insert(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return ends;
}

bool BarrierRegions::separatesAtEnd(const Region &region, const UniformValues &uniform, Stop stop) const {
  return llvm::any_of(region.blocks, [&](llvm::BasicBlock *block) {
    if (end(block, stop) || !uniform.separates(*block)) return false;
    const llvm::BasicBlock *until = uniform.meeting(*block);
    return llvm::any_of(llvm::successors(block),
                        [&](llvm::BasicBlock *next) { return !endsBetween(*next, until, stop).empty(); });
  });
}

// endsFrom() are the boundaries among the ends of the region.
BarrierRegions::Ends BarrierRegions::endsFrom(llvm::BasicBlock &from, const llvm::BasicBlock *until, Stop stop) const {
  Ends ends;
  for (const unsigned next : endsBetween(from, until, stop))
    if (next != exit()) ends.insert(next);
  return ends;
}

// overtakesAt(): some threads come from the branch to a boundary before they would meet the others again, and those
// that come by there, or never do, come to the same one in another turn of a loop around.
bool BarrierRegions::overtakesAt(llvm::BasicBlock &branch, const UniformValues &uniform, Stop stop) const {
  llvm::BasicBlock *until = uniform.meeting(branch);
  Ends known = until ? endsFrom(*until, nullptr, stop) : Ends();
  for (llvm::BasicBlock *next :
       llvm::SmallPtrSet<llvm::BasicBlock *, 4>(llvm::succ_begin(&branch), llvm::succ_end(&branch))) {
    const Ends ends = endsFrom(*next, until, stop);
    if (llvm::any_of(ends, [&](unsigned each) { return known.contains(each); })) return true;
    if (!until) known.insert(ends.begin(), ends.end());
  }
  return false;
}

// turnsApart() lists what loops hand from turn to turn in which some threads overtake others. It may be the same for
// all within a turn, and is not where they wait.
llvm::SmallVector<llvm::Value *> BarrierRegions::turnsApart(const UniformValues &uniform) const {
  llvm::SmallSetVector<llvm::Value *, 8> found;
  const auto look = [&](const Region &region, Stop stop) {
    for (llvm::BasicBlock *block : region.blocks) {
      const llvm::Loop *loop = uniform.loops().getLoopFor(block);
      if (!loop || end(block, stop) || !uniform.separates(*block) || !overtakesAt(*block, uniform, stop)) continue;
      for (; loop; loop = loop->getParentLoop())
        for (llvm::PHINode &phi : loop->getHeader()->phis())
          if (uniform.isUniform(phi)) found.insert(&phi);
    }
  };
  for (unsigned i = 0; i < regions_.size(); ++i) {
    look(regions_[i], Stop::AtBoundaries);
    if (i > barriers_) continue;
    Region reached;
    reached.entry = regions_[i].entry;
    explore(reached, Stop::AtBarriers);
    look(reached, Stop::AtBarriers);
  }
  return found.takeVector();
}

// staysTogether(): threads that wait at barriers never wait at different ones; some may have ended instead.
bool BarrierRegions::staysTogether(const UniformValues &uniform) const {
  for (unsigned i = 0; i <= barriers_; ++i) {
    Region region;
    region.entry = regions_[i].entry;
    explore(region, Stop::AtBarriers);
    const size_t others = region.next.size() - region.next.count(exit());
    if (others > 1 && separatesAtEnd(region, uniform, Stop::AtBarriers)) return false;
  }
  return true;
}

// partsAtStops(): threads at the same forced yield may have come there in different iterations of a loop. A value that
// is uniform within each iteration differs between them then.
bool BarrierRegions::partsAtStops(const UniformValues &uniform) const {
  const auto isStop = [&](unsigned region) { return region <= barriers_ && region + stops_ > barriers_; };
  for (unsigned i = 0; stops_ > 0 && i <= barriers_; ++i) {
    Region region;
    region.entry = regions_[i].entry;
    explore(region, Stop::AtBarriers);
    if (llvm::any_of(region.next, isStop) && separatesAtEnd(region, uniform, Stop::AtBarriers)) return true;
  }
  return false;
}

// mayShare(): where threads diverge at the end of a region, the value is live on one of the ways at most, so that one
// uniform slot serves.
bool BarrierRegions::mayShare(llvm::Instruction &value) const {
  return llvm::all_of(regions_, [&](const Region &region) {
    const auto needs = [&](unsigned next) { return next != exit() && liveInto_[next].contains(&value); };
    return region.nextIsUniform || llvm::count_if(region.next, needs) <= 1;
  });
}

BarrierRegions::Values BarrierRegions::liveValues() const {
  Values values;
  for (const Values &live : liveInto_) values.insert(live.begin(), live.end());
  return values;
}

void BarrierRegions::findLiveValues() {
  llvm::DenseMap<const llvm::BasicBlock *, Values> live;
  const auto add = [&](Values &set, llvm::Value *value) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && instruction->getParent() != &start_ && set.insert(instruction);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock &block : llvm::reverse(function_)) {
      Values now;
      for (llvm::BasicBlock *next : llvm::successors(&block)) {
        for (llvm::Instruction *value : live[next]) now.insert(value);
        for (llvm::PHINode &phi : next->phis()) add(now, phi.getIncomingValueForBlock(&block));
      }
      for (llvm::Instruction &instruction : llvm::reverse(block)) {
        now.remove(&instruction);
        if (!llvm::isa<llvm::PHINode>(instruction))
          for (llvm::Value *operand : instruction.operands()) add(now, operand);
      }
      if (now.size() == live[&block].size()) continue;
      live[&block] = std::move(now);
      changed = true;
    }
  }
  liveInto_.clear();
  for (const Region &region : regions_) liveInto_.push_back(live[region.entry]);
}

// isCheap(): the value can be rematerialised: it follows by few operations without side effects from `common` and from
// what all regions have.
bool BarrierRegions::isCheap(const llvm::Value &value, const Values &common, unsigned &budget) const {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || instruction->getParent() == &start_) return true;
  if (common.contains(const_cast<llvm::Instruction *>(instruction))) return true;
  const bool isArithmetic =
      llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst, llvm::SelectInst>(
          instruction);
  if (!isArithmetic || instruction->isIntDivRem() || budget == 0) return false;
  --budget;
  return llvm::all_of(instruction->operands(),
                      [&](const llvm::Value *operand) { return isCheap(*operand, common, budget); });
}

llvm::Value *BarrierRegions::copyAt(llvm::Value &value, const Values &common, llvm::BasicBlock &block) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || instruction->getParent() == &start_ || common.contains(instruction)) return &value;
  if (auto known = copies_.find({&value, &block}); known != copies_.end()) return known->second;
  llvm::SmallVector<llvm::Value *> operands;
  for (llvm::Value *operand : instruction->operands()) operands.push_back(copyAt(*operand, common, block));
  llvm::Instruction *copy = instruction->clone();
  for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
  // Behind the copies that are there already: a copy's operands may be among them.
  llvm::Instruction *&last = lastCopy_[&block];
  copy->insertInto(&block, last ? std::next(last->getIterator()) : block.getFirstInsertionPt());
  last = copy;
  made_.insert(copy);
  return copies_[{&value, &block}] = copy;
}

static llvm::BasicBlock *blockOf(const llvm::Use &use) {
  auto *user = llvm::cast<llvm::Instruction>(use.getUser());
  auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
  return phi ? phi->getIncomingBlock(use) : user->getParent();
}

// copyBefore() makes a copy for one user alone.
llvm::Value *BarrierRegions::copyBefore(llvm::Value &value, const Values &common, llvm::Instruction &user) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || instruction->getParent() == &start_ || common.contains(instruction)) return &value;
  llvm::Instruction *copy = instruction->clone();
  for (llvm::Use &operand : copy->operands()) operand.set(copyBefore(*operand, common, user));
  copy->insertBefore(user.getIterator());
  made_.insert(copy);
  return copy;
}

// compute() rematerialises the value in each basic block that uses it. A copy that uses it may stand before others.
void BarrierRegions::compute(llvm::Instruction &value, const Values &common) {
  for (llvm::Use &use : llvm::make_early_inc_range(value.uses())) {
    llvm::BasicBlock *block = blockOf(use);
    if (block == value.getParent()) continue;
    auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    use.set(made_.contains(user) ? copyBefore(value, common, *user) : copyAt(value, common, *block));
  }
}

// operandsToShare() lists, of what the value is computed from, what is the same for all threads and may have one slot
// for them. It is not looked at how it came about.
void BarrierRegions::operandsToShare(const llvm::Instruction &value, const UniformValues &uniform, Values &found,
                                     unsigned depth) const {
  constexpr unsigned deepest = 8;
  for (llvm::Value *operand : value.operands()) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
    if (!instruction || instruction->getParent() == &start_ || found.contains(instruction)) continue;
    if (!made_.contains(instruction) && uniform.isUniform(*instruction))
      found.insert(instruction);
    else if (depth < deepest)
      operandsToShare(*instruction, uniform, found, depth + 1);
  }
}

// computeCheapValues() rematerialises values that are live across boundaries and cheap, in place of a slot for each:
// LLVM then sees how an address depends on the thread. The operands may include what is uniform, such as a loop's
// counter, which has one slot for all threads.
void BarrierRegions::computeCheapValues(const UniformValues &uniform, bool together) {
  findLiveValues();
  const Values live = liveValues();
  const auto isSharedWhereUsed = [&](const llvm::Instruction &value, llvm::Instruction &other) {
    const llvm::Loop *loop = uniform.loops().getLoopFor(other.getParent());
    const auto isInside = [&](const llvm::Use &use) { return !loop || loop->contains(blockOf(use)); };
    return llvm::all_of(value.uses(), isInside);
  };
  std::vector<llvm::Instruction *> work(live.begin(), live.end());
  for (size_t i = 0; i < work.size(); ++i) {
    llvm::Instruction *value = work[i];
    Values common;
    for (llvm::Instruction *other : live)
      if (other != value && llvm::isa<llvm::PHINode>(other) && uniform.isUniform(*other) &&
          isSharedWhereUsed(*value, *other))
        common.insert(other);
    unsigned budget = mostOfCheap;
    bool isCheap = this->isCheap(*value, common, budget);
    if (!isCheap && together && !uniform.isUniform(*value)) {
      Values operands;
      operandsToShare(*value, uniform, operands, 0);
      for (llvm::Instruction *operand : operands)
        if (isSharedWhereUsed(*value, *operand)) common.insert(operand);
      budget = mostOfCheap;
      isCheap = this->isCheap(*value, common, budget);
      // They may be cheap themselves.
      if (isCheap) work.insert(work.end(), operands.begin(), operands.end());
    }
    if (isCheap) compute(*value, common);
  }
}

// isLinear(): the result is at a distance from the operand, or a multiple of it.
static bool isLinear(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::GetElementPtr:
      return true;
    default:
      return false;
  }
}

// rootOf() is the one value that this one is a linear function of, by few operations and with what all regions have;
// null: none.
llvm::Instruction *BarrierRegions::rootOf(llvm::Instruction &value) const {
  llvm::Instruction *root = &value;
  unsigned budget = mostOfCheap;
  for (unsigned step = 0; step < mostFromRoot && isLinear(*root); ++step) {
    llvm::SmallPtrSet<llvm::Value *, 2> others;
    for (llvm::Value *operand : root->operands()) {
      unsigned left = budget;
      if (isCheap(*operand, {}, left))
        budget = left;
      else
        others.insert(operand);
    }
    if (others.size() != 1) break;
    root = llvm::cast<llvm::Instruction>(*others.begin());
  }
  return root == &value ? nullptr : root;
}

// computeFromRoots() rematerialises values of which several follow from one value, or that follow from one that has a
// slot anyway: in place of the addresses of ten elements of an array, only the first's index is kept.
void BarrierRegions::computeFromRoots(const UniformValues &uniform, bool together) {
  findLiveValues();
  const Values live = liveValues();
  llvm::MapVector<llvm::Instruction *, llvm::SmallVector<llvm::Instruction *>> valuesOf;
  for (llvm::Instruction *value : live)
    if (llvm::Instruction *root = rootOf(*value); root && !(together && uniform.isUniform(*value)))
      valuesOf[root].push_back(value);
  for (auto &[root, values] : valuesOf) {
    if (values.size() < 2 && !live.contains(root)) continue;
    Values kept;
    kept.insert(root);
    for (llvm::Instruction *value : values) compute(*value, kept);
  }
}

void BarrierRegions::keepInSlot(llvm::Instruction &value, bool uniform) {
  Slot slot;
  slot.uniform = uniform;
  for (unsigned i = 0; i < regions_.size(); ++i)
    if (liveInto_[i].contains(&value)) slot.liveInto.insert(i);
  slot.storage = demoteToStack(value, *start_.getTerminator());
  slots_.push_back(std::move(slot));
}

size_t BarrierRegions::instructionCount() const {
  size_t count = 0;
  const auto add = [&](const Region &region) {
    for (const llvm::BasicBlock *block : region.blocks) count += block->size();
  };
  llvm::for_each(regions_, add);
  add(whole_);
  return count;
}

}  // namespace hostwarp::compiler
