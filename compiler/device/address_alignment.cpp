#include "compiler/device/address_alignment.h"

#include <llvm/ADT/bit.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <map>

#include "compiler/device/llvm_versions.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

// The widest access of a GPU.
constexpr uint64_t widest = 16;

using Promise = AddressAlignment::Promise;

Promise worse(Promise a, Promise b) { return std::max(a, b); }

// Piece is a load or store of a part of a larger object, at a constant distance from `base`.
struct Piece {
  Access access;
  int64_t offset;
  uint64_t bytes;
};

// atOnce() is how many bytes of the pieces, sorted by offset, follow `piece` without a gap.
uint64_t atOnce(const Piece &piece, const std::map<int64_t, uint64_t> &pieces) {
  uint64_t bytes = 0;
  for (auto next = pieces.find(piece.offset); next != pieces.end() && bytes < widest;
       next = pieces.find(piece.offset + static_cast<int64_t>(bytes)))
    bytes += next->second;
  return bytes;
}

// Pieces collects the accesses of one block of code.
class Pieces {
 public:
  explicit Pieces(const llvm::DataLayout &layout) : layout_(layout) {}

  void add(llvm::Instruction &instruction, llvm::Value &address, llvm::Type &type, llvm::Align declared) {
    const uint64_t bytes = layout_.getTypeStoreSize(&type).getKnownMinValue();
    const uint64_t alignment = std::min(declared.value(), widest);
    if (bytes == 0 || alignment == 1) return;
    int64_t offset = 0;
    llvm::Value *base = llvm::GetPointerBaseWithConstantOffset(&address, offset, layout_);
    const bool stores = instruction.mayWriteToMemory();
    groups_[{base, stores}][offset] = bytes;
    pieces_.push_back({{&instruction, &address, alignment}, offset, bytes});
    bases_.push_back({base, stores});
  }

  void appendTo(std::vector<Access> &accesses) const {
    for (size_t i = 0; i < pieces_.size(); ++i) {
      Access access = pieces_[i].access;
      const uint64_t together = std::max(atOnce(pieces_[i], groups_.at(bases_[i])), pieces_[i].bytes);
      access.alignment = std::min(access.alignment, llvm::bit_floor(together));
      if (access.alignment > 1) accesses.push_back(access);
    }
  }

 private:
  using Group = std::pair<llvm::Value *, bool>;
  const llvm::DataLayout &layout_;
  std::map<Group, std::map<int64_t, uint64_t>> groups_;
  std::vector<Piece> pieces_;
  std::vector<Group> bases_;
};

// addCopy() takes a copy of one aligned object, from where and to where.
void addCopy(llvm::MemCpyInst &copy, std::vector<Access> &accesses) {
  auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  if (!length) return;
  const auto add = [&](llvm::Value *address, llvm::MaybeAlign declared) {
    const uint64_t alignment = std::min(declared.valueOrOne().value(), widest);
    if (alignment > 1 && length->getZExtValue() >= alignment) accesses.push_back({&copy, address, alignment});
  };
  add(copy.getRawSource(), copy.getSourceAlign());
  add(copy.getRawDest(), copy.getDestAlign());
}

void addAccess(llvm::Instruction &instruction, Pieces &pieces) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    pieces.add(*load, *load->getPointerOperand(), *load->getType(), load->getAlign());
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    pieces.add(*store, *store->getPointerOperand(), *store->getValueOperand()->getType(), store->getAlign());
  } else if (auto *change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    pieces.add(*change, *change->getPointerOperand(), *change->getType(), change->getAlign());
  } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    llvm::Type *type = exchange->getCompareOperand()->getType();
    pieces.add(*exchange, *exchange->getPointerOperand(), *type, exchange->getAlign());
  }
}

// isEngineField(): what the engine says of the thread, such as where its shared memory begins, is aligned.
bool isEngineField(const llvm::Value &value) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (!load) return false;
  auto *call = llvm::dyn_cast<llvm::CallInst>(load->getPointerOperand()->stripInBoundsConstantOffsets());
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  const bool wide = load->getType()->isPointerTy() || load->getType()->isIntegerTy(64);
  return callee && callee->getName() == "hw_self" && wide;
}

