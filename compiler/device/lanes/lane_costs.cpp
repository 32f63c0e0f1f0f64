#include "compiler/device/lanes/lane_costs.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cmath>

#include "compiler/device/lanes/access_groups.h"
#include "compiler/device/lanes/dead_ends.h"
#include "compiler/device/lanes/lane_assumptions.h"
#include "compiler/device/lanes/lane_atomics.h"
#include "compiler/device/lanes/lane_checks.h"
#include "compiler/device/lanes/lane_emitter.h"
#include "compiler/device/lanes/lane_patterns.h"

namespace hostwarp::compiler {

namespace {

// Costs are about cycles of a current processor.
class Costs {
 public:
  Costs(const LaneShapes &shapes, const llvm::DataLayout &layout, unsigned lanes, unsigned registerBits)
      : shapes_(shapes), layout_(layout), lanes_(lanes), registerBits_(registerBits) {}

  // ofThread() is for one thread by itself, `depth` loops of its own further in.
  double ofThread(const llvm::Instruction &instruction, unsigned depth) const {
    if (isFree(instruction)) return 0;
    if (isLaneCheck(instruction, shapes_)) return kCheck;
    if (llvm::isa<llvm::AtomicRMWInst>(instruction)) return 10;
    if (isCall(instruction)) return 10;
    if (isSlow(instruction)) return instruction.getType()->isIntegerTy() ? 10 : 4;
    // A thread that goes through its loop alone reads a part of each cache line only.
    const llvm::Value *address = addressOf(instruction);
    return address && depth > 0 && isSideBySide(*address) && !isFarApart(*address, depth) ? 4 : 1;
  }

  double ofLanes(const llvm::Instruction &instruction, unsigned depth, const LaneAssumptions &assumptions,
                 const AccessGroups::Group *group, const std::optional<LaneWindow> &window) const {
    if (isFree(instruction)) return 0;
    if (isLaneCheck(instruction, shapes_)) return kCheck + 4.0 * lanes_;
    if (isSpecialLoad(instruction)) return 12.0 * lanes_;
    if (group) return ofMember(*group);
    if (window) return ofWindow(instruction, *window);
    if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
        atomic && isCombined(*atomic, shapes_.of(*atomic->getPointerOperand())))
      return 20 + 8 * registersOf(*atomic->getType());
    if (laneCallee(instruction)) return kLaneCall;
    if (llvm::isa<llvm::AtomicRMWInst>(instruction) || isCall(instruction)) return 12.0 * lanes_;
    if (const llvm::Value *address = addressOf(instruction)) return ofAccess(instruction, *address, depth, assumptions);
    if (!shapes_.of(instruction).isVarying()) return 1;
    const double registers = registersOf(*instruction.getType());
    if (!isSlow(instruction)) return 1.3 * registers;
    if (!instruction.getType()->isIntegerTy()) return 8 * registers;
    constexpr double doubles = 64;  // bits, of which 32 come to two
    const bool fits = instruction.getType()->getIntegerBitWidth() <= 32;
    return fits ? 16 * std::max(1.0, doubles * lanes_ / registerBits_) : 11.0 * lanes_;
  }

  // isAnywhere(): the lanes' elements have to be fetched or stored one by one.
  bool isAnywhere(const llvm::Instruction &instruction, unsigned depth, const LaneAssumptions &assumptions) const {
    const llvm::Value *address = addressOf(instruction);
    if (!address) return false;
    const Shape shape = assumptions.of(*address);
    if (shape.isVarying()) return shapes_.comesFromMemory(*address) || isFarApart(*address, depth);
    return !shape.isUniform() && !isWide(instruction, shape);
  }

 private:
  static constexpr double kCheck = 50, kLaneCall = 60;

  static bool isFree(const llvm::Instruction &instruction) {
    if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      return intrinsic->isAssumeLikeIntrinsic() || llvm::isa<llvm::DbgInfoIntrinsic>(intrinsic);
    return llvm::isa<llvm::PHINode, llvm::BitCastInst, llvm::GetElementPtrInst, llvm::BranchInst>(instruction);
  }

  static bool isCall(const llvm::Instruction &instruction) {
    return llvm::isa<llvm::CallInst>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction);
  }

