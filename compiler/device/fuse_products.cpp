// Which product of a sum is fused with it: nvcc's choice, as far as it is known (LLVM's for NVPTX; of 16 bits ptxas's).
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

#include "compiler/device/abi_functions.h"
#include "compiler/device/fused_sums.h"
#include "compiler/device/optimise_and_emit.h"
#include "compiler/device/passes.h"
#include "compiler/device/steps.h"

namespace hostwarp::compiler {

namespace {

bool mayFuse(const llvm::Instruction &instruction) {
  const llvm::Type *number = instruction.getType()->getScalarType();
  return (number->isFloatTy() || number->isDoubleTy()) && instruction.hasAllowContract();
}

bool isSum(const llvm::Instruction &instruction) {
  const unsigned opcode = instruction.getOpcode();
  return (opcode == llvm::Instruction::FAdd || opcode == llvm::Instruction::FSub) && mayFuse(instruction);
}

llvm::BinaryOperator *productIn(llvm::Value &value) {
  auto *product = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  return product && product->getOpcode() == llvm::Instruction::FMul && mayFuse(*product) ? product : nullptr;
}

// sideOf() is what the usual build has taken in, if that has been seen, else `own`. `told` learns of it, unless null.
template <class Product>
std::optional<unsigned> sideOf(const llvm::Instruction &sum, const std::array<Product *, 2> &products,
                               std::optional<unsigned> own, const FusedSums *seen, FusedSums *told) {
  const std::optional<unsigned> side = seen ? seen->sideOf(sum, {products[0], products[1]}, own) : own;
  if (told) told->note(sum, side ? products[*side] : nullptr);
  return side;
}

// sideToFuse() is the operand with the product that the sum takes in: of two the one with fewer uses, or the first.
std::optional<unsigned> sideToFuse(const llvm::Instruction &sum) {
  const llvm::BinaryOperator *first = productIn(*sum.getOperand(0)), *second = productIn(*sum.getOperand(1));
  if (!first && !second) return std::nullopt;
  if (!first || !second) return first ? 0U : 1U;
  return second->getNumUses() < first->getNumUses() ? 1U : 0U;
}

// fuse(): a * b - c is a * b + -c, and c - a * b is -a * b + c. The product stays for its other uses.
void fuse(llvm::Instruction &sum, unsigned side) {
  llvm::BinaryOperator &product = *productIn(*sum.getOperand(side));
  llvm::IRBuilder<> builder(&sum);
  builder.setFastMathFlags(sum.getFastMathFlags());
  const bool isDifference = sum.getOpcode() == llvm::Instruction::FSub;
  llvm::Value *factor = product.getOperand(0), *other = sum.getOperand(1 - side);
  if (isDifference && side == 0) other = builder.CreateFNeg(other);
  if (isDifference && side == 1) factor = builder.CreateFNeg(factor);
  llvm::Value *whole =
      builder.CreateIntrinsic(llvm::Intrinsic::fmuladd, {sum.getType()}, {factor, product.getOperand(1), other});
  whole->takeName(&sum);
  sum.replaceAllUsesWith(whole);
  sum.eraseFromParent();
  if (product.use_empty()) product.eraseFromParent();
}

// --- 16 bits: operations that may be fused are calls ---

// SixteenBits is a call of hw_math_fusible_half_add() or one of its like.
struct SixteenBits {
  llvm::CallInst *call;
  llvm::StringRef format, operation;

  bool isSum() const { return operation != "mul"; }
};

std::optional<SixteenBits> sixteenBits(llvm::Value *value) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(value);
  llvm::StringRef name = call && call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
  if (!name.consume_front(fusible)) return std::nullopt;
  const auto [format, operation] = name.split('_');
  return SixteenBits{call, format, operation};
}

// negatedIn() is x where the value is -x, else null.
llvm::Value *negatedIn(llvm::Value *value) {
  llvm::Value *number = nullptr;
  using namespace llvm::PatternMatch;
  return match(value, m_Xor(m_Value(number), m_SignMask())) ? number : nullptr;
}

// SixteenBitFuser works on one function.
class SixteenBitFuser {
 public:
  SixteenBitFuser(llvm::Function &function, const FusedSums *seen, FusedSums *told)
      : seen_(seen), told_(told), dominators_(function), postDominators_(function), loops_(dominators_) {}

  void run(llvm::ArrayRef<SixteenBits> sums) {
    for (const SixteenBits &sum : sums) {
      const std::array<llvm::CallInst *, 2> products = {productIn(sum, 0), productIn(sum, 1)};
      const std::optional<unsigned> own = sideFor(products);
      if (const auto side = sideOf(*sum.call, products, own, seen_, told_)) fuse(sum, *side, *products[*side]);
    }
  }

 private:
  // comesTo(): whenever control passes the product's block, it passes the sum's once.
  bool comesTo(const llvm::BasicBlock *product, const llvm::BasicBlock *sum) const {
    return product == sum || (dominators_.dominates(product, sum) && postDominators_.dominates(sum, product) &&
                              loops_.getLoopFor(product) == loops_.getLoopFor(sum));
  }

