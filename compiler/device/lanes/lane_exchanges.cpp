#include "compiler/device/lanes/lane_exchanges.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>

#include <cstdlib>

#include "compiler/device/lanes/thread_rows.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

constexpr int64_t exchangedLanes = 32;
constexpr size_t mostPairs = 2000;

class Exchanges {
 public:
  // `loops`: two accesses count only where a loop that a thread goes through has both; null: everywhere.
  Exchanges(const ThreadLoop &threads, const LaneShapes &shapes, llvm::ScalarEvolution &evolution,
            const llvm::LoopInfo *loops)
      : threads_(threads), shapes_(shapes), evolution_(evolution), loops_(loops), rows_(threads.loop(), evolution) {}

  bool any() {
    llvm::SmallVector<Access> reads, writes;
    for (llvm::BasicBlock *block : threads_.loop().blocks())
      for (llvm::Instruction &instruction : *block) {
        llvm::Value *address = addressOf(instruction);
        if (!address || isNobodysElse(instruction, *address)) continue;
        const Access access{address, sizeOf(instruction), outermostLoopOf(*block), isAtomicUpdate(instruction)};
        if (!llvm::isa<llvm::LoadInst>(instruction)) writes.push_back(access);
        if (!llvm::isa<llvm::StoreInst>(instruction)) reads.push_back(access);
      }
    if (reads.size() * writes.size() > mostPairs) return false;
    return llvm::any_of(writes, [&](const Access &write) {
      return llvm::any_of(reads, [&](const Access &read) { return mayMeet(write, read); });
    });
  }

 private:
  struct Access {
    llvm::Value *address;
    uint64_t size;
    const llvm::Loop *loop;  // of those inside the loop over threads the outermost; null: none
    bool isAtomic;           // it reads and writes
  };

  static bool isAtomicUpdate(const llvm::Instruction &instruction) {
    return llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction);
  }

  // addressOf() is null for what does not access memory.
  static llvm::Value *addressOf(llvm::Instruction &instruction) {
    return isAtomicUpdate(instruction) ? instruction.getOperand(0) : llvm::getLoadStorePointerOperand(&instruction);
  }

  static uint64_t sizeOf(llvm::Instruction &access) {
    llvm::Type *type = nullptr;
    if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&access))
      type = exchange->getNewValOperand()->getType();
    else
      type = isAtomicUpdate(access) ? access.getType() : llvm::getLoadStoreType(&access);
    return access.getModule()->getDataLayout().getTypeStoreSize(type).getFixedValue();
  }

  const llvm::Loop *outermostLoopOf(const llvm::BasicBlock &block) const {
    const llvm::Loop *loop = loops_ ? loops_->getLoopFor(&block) : nullptr;
    if (loop == &threads_.loop()) return nullptr;
    while (loop && loop->getParentLoop() != &threads_.loop()) loop = loop->getParentLoop();
    return loop;
  }

  // isNobodysElse(): no other thread writes or reads there, or who does is decided by what is in memory, which no
  // program can rely on.
  bool isNobodysElse(const llvm::Instruction &instruction, llvm::Value &address) const {
    if (instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return true;
    llvm::SmallPtrSet<const llvm::Value *, 16> seen;
    return isOfThread(address) || comesFromMemory(address, seen);
  }

  // isOfThread(): the frame has each thread's own variables, and hw_thread nothing that the program writes.
  bool isOfThread(llvm::Value &address) const {
    const llvm::Value *base = baseOf(address);
    return !base || llvm::isa<llvm::AllocaInst>(base) || isOwnOfThreads(*base) || isCurrentThread(*base);
  }

  // comesFromMemory() is as LaneShapes', but for what a thread has kept for itself.
  bool comesFromMemory(llvm::Value &value, llvm::SmallPtrSetImpl<const llvm::Value *> &seen) const {
    if (!shapes_.comesFromMemory(value) || !seen.insert(&value).second) return false;
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction) return true;
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction)) return !isOfThread(*load->getPointerOperand());
    if (llvm::isa<llvm::CallBase, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) return true;
    return llvm::any_of(instruction->operands(), [&](llvm::Use &each) { return comesFromMemory(*each, seen); });
  }

  const llvm::Value *baseOf(llvm::Value &address) const {
    auto *base = llvm::dyn_cast<llvm::SCEVUnknown>(evolution_.getPointerBase(evolution_.getSCEV(&address)));
    return base ? base->getValue() : nullptr;
  }

  bool mayMeet(const Access &write, const Access &read) const {
    // Each thread's update is whole, and in which order they come no program can rely on.
    if (write.isAtomic && read.isAtomic) return false;
    if (loops_ && (!write.loop || write.loop != read.loop)) return false;
    return mayMeet(*write.address, *read.address) &&
           !rows_.areApart(*write.address, write.size, *read.address, read.size);
  }

  bool mayMeet(llvm::Value &write, llvm::Value &read) const {
    if (baseOf(write) != baseOf(read)) return false;
    const llvm::SCEV *to = evolution_.getSCEV(&write);
    auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(evolution_.getSCEV(&read), to));
    if (!constant) return true;
    const int64_t distance = constant->getAPInt().getSExtValue();
    if (distance == 0) return !stepsWithThreads(*to);
    const Shape shape = shapes_.of(write);
    if (!shape.isStrided()) return true;
    const int64_t stride = shape.stride();
    return stride != 0 && distance % stride == 0 && std::abs(distance / stride) < exchangedLanes;
  }

  // stepsWithThreads(): each thread has an address of its own, by a step that need not be known.
  bool stepsWithThreads(const llvm::SCEV &address) const {
    if (auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&address))
      return recurrence->getLoop() == &threads_.loop() || stepsWithThreads(*recurrence->getStart());
    if (auto *cast = llvm::dyn_cast<llvm::SCEVCastExpr>(&address)) return stepsWithThreads(*cast->getOperand());
    // What else there is in a sum or product must not undo the step.
    if (!llvm::isa<llvm::SCEVAddExpr, llvm::SCEVMulExpr>(address)) return false;
    size_t stepping = 0, fixed = 0;
    for (const llvm::SCEV *part : address.operands())
      evolution_.isLoopInvariant(part, &threads_.loop()) ? ++fixed : stepping += stepsWithThreads(*part);
    return stepping == 1 && stepping + fixed == address.operands().size();
  }

  const ThreadLoop &threads_;
  const LaneShapes &shapes_;
  llvm::ScalarEvolution &evolution_;
  const llvm::LoopInfo *loops_;
  const ThreadRows rows_;
};

}  // namespace

bool mayExchange(const ThreadLoop &threads, const LaneShapes &shapes, llvm::ScalarEvolution &evolution) {
  return Exchanges(threads, shapes, evolution, nullptr).any();
}

bool mayExchangeInLoops(const ThreadLoop &threads, const LaneShapes &shapes, llvm::ScalarEvolution &evolution,
                        const llvm::LoopInfo &loops) {
  return Exchanges(threads, shapes, evolution, &loops).any();
}

}  // namespace hostwarp::compiler