  // isSpecialLoad(): volatile, or in an order with others.
  static bool isSpecialLoad(const llvm::Instruction &instruction) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load && !load->isSimple();
  }

  static bool isSlow(const llvm::Instruction &instruction) {
    switch (instruction.getOpcode()) {
      case llvm::Instruction::UDiv:
      case llvm::Instruction::SDiv:
      case llvm::Instruction::URem:
      case llvm::Instruction::SRem:
        return !llvm::isa<llvm::Constant>(instruction.getOperand(1));
      case llvm::Instruction::FDiv:
        return true;
      default:
        return false;
    }
  }

  static const llvm::Value *addressOf(const llvm::Instruction &instruction) {
    return llvm::getLoadStorePointerOperand(&instruction);
  }

  // isSideBySide(): the lanes' elements are, or may well be.
  bool isSideBySide(const llvm::Value &address) const {
    return !shapes_.of(address).isUniform() && !shapes_.comesFromMemory(address);
  }

  // isFarApart(): each thread goes through memory of its own in a loop, as many bytes from its neighbour's as a number
  // says that is not known: "for (i = t * n; i < (t + 1) * n; ++i) a[i]".
  bool isFarApart(const llvm::Value &address, unsigned depth) const {
    return depth > 0 && shapes_.of(address).isVarying() && hasProduct(address);
  }

  // isProduct(): a number that differs between the lanes times one that they have in common.
  bool isProduct(const llvm::Instruction &instruction) const {
    return instruction.getOpcode() == llvm::Instruction::Mul &&
           llvm::any_of(instruction.operands(), [&](const llvm::Value *operand) {
             return !llvm::isa<llvm::Constant>(operand) && shapes_.of(*operand).isUniform();
           });
  }

  // hasProduct(): part of the sum is one, as far as a few steps tell.
  bool hasProduct(const llvm::Value &sum) const {
    constexpr unsigned most = 32;
    llvm::SmallSetVector<const llvm::Value *, most> parts;
    parts.insert(&sum);
    for (unsigned i = 0; i < parts.size() && i < most; ++i) {
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(parts[i]);
      if (!instruction || shapes_.of(*instruction).isUniform()) continue;
      if (isProduct(*instruction)) return true;
      const unsigned code = instruction->getOpcode();
      if (code == llvm::Instruction::Add || code == llvm::Instruction::Sub ||
          llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(
              instruction))
        for (const llvm::Value *operand : instruction->operands()) parts.insert(operand);
    }
    return false;
  }

  double ofAccess(const llvm::Instruction &instruction, const llvm::Value &address, unsigned depth,
                  const LaneAssumptions &assumptions) const {
    llvm::Type &type = *llvm::getLoadStoreType(const_cast<llvm::Instruction *>(&instruction));
    const Shape shape = shapes_.of(address);
    const auto bytes = static_cast<int64_t>(layout_.getTypeStoreSize(&type));
    if (shape.isUniform() && !llvm::isa<llvm::StoreInst>(instruction)) return 1;
    if (isWide(instruction, shape)) return 1.3 * registersOf(type);
    if (shape.isVarying() && !assumptions.of(address).isVarying()) return 1 + 1.3 * registersOf(type);
    const bool isFar = isFarApart(address, depth);
    if (!shape.isStrided() && !shapes_.comesFromMemory(address) && !isFar) return 4 + registersOf(type);
    const bool isStore = llvm::isa<llvm::StoreInst>(instruction);
    // Each line of the cache is written a part at a time, and those of all lanes tend to share their place there.
    const double each = isStore && isFar ? 8 : bytes < 4 ? 5 : isStore ? 4 : 1.5;
    return each * lanes_;
  }

  bool isWide(const llvm::Instruction &instruction, Shape shape) const {
    llvm::Type *type = llvm::getLoadStoreType(const_cast<llvm::Instruction *>(&instruction));
    return shape.isStrided() && shape.stride() == static_cast<int64_t>(layout_.getTypeStoreSize(type));
  }

  // ofMember() is an access's part in its group: accesses of all lanes, what joins them, a transposition.
  double ofMember(const AccessGroups::Group &group) const {
    const double elements = group.elements();
    if (elements < 4) return 1.5 * elements * registersOf(*group.type);
    return (lanes_ * (group.stride ? 2 : 3) - elements) / elements + std::log2(elements) * registersOf(*group.type);
  }

  // ofWindow() is a permutation for each vector that the elements lie in, or that is made of them.
  double ofWindow(const llvm::Instruction &access, const LaneWindow &window) const {
    const double vectors = window.count > lanes_ ? 2 : 1;
    return 2.6 * vectors * registersOf(*llvm::getLoadStoreType(const_cast<llvm::Instruction *>(&access)));
  }

  double registersOf(llvm::Type &type) const {
    const double bits = type.isVoidTy() ? 0 : static_cast<double>(layout_.getTypeSizeInBits(&type).getFixedValue());
    return std::max(1.0, bits * lanes_ / registerBits_);
  }

  const LaneShapes &shapes_;
  const llvm::DataLayout &layout_;
  const double lanes_, registerBits_;
};

}  // namespace

LaneCosts costsOf(const ThreadLoop &threads, const LaneShapes &shapes, const llvm::LoopInfo &loops,
                  llvm::ScalarEvolution &evolution, unsigned lanes, unsigned registerBits) {
  constexpr double turns = 8;  // of a loop
  constexpr double idle = 2;   // where the lanes' numbers of turns come from memory, only half of them are busy
  const Costs costs(shapes, threads.loop().getHeader()->getModule()->getDataLayout(), lanes, registerBits);
  LaneCosts all;
  LanePatterns patterns(shapes, lanes);
  for (llvm::BasicBlock *block : threads.loop().blocks()) {
    if (isDeadEnd(*block)) continue;
    double weight = 1, waste = 1;
    unsigned depth = 0;
    for (const llvm::Loop *loop = loops.getLoopFor(block); loop != &threads.loop(); loop = loop->getParentLoop()) {
      weight *= turns;
      ++depth;
      if (shapes.leavesByMemory(*loop)) waste *= idle;
    }
    const LaneAssumptions assumptions(shapes, evolution, *block, lanes, true);
    const TurnGraph &graph = shapes.graphAround(block);
    const bool isMasked = shapes.isPartial(graph, graph.nodeOf(block));
    std::unique_ptr<AccessGroups> groups;
    const auto shapeOf = [&](const llvm::Value &value) { return assumptions.of(value); };
    if (!isMasked) groups = std::make_unique<AccessGroups>(shapeOf, evolution, *block, lanes);
    for (const llvm::Instruction &instruction : *block) {
      all.oneByOne += weight * lanes * costs.ofThread(instruction, depth);
      const AccessGroups::Group *group = groups ? groups->of(instruction) : nullptr;
      const bool isAccess = llvm::getLoadStorePointerOperand(&instruction) != nullptr;
      const auto window = isAccess ? patterns.windowOf(instruction, isMasked) : std::nullopt;
      const double together = weight * waste * costs.ofLanes(instruction, depth, assumptions, group, window);
      all.together += together;
      if (!group && !window && costs.isAnywhere(instruction, depth, assumptions)) all.anywhere += together;
    }
  }
  return all;
}

}  // namespace hostwarp::compiler
