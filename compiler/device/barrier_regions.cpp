#include "compiler/device/barrier_regions.h"

#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace hostwarp::compiler {

BarrierRegions::BarrierRegions(llvm::Function &function, llvm::BasicBlock &start,
                               llvm::ArrayRef<llvm::Value *> threadValues, llvm::ArrayRef<llvm::CallInst *> barriers)
    : function_(function), start_(start) {
  regions_.resize(barriers.size() + 1);
  regions_[0].entry = start.getSingleSuccessor();
  split(barriers);
  for (Region &region : regions_) findRegion(region);
  if (barriers.empty()) return;
  const UniformValues uniform(function, threadValues);
  for (Region &region : regions_) region.nextIsUniform = region.next.size() == 1 || !separatesAtEnd(region, uniform);
  findLiveValues();
  const bool share = mayShare();
  Values values;
  for (const Values &live : liveInto_) values.insert(live.begin(), live.end());
  // What is cheap to compute again is worth more than its slot: LLVM sees how an address depends on the thread.
  for (llvm::Instruction *value : values) {
    unsigned budget = 12;
    if (isCheap(*value, budget))
      compute(*value);
    else
      keepInSlot(*value, share && uniform.isUniform(*value));
  }
}

void BarrierRegions::split(llvm::ArrayRef<llvm::CallInst *> barriers) {
  for (unsigned i = 0; i < barriers.size(); ++i) {
    llvm::BasicBlock *before = barriers[i]->getParent();
    regions_[i + 1].entry = llvm::SplitBlock(before, barriers[i]);
    barriers[i]->eraseFromParent();
  }
  for (unsigned i = 1; i < regions_.size(); ++i) after_[regions_[i].entry->getSinglePredecessor()] = i;
}

void BarrierRegions::findRegion(Region &region) const {
  region.blocks.insert(region.entry);
  for (size_t i = 0; i < region.blocks.size(); ++i) {
    llvm::BasicBlock *block = region.blocks[i];
    if (const unsigned *next = after(block)) {
      region.next.insert(*next);
      continue;
    }
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) region.next.insert(exit());
    region.blocks.insert(llvm::succ_begin(block), llvm::succ_end(block));
  }
}

// endsBetween() lists how a thread may leave the region before it comes to `until`.
std::vector<unsigned> BarrierRegions::endsBetween(llvm::BasicBlock &from, const llvm::BasicBlock *until) const {
  std::vector<unsigned> ends;
  llvm::SmallSetVector<llvm::BasicBlock *, 16> blocks;
  blocks.insert(&from);
  for (size_t i = 0; i < blocks.size(); ++i) {
    llvm::BasicBlock *block = blocks[i];
    if (block == until) continue;
    if (const unsigned *next = after(block)) {
      ends.push_back(*next);
      continue;
    }
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) ends.push_back(exit());
    blocks.insert(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return ends;
}

bool BarrierRegions::separatesAtEnd(const Region &region, const UniformValues &uniform) const {
  return llvm::any_of(region.blocks, [&](llvm::BasicBlock *block) {
    if (after(block) || !uniform.separates(*block)) return false;
    const llvm::BasicBlock *until = uniform.meeting(*block);
    return llvm::any_of(llvm::successors(block),
                        [&](llvm::BasicBlock *next) { return !endsBetween(*next, until).empty(); });
  });
}

// mayShare(): threads that are not at the end stay together, so that a uniform value needs one slot for all of them.
bool BarrierRegions::mayShare() const {
  return llvm::all_of(regions_, [&](const Region &region) {
    return region.nextIsUniform || region.next.size() - region.next.count(exit()) <= 1;
  });
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
  for (const Region &region : regions_) liveInto_.push_back(live[region.entry]);
}

// isCheap(): the value follows from what all regions have, by few operations without side effects.
bool BarrierRegions::isCheap(const llvm::Value &value, unsigned &budget) const {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || instruction->getParent() == &start_) return true;
  const bool isArithmetic =
      llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst, llvm::SelectInst>(
          instruction);
  if (!isArithmetic || instruction->isIntDivRem() || budget == 0) return false;
  --budget;
  return llvm::all_of(instruction->operands(), [&](const llvm::Value *operand) { return isCheap(*operand, budget); });
}

llvm::Value *BarrierRegions::copyAt(llvm::Value &value, llvm::BasicBlock &block) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || instruction->getParent() == &start_) return &value;
  if (auto known = copies_.find({&value, &block}); known != copies_.end()) return known->second;
  llvm::SmallVector<llvm::Value *> operands;
  for (llvm::Value *operand : instruction->operands()) operands.push_back(copyAt(*operand, block));
  llvm::Instruction *copy = instruction->clone();
  for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
  // Behind the copies that are there already: a copy's operands may be among them.
  llvm::Instruction *&last = lastCopy_[&block];
  if (last)
    copy->insertAfter(last);
  else
    copy->insertBefore(block.getFirstInsertionPt());
  last = copy;
  return copies_[{&value, &block}] = copy;
}

// compute() makes each block that uses the value compute it for itself.
void BarrierRegions::compute(llvm::Instruction &value) {
  for (llvm::Use &use : llvm::make_early_inc_range(value.uses())) {
    auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
    llvm::BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
    if (block != value.getParent()) use.set(copyAt(value, *block));
  }
}

void BarrierRegions::keepInSlot(llvm::Instruction &value, bool uniform) {
  Slot slot;
  slot.uniform = uniform;
  for (unsigned i = 0; i < regions_.size(); ++i)
    if (liveInto_[i].contains(&value)) slot.liveInto.insert(i);
  slot.storage = llvm::DemoteRegToStack(value, false, start_.getTerminator()->getIterator());
  slots_.push_back(std::move(slot));
}

size_t BarrierRegions::instructionCount() const {
  size_t count = 0;
  for (const Region &region : regions_)
    for (const llvm::BasicBlock *block : region.blocks) count += block->size();
  return count;
}

}  // namespace hostwarp::compiler