// isIntegerOrPointerCast(): a cast that leaves the low bits as they are.
bool isIntegerOrPointerCast(const llvm::Value &value) {
  switch (llvm::Operator::getOpcode(&value)) {
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::SExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<Access> accessesOf(llvm::Function &function) {
  std::vector<Access> accesses;
  for (llvm::BasicBlock &block : function) {
    Pieces pieces(function.getParent()->getDataLayout());
    for (llvm::Instruction &instruction : block) {
      if (auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction))
        addCopy(*copy, accesses);
      else
        addAccess(instruction, pieces);
    }
    pieces.appendTo(accesses);
  }
  return accesses;
}

llvm::CallInst *callOfBody(llvm::Function &entry) {
  auto *call = llvm::dyn_cast_or_null<llvm::CallInst>(entry.back().getTerminator()->getPrevNonDebugInstruction());
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return entry.size() == 1 && callee && !callee->isDeclaration() ? call : nullptr;
}

std::optional<unsigned> kernelParameter(const llvm::Value &value, const llvm::Function &entry,
                                        const llvm::CallInst *call) {
  if (auto *argument = llvm::dyn_cast<llvm::Argument>(&value)) {
    const bool passed = call && argument->getParent() == call->getCalledFunction();
    if (!passed || argument->getArgNo() >= call->arg_size() || argument->hasPointeeInMemoryValueAttr())
      return std::nullopt;
    return kernelParameter(*call->getArgOperand(argument->getArgNo()), entry, nullptr);
  }
  // The entry loads it from where one of its only argument's addresses says.
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  auto *from = load ? llvm::dyn_cast<llvm::LoadInst>(load->getPointerOperand()) : nullptr;
  if (!from || from->getFunction() != &entry) return std::nullopt;
  const llvm::DataLayout &layout = entry.getParent()->getDataLayout();
  int64_t offset = 0;
  if (llvm::GetPointerBaseWithConstantOffset(from->getPointerOperand(), offset, layout) != entry.getArg(0))
    return std::nullopt;
  return static_cast<unsigned>(offset / static_cast<int64_t>(layout.getPointerSize()));
}

bool AddressAlignment::isMultiple(llvm::Value &number, uint64_t scale) const {
  if (isEngineField(number)) return true;
  const unsigned zeros = llvm::computeKnownBits(&number, layout_).countMinTrailingZeros();
  return static_cast<unsigned>(llvm::countr_zero(scale)) + zeros >= llvm::Log2_64(alignment_);
}

AddressAlignment::Promise AddressAlignment::of(llvm::Value &address) {
  if (!seen_.insert(&address).second) return Promise::Kept;  // a loop: what it adds is looked at elsewhere
  if (isMultiple(address, 1)) return Promise::Kept;
  if (llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&address))) return Promise::Local;
  if (auto *offsets = llvm::dyn_cast<llvm::GEPOperator>(&address)) return ofOffsets(*offsets);
  if (isIntegerOrPointerCast(address)) return of(*llvm::cast<llvm::Operator>(address).getOperand(0));
  if (auto *either = llvm::dyn_cast<llvm::PHINode>(&address)) return ofAll(*either, 0);
  if (auto *chosen = llvm::dyn_cast<llvm::SelectInst>(&address)) return ofAll(*chosen, 1);
  if (auto *frozen = llvm::dyn_cast<llvm::FreezeInst>(&address)) return of(*frozen->getOperand(0));
  if (isParameter_(address)) {
    parameters_.insert(&address);
    return Promise::ByOthers;
  }
  if (address.getType()->isIntegerTy()) return ofNumber(address);
  return ofSource(address);
}

AddressAlignment::Promise AddressAlignment::ofNumber(llvm::Value &number) {
  auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&number);
  if (operation &&
      (operation->getOpcode() == llvm::Instruction::Add || operation->getOpcode() == llvm::Instruction::Sub ||
       operation->getOpcode() == llvm::Instruction::Or))
    return ofSum({operation->getOperand(0), operation->getOperand(1)});
  // PTX keeps addresses as numbers.
  if (llvm::isa<llvm::LoadInst>(number) && number.getType()->isIntegerTy(64)) return ofSource(number);
  return Promise::None;
}

// ofSum(): one of the terms may be an address, the others have to be multiples.
AddressAlignment::Promise AddressAlignment::ofSum(llvm::ArrayRef<llvm::Value *> terms) {
  llvm::Value *open = nullptr;
  for (llvm::Value *term : terms) {
    if (isMultiple(*term, 1)) continue;
    if (std::exchange(open, term)) return Promise::None;
  }
  return open ? of(*open) : Promise::Kept;
}

AddressAlignment::Promise AddressAlignment::ofOffsets(llvm::GEPOperator &address) {
  const unsigned bits = layout_.getIndexTypeSizeInBits(address.getType());
  IndexScales scales;
  llvm::APInt offset(bits, 0);
  if (!address.collectOffset(layout_, bits, scales, offset) || offset.getZExtValue() % alignment_ != 0)
    return Promise::None;
  llvm::SmallVector<llvm::Value *> terms = {address.getPointerOperand()};
  for (const auto &[index, scale] : scales) {
    if (isMultiple(*index, scale.getZExtValue())) continue;
    if (!scale.isOne()) return Promise::None;
    terms.push_back(index);
  }
  return ofSum(terms);
}

AddressAlignment::Promise AddressAlignment::ofAll(llvm::User &values, unsigned from) {
  Promise worst = Promise::Kept;
  for (unsigned i = from; i < values.getNumOperands() && worst != Promise::None; ++i)
    worst = worse(worst, of(*values.getOperand(i)));
  return worst;
}

AddressAlignment::Promise AddressAlignment::ofSource(llvm::Value &source) {
  return trusting_ || llvm::isa<llvm::Constant>(source) ? Promise::Kept : Promise::None;
}

}  // namespace hostwarp::compiler
