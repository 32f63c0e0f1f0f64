// Estimates how many registers a GPU would give a thread of each kernel, for cudaFuncGetAttributes and the occupancy
// calculator: as many as hold what is alive at the fullest point of the code.
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "compiler/device/llvm_versions.h"
#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// What a kernel has beyond its values: the stack pointer, and addresses on their way to an access.
constexpr unsigned always = 8;
constexpr unsigned fewest = 8;
constexpr unsigned fewestByLimit = 16;
constexpr unsigned most = 255;
constexpr unsigned registersOfBlock = 65536;
constexpr unsigned partsOfSm = 4;
constexpr unsigned warp = 32;

// Functions with more instructions take all that there are: to follow their values would take too long.
constexpr unsigned large = 20000;

// holder() is the value whose register an operand is read from: a constant offset is part of the instruction that uses
// the address, and an index is widened by the one that computes it.
const llvm::Value *holder(const llvm::Value *value) {
  while (true) {
    if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(value); address && address->hasAllConstantIndices())
      value = address->getPointerOperand();
    else if (llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst, llvm::FreezeInst>(value))
      value = llvm::cast<llvm::Instruction>(value)->getOperand(0);
    else
      return value;
  }
}

// indexOf() is the part of an index that is not constant.
const llvm::Value *indexOf(const llvm::Value *index) {
  index = holder(index);
  auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(index);
  const bool isOffset =
      sum && sum->getOpcode() == llvm::Instruction::Add && llvm::isa<llvm::ConstantInt>(sum->getOperand(1));
  return isOffset ? holder(sum->getOperand(0)) : index;
}

// AddressBase is what two addresses must have in common to differ by a constant: one register serves both.
using AddressBase = std::pair<const llvm::Value *, std::vector<std::pair<const llvm::Value *, uint64_t>>>;

AddressBase addressOf(const llvm::GetElementPtrInst &pointer, const llvm::DataLayout &layout) {
  const unsigned bits = layout.getIndexTypeSizeInBits(pointer.getType());
  IndexScales scales;
  llvm::APInt offset(bits, 0);
  AddressBase result{holder(pointer.getPointerOperand()), {}};
  if (!pointer.collectOffset(layout, bits, scales, offset)) return {&pointer, {}};
  for (const auto &[index, scale] : scales) result.second.emplace_back(indexOf(index), scale.getZExtValue());
  return result;
}

// isParameter(): the value stands in a GPU's constant bank, from where instructions take it as an operand.
bool isParameter(const llvm::Value &value) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (!load || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) return false;
  const llvm::Value *from = holder(load->getPointerOperand());
  return llvm::isa<llvm::Argument>(from) || isParameter(*from);
}

// isThread(): the thread's own state, which a GPU has in special registers.
bool isThread(const llvm::Value &value) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&value);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == "hw_self";
}

