// Of the places where keepWarpsInStep() has lanes meet, keeps those that have an order to keep: where something that a
// lane does before may meet, in memory, with what another does after, and no barrier comes in between anyway.
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/device/collectives.h"
#include "compiler/device/memory_spaces.h"
#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// Each meeting costs a walk through the function, so that very many would take quadratic time.
constexpr size_t mostMeetings = 200;

// keepsOrder(): the call is a convergence point that orders accesses before it against those after it.
bool keepsOrder(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call) return false;
  if (const std::optional<Exchange> exchange = exchangeOf(*call))
    return keepsStep(instruction) || isBarrierOfAll(exchange->kind);
  return false;
}

// Accesses are the memory spaces that are accessed on some path, and those of them with volatile stores.
class Accesses {
 public:
  void add(const llvm::Instruction &instruction) {
    if (!instruction.mayReadOrWriteMemory() || instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return;
    const llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction);
    const MemorySpace space = address ? spaceOf(*address) : MemorySpace::Unknown;
    if (space == MemorySpace::Local) return;
    const unsigned bit = 1U << static_cast<unsigned>(space);
    any_ |= bit;
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (store && store->isVolatile()) stores_ |= bit;
  }

  void add(const Accesses &other) {
    any_ |= other.any_;
    stores_ |= other.stores_;
  }

  // meets(): an access of each side may go to the same memory, and one of the two is a volatile store.
  bool meets(const Accesses &others) const { return overlap(stores_, others.any_) || overlap(any_, others.stores_); }
  bool empty() const { return any_ == 0; }

 private:
  static bool overlap(unsigned a, unsigned b) {
    constexpr unsigned unknown = 1U << static_cast<unsigned>(MemorySpace::Unknown);
    return (a & b) != 0 || (a != 0 && (b & unknown) != 0) || (b != 0 && (a & unknown) != 0);
  }

  unsigned any_ = 0, stores_ = 0;
};

// scan() adds the accesses up to the next convergence point; true if the range has one.
template <class Range>
bool scan(const Range &instructions, Accesses &accesses) {
  for (const llvm::Instruction &instruction : instructions) {
    if (keepsOrder(instruction)) return true;
    accesses.add(instruction);
  }
  return false;
}

Accesses before(const llvm::Instruction &place) {
  Accesses accesses;
  const llvm::BasicBlock *block = place.getParent();
  if (scan(llvm::make_range(std::next(place.getReverseIterator()), block->rend()), accesses)) return accesses;
  llvm::SmallVector<const llvm::BasicBlock *> work(llvm::pred_begin(block), llvm::pred_end(block));
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> seen;
  while (!work.empty()) {
    const llvm::BasicBlock *next = work.pop_back_val();
    if (!seen.insert(next).second || scan(llvm::reverse(*next), accesses)) continue;
    work.append(llvm::pred_begin(next), llvm::pred_end(next));
  }
  return accesses;
}

Accesses from(const llvm::BasicBlock &first) {
  Accesses accesses;
  llvm::SmallVector<const llvm::BasicBlock *> work{&first};
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> seen;
  while (!work.empty()) {
    const llvm::BasicBlock *next = work.pop_back_val();
    if (!seen.insert(next).second || scan(*next, accesses)) continue;
    work.append(llvm::succ_begin(next), llvm::succ_end(next));
  }
  return accesses;
}

Accesses after(const llvm::Instruction &place) {
  Accesses accesses;
  const llvm::BasicBlock *block = place.getParent();
  if (scan(llvm::make_range(std::next(place.getIterator()), block->end()), accesses)) return accesses;
  for (const llvm::BasicBlock *next : llvm::successors(block)) accesses.add(from(*next));
  return accesses;
}

bool isNeedless(const llvm::Instruction &meeting) { return !before(meeting).meets(after(meeting)); }

// moveOn() moves a meeting at the end of its basic block to the outgoing edges that need it; false: it stays, because
// all of them do.
bool moveOn(llvm::Instruction &meeting) {
  llvm::BasicBlock *block = meeting.getParent();
  Accesses rest;
  if (scan(llvm::make_range(std::next(meeting.getIterator()), block->end()), rest) || !rest.empty()) return false;
  if (!llvm::isa<llvm::BranchInst>(block->getTerminator())) return false;
  const Accesses earlier = before(meeting);
  llvm::SmallVector<llvm::BasicBlock *> needing;
  for (llvm::BasicBlock *next : llvm::successors(block))
    if (earlier.meets(from(*next))) needing.push_back(next);
  if (needing.size() == block->getTerminator()->getNumSuccessors()) return false;
  for (llvm::BasicBlock *next : needing) {
    llvm::BasicBlock *way = llvm::SplitEdge(block, next);
    meeting.clone()->insertInto(way, way->begin());
  }
  return true;
}

llvm::SmallVector<llvm::Instruction *> meetingsOf(llvm::Function &function) {
  llvm::SmallVector<llvm::Instruction *> meetings;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (keepsStep(instruction)) meetings.push_back(&instruction);
  return meetings;
}

}  // namespace

void dropNeedlessMeetings(DeviceModule &device) {
  if (device.options.optimisation == 0) return;
  for (llvm::Function &function : device.module) {
    const llvm::SmallVector<llvm::Instruction *> meetings = meetingsOf(function);
    if (meetings.size() > mostMeetings) continue;
    for (llvm::Instruction *meeting : meetings)
      if (isNeedless(*meeting) || moveOn(*meeting)) meeting->eraseFromParent();
  }
}

}  // namespace hostwarp::compiler