  // isForSums(): nothing needs the value, which is the product or its negative, but sums with something else.
  bool isForSums(const SixteenBits &product, llvm::Value *value) const {
    return llvm::all_of(value->users(), [&](llvm::User *user) {
      if (negatedIn(user) == value) return value == product.call && isForSums(product, user);
      const std::optional<SixteenBits> sum = sixteenBits(user);
      return sum && sum->isSum() && sum->format == product.format &&
             sum->call->getArgOperand(0) != sum->call->getArgOperand(1) &&
             comesTo(product.call->getParent(), sum->call->getParent());
    });
  }

  // productIn() is the product that this operand or its negative is, or null.
  static llvm::CallInst *productIn(const SixteenBits &sum, unsigned side) {
    llvm::Value *operand = sum.call->getArgOperand(side), *number = negatedIn(operand);
    const std::optional<SixteenBits> product = sixteenBits(number ? number : operand);
    return product && !product->isSum() && product->format == sum.format ? product->call : nullptr;
  }

  // sideFor() is the first one whose product a sum may take in.
  std::optional<unsigned> sideFor(const std::array<llvm::CallInst *, 2> &products) const {
    for (const unsigned side : {0U, 1U})
      if (products[side] && isForSums(*sixteenBits(products[side]), products[side])) return side;
    return std::nullopt;
  }

  // fuse() changes signs by their bits.
  static void fuse(const SixteenBits &sum, unsigned side, llvm::CallInst &product) {
    llvm::CallInst &call = *sum.call;
    llvm::IRBuilder<> builder(&call);
    llvm::Value *factor = product.getArgOperand(0), *other = call.getArgOperand(1 - side);
    const auto negate = [&](llvm::Value *&value) { value = builder.CreateXor(value, llvm::APInt::getSignMask(16)); };
    if (call.getArgOperand(side) != &product) negate(factor);
    if (sum.operation == "sub") negate(side == 0 ? other : factor);
    llvm::Type *type = call.getType();
    const llvm::FunctionCallee whole =
        abiFunction(*call.getModule(), (fused + sum.format).str(), type, {type, type, type});
    call.replaceAllUsesWith(builder.CreateCall(whole, {factor, product.getArgOperand(1), other}));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(&call);
  }

  const FusedSums *seen_;
  FusedSums *told_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree postDominators_;
  llvm::LoopInfo loops_;
};

void fuseSixteenBits(llvm::Function &function, const FusedSums *seen, FusedSums *told) {
  llvm::SmallVector<SixteenBits> sums;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (const auto found = sixteenBits(&instruction); found && found->isSum()) sums.push_back(*found);
  if (!sums.empty()) SixteenBitFuser(function, seen, told).run(sums);
}

void fuse(llvm::Function &function, const FusedSums *seen, FusedSums *told) {
  llvm::SmallVector<llvm::Instruction *> sums;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (isSum(instruction)) sums.push_back(&instruction);
  for (llvm::Instruction *sum : sums) {
    const std::array<llvm::BinaryOperator *, 2> products = {productIn(*sum->getOperand(0)),
                                                            productIn(*sum->getOperand(1))};
    if (const auto side = sideOf(*sum, products, sideToFuse(*sum), seen, told)) fuse(*sum, *side);
  }
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::isa<llvm::FPMathOperator>(instruction)) instruction.setHasAllowContract(false);
  fuseSixteenBits(function, seen, told);
}

// mayHaveOperations(): the program's own inline PTX. That of the headers has no place, and the code that stands for it
// may tell where it is called.
bool mayHaveOperations(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->isInlineAsm() && call->getDebugLoc();
}

// operationsOf() are products, sums, and what may become such.
llvm::SmallVector<llvm::Instruction *> operationsOf(llvm::Module &module) {
  llvm::SmallVector<llvm::Instruction *> found;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (isSum(instruction) || productIn(instruction) || sixteenBits(&instruction) || mayHaveOperations(instruction))
        found.push_back(&instruction);
  return found;
}

}  // namespace

void fuseProducts(llvm::Module &module, const FusedSums *seen) {
  for (llvm::Function &function : module) fuse(function, seen, nullptr);
}

void fuseAsUsual(DeviceModule &device, llvm::TargetMachine &machine) {
  if (device.options.build != Build::Checked || device.options.optimisation == 0) return;
  const llvm::SmallVector<llvm::Instruction *> operations = operationsOf(device.module);
  if (operations.empty()) return;
  numberOperations(device.module, operations);
  Options options = device.options;
  options.build = Build::Usual;
  options.followsValues = false;
  const std::unique_ptr<llvm::Module> module = llvm::CloneModule(device.module);
  DeviceModule usual{options, *module, {}, {}, {}};
  runSteps(Phase::Lowering, usual, machine);
  simplify(usual, machine);
  device.fusedSums = std::make_shared<FusedSums>();
  for (llvm::Function &function : *module) fuse(function, nullptr, device.fusedSums.get());
}

}  // namespace hostwarp::compiler