// Liveness finds the largest number of 32-bit registers alive at once in one function.
class Liveness {
 public:
  explicit Liveness(const llvm::Function &function)
      : function_(function), layout_(function.getParent()->getDataLayout()) {
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block) number(instruction);
    solve();
  }

  // walk() shows `see` each instruction with the number of registers alive right behind it.
  template <typename See>
  void walk(See see) const {
    for (const llvm::BasicBlock &block : function_) {
      Alive alive = aliveAtEnd(block);
      for (const llvm::Instruction &instruction : llvm::reverse(block)) {
        see(instruction, alive.registers);
        step(instruction, alive);
      }
    }
  }

 private:
  struct Alive {
    llvm::BitVector values;
    unsigned registers = 0;
  };

  void number(const llvm::Instruction &instruction) {
    if (holder(&instruction) != &instruction || isParameter(instruction) || isThread(instruction)) return;
    const llvm::Type *type = instruction.getType();
    if (type->isVoidTy() || type->isIntegerTy(1) || llvm::isa<llvm::AllocaInst>(instruction)) return;
    if (auto *pointer = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      auto [known, isNew] =
          addresses_.try_emplace(addressOf(*pointer, layout_), static_cast<unsigned>(registers_.size()));
      if (!isNew) {
        number_[&instruction] = known->second;
        return;
      }
    }
    const uint64_t bits = layout_.getTypeSizeInBits(const_cast<llvm::Type *>(type)).getKnownMinValue();
    number_[&instruction] = static_cast<unsigned>(registers_.size());
    registers_.push_back(static_cast<unsigned>((bits + 31) / 32));
  }

  // numberOf() is -1 for what takes no register.
  int numberOf(const llvm::Value *value) const {
    const auto found = number_.find(holder(value));
    return found == number_.end() ? -1 : static_cast<int>(found->second);
  }

  void add(const llvm::Value *value, Alive &alive) const {
    const int index = numberOf(value);
    if (index < 0 || alive.values.test(index)) return;
    alive.values.set(index);
    alive.registers += registers_[index];
  }

  // step() goes from behind `instruction` to in front of it. What a phi takes is alive at the end of its predecessor.
  void step(const llvm::Instruction &instruction, Alive &alive) const {
    const auto found = number_.find(&instruction);
    if (found != number_.end() && alive.values.test(found->second)) {
      alive.values.reset(found->second);
      alive.registers -= registers_[found->second];
    }
    if (llvm::isa<llvm::PHINode>(instruction) || holder(&instruction) != &instruction) return;
    for (const llvm::Value *operand : instruction.operand_values()) add(operand, alive);
  }

  Alive aliveAtEnd(const llvm::BasicBlock &block) const {
    Alive alive{llvm::BitVector(static_cast<unsigned>(registers_.size()))};
    for (const llvm::BasicBlock *next : llvm::successors(&block)) {
      if (const auto found = atStart_.find(next); found != atStart_.end()) alive.values |= found->second;
      for (const llvm::PHINode &phi : next->phis())
        if (const int index = numberOf(phi.getIncomingValueForBlock(&block)); index >= 0) alive.values.set(index);
    }
    for (const unsigned index : alive.values.set_bits()) alive.registers += registers_[index];
    return alive;
  }

  void solve() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::BasicBlock *block : llvm::post_order(&function_)) {
        Alive alive = aliveAtEnd(*block);
        for (const llvm::Instruction &instruction : llvm::reverse(*block)) step(instruction, alive);
        llvm::BitVector &known = atStart_[block];
        changed |= known != alive.values;
        known = std::move(alive.values);
      }
    }
  }

  const llvm::Function &function_;
  const llvm::DataLayout &layout_;
  llvm::DenseMap<const llvm::Value *, unsigned> number_;
  std::map<AddressBase, unsigned> addresses_;
  std::vector<unsigned> registers_;  // by number
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> atStart_;
};

class Estimates {
 public:
  // of() is the largest sum along any call path from `function`. Recursion counts once.
  unsigned of(const llvm::Function &function) {
    if (function.isDeclaration()) return 0;
    if (function.getInstructionCount() > large) return most;
    auto [entry, isNew] = known_.try_emplace(&function, 0);
    if (!isNew) return entry->second;
    unsigned most = 0;
    Liveness(function).walk([&](const llvm::Instruction &instruction, unsigned alive) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      most = std::max(most, alive + (callee ? of(*callee) : 0));
    });
    return known_[&function] = most;
  }

 private:
  llvm::DenseMap<const llvm::Function *, unsigned> known_;
};

// boundedBlocks() is how many registers each thread of so many blocks may have for all of them to fit an SM. An SM has
// four parts with registers of their own, and the largest one's share of the warps counts.
unsigned boundedBlocks(unsigned threads, unsigned blocks) {
  const unsigned warps = llvm::divideCeil(threads, warp) * std::max(1U, blocks);
  return registersOfBlock / (llvm::alignTo(warps, partsOfSm) * warp) / 8 * 8;
}

// limit(): bounds of the kernel's own count for more than the compiler's option.
unsigned limit(const Kernel &kernel, const Options &options) {
  if (kernel.maxRegisters) return std::clamp(kernel.maxRegisters, fewestByLimit, most);
  if (const unsigned threads = maxThreadsPerBlock(kernel))
    return std::clamp(boundedBlocks(threads, kernel.minBlocksPerSm), fewest, most);
  return options.maxRegisters ? std::clamp(options.maxRegisters, fewestByLimit, most) : most;
}

}  // namespace

void estimateRegisters(DeviceModule &device) {
  Estimates estimates;
  for (Kernel &kernel : device.kernels) {
    const unsigned wanted = always + estimates.of(threadEntry(kernel));
    kernel.registers = std::clamp(wanted, fewest, limit(kernel, device.options));
  }
}

}  // namespace hostwarp::compiler
