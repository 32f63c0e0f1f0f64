#include "compiler/device/linear_indices.h"

#include <llvm/IR/IRBuilder.h>

#include "compiler/device/block_shapes.h"

namespace hostwarp::compiler {

namespace {

using Parts = llvm::SmallVector<llvm::Value *, 8>;

bool isSumOfRows(const llvm::Value &value) {
  auto *alternative = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&value);
  auto *binary = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  return (binary && binary->getOpcode() == llvm::Instruction::Add) || (alternative && alternative->isDisjoint());
}

// addParts() takes the sum apart.
void addParts(llvm::Value &sum, Parts &parts) {
  constexpr size_t most = 16;
  if (!isSumOfRows(sum) || parts.size() >= most) {
    parts.push_back(&sum);
    return;
  }
  for (llvm::Value *operand : llvm::cast<llvm::Instruction>(sum).operands()) addParts(*operand, parts);
}

// plain() is a number as it was before it became wider: none of an index or an extent is negative.
llvm::Value *plain(llvm::Value &value) {
  auto *extension = llvm::dyn_cast<llvm::CastInst>(&value);
  return extension && llvm::isa<llvm::ZExtInst, llvm::SExtInst>(extension) ? extension->getOperand(0) : &value;
}

bool isWidth(llvm::Value &value) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(plain(value));
  return instruction && extentReadBy(*instruction) == 0u;
}

// take() removes one part for which `is` holds; false: there is none.
bool take(Parts &parts, llvm::function_ref<bool(llvm::Value *)> is) {
  const auto found = llvm::find_if(parts, is);
  if (found == parts.end()) return false;
  parts.erase(found);
  return true;
}

// Rows is a part of a sum that is (y + others) * width.
struct Rows {
  llvm::Value *width = nullptr;
  Parts others;
};

class LinearIndices {
 public:
  LinearIndices(llvm::Value &x, llvm::Value &y, llvm::Value &linear) : x_(x), y_(y), linear_(linear) {}

  // takeIn() does so with one sum; it may be one that others are parts of.
  void takeIn(llvm::Instruction &sum) const {
    Parts parts;
    addParts(sum, parts);
    if (!take(parts, [&](llvm::Value *part) { return plain(*part) == &x_; })) return;
    Rows rows;
    if (!take(parts, [&](llvm::Value *part) { return areRows(*part, rows); })) return;
    llvm::IRBuilder<> builder(&sum);
    llvm::Value *value = builder.CreateZExt(&linear_, sum.getType());
    for (llvm::Value *other : rows.others) parts.push_back(builder.CreateMul(other, rows.width));
    for (llvm::Value *part : parts) value = builder.CreateAdd(value, part);
    sum.replaceAllUsesWith(value);
  }

 private:
  // areRows(): a product that became wider afterwards has to be of y alone, which cannot wrap around.
  bool areRows(llvm::Value &part, Rows &rows) const {
    auto *product = llvm::dyn_cast<llvm::BinaryOperator>(plain(part));
    if (!product || product->getOpcode() != llvm::Instruction::Mul) return false;
    for (unsigned i = 0; i < 2; ++i) {
      if (!isWidth(*product->getOperand(i))) continue;
      rows = {product->getOperand(i), {}};
      addParts(*product->getOperand(1 - i), rows.others);
      const bool hasY = take(rows.others, [&](llvm::Value *other) { return plain(*other) == &y_; });
      if (hasY && (product == &part || rows.others.empty())) return true;
    }
    return false;
  }

  llvm::Value &x_, &y_, &linear_;
};

}  // namespace

void takeLinearIndices(llvm::ArrayRef<llvm::BasicBlock *> blocks, llvm::Value &x, llvm::Value &y, llvm::Value &linear) {
  const LinearIndices indices(x, y, linear);
  for (llvm::BasicBlock *block : blocks)
    for (llvm::Instruction &instruction : *block)
      if (isSumOfRows(instruction) && instruction.getType()->getScalarSizeInBits() >= 32) indices.takeIn(instruction);
}

}  // namespace hostwarp::compiler
