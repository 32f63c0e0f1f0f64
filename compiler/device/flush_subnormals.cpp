#include "compiler/device/flush_subnormals.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace hostwarp::compiler {

namespace {

constexpr const char *mark = "denormal-fp-math-f32";
// Of the functions that setApart() makes.
constexpr const char *apart = "hostwarp-set-apart";

bool isMarked(const llvm::Function &function) {
  return function.getFnAttribute(mark).getValueAsString().starts_with("preserve-sign");
}

bool keepsSubnormals(const llvm::Function &function) {
  return function.getFnAttribute(mark).getValueAsString().starts_with("ieee");
}

bool isFloat(const llvm::Type *type) { return type->getScalarType()->isFloatTy(); }

// isFlushingCall(): a mathematical function. What only moves bits, as copysign() does, takes and gives all numbers.
bool isFlushingCall(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration() || !isFloat(call.getType())) return false;
  const llvm::StringRef name = callee->getName();
  if (name.starts_with("hw_")) return name.starts_with("hw_math_");
  return callee->getIntrinsicID() != llvm::Intrinsic::copysign && name != "nextafterf" && name != "copysignf";
}

bool flushes(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
    case llvm::Instruction::FMul:
    case llvm::Instruction::FDiv:
    case llvm::Instruction::FNeg:
    case llvm::Instruction::FCmp:
    case llvm::Instruction::FPExt:
    case llvm::Instruction::FPTrunc:
      return true;
    default:
      return false;
  }
}

bool concerns(const llvm::Instruction &instruction) {
  if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return isFlushingCall(*call);
  if (!flushes(instruction)) return false;
  return isFloat(instruction.getType()) || isFloat(instruction.getOperand(0)->getType());
}

// makeCall() puts a call of a function in the instruction's place that does the same and has all that is not constant
// as parameters.
void makeCall(llvm::Instruction &instruction) {
  llvm::SmallVector<llvm::Value *> values;
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *operand : instruction.operand_values())
    if (!llvm::isa<llvm::Constant>(operand)) {
      values.push_back(operand);
      types.push_back(operand->getType());
    }
  llvm::Module &module = *instruction.getModule();
  auto *function = llvm::Function::Create(llvm::FunctionType::get(instruction.getType(), types, false),
                                          llvm::GlobalValue::InternalLinkage, "unflushed", module);
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  function->addFnAttr(llvm::Attribute::NoInline);
  function->addFnAttr(apart);
  llvm::Instruction *same = instruction.clone();
  same->setDebugLoc({});
  for (llvm::Use &operand : same->operands())
    if (auto *value = llvm::find(values, operand.get()); value != values.end())
      operand.set(function->getArg(unsigned(value - values.begin())));
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", function));
  builder.CreateRet(builder.Insert(same));
  builder.SetInsertPoint(&instruction);
  instruction.replaceAllUsesWith(builder.CreateCall(function, values));
  instruction.eraseFromParent();
}

// Flusher works on one function.
class Flusher {
 public:
  explicit Flusher(llvm::Function &function) : function_(function) {}

  void run() {
    llvm::SmallVector<llvm::Instruction *> found;
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (concerns(instruction)) found.push_back(&instruction);
    for (llvm::Instruction *instruction : found) flushResult(*instruction);
    for (llvm::Instruction *instruction : found) flushOperands(*instruction);
  }

 private:
  using Builder = llvm::IRBuilder<>;

  void flushResult(llvm::Instruction &instruction) {
    if (!isFloat(instruction.getType()) || givesNormal(instruction)) return;
    Builder builder(instruction.getNextNode());
    llvm::Value *result = without(builder, &instruction);
    instruction.replaceUsesWithIf(result, [&](const llvm::Use &use) { return !parts_.contains(use.getUser()); });
  }

  void flushOperands(llvm::Instruction &instruction) {
    Builder builder(&instruction);
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const unsigned count = call != nullptr ? call->arg_size() : instruction.getNumOperands();
    for (unsigned i = 0; i < count; ++i) {
      llvm::Value *operand = instruction.getOperand(i);
      llvm::SmallPtrSet<const llvm::Value *, 8> assumed;
      if (isFloat(operand->getType()) && !isNormal(operand, assumed))
        instruction.setOperand(i, without(builder, operand));
    }
  }

  // givesNormal(): the result of flushed operands needs nothing more.
  static bool givesNormal(const llvm::Instruction &instruction) {
    if (instruction.getOpcode() == llvm::Instruction::FNeg) return true;
    const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (call == nullptr) return false;
    switch (call->getIntrinsicID()) {
      case llvm::Intrinsic::fabs:
      case llvm::Intrinsic::minnum:
      case llvm::Intrinsic::maxnum:
      case llvm::Intrinsic::minimum:
      case llvm::Intrinsic::maximum:
      case llvm::Intrinsic::sqrt:
      case llvm::Intrinsic::floor:
      case llvm::Intrinsic::ceil:
      case llvm::Intrinsic::trunc:
      case llvm::Intrinsic::rint:
      case llvm::Intrinsic::nearbyint:
      case llvm::Intrinsic::round:
      case llvm::Intrinsic::roundeven:
        return true;
      default:
        return false;
    }
  }

  // isNormal(): the value is known not to be subnormal, if those that are `assumed` not to be are none: sums of a loop.
  bool isNormal(const llvm::Value *value, llvm::SmallPtrSetImpl<const llvm::Value *> &assumed) const {
    const auto isToo = [&](const llvm::Value *each) { return isNormal(each, assumed); };
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(value))
      return !assumed.insert(phi).second || llvm::all_of(phi->incoming_values(), isToo);
    if (const auto *choice = llvm::dyn_cast<llvm::SelectInst>(value); choice != nullptr && !normal_.contains(choice))
      return isToo(choice->getTrueValue()) && isToo(choice->getFalseValue());
    if (const auto *constant = llvm::dyn_cast<llvm::ConstantFP>(value)) return !constant->getValueAPF().isDenormal();
    if (normal_.contains(value) || llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst>(value)) return true;
    if (const auto *wider = llvm::dyn_cast<llvm::FPExtInst>(value))
      return wider->getSrcTy()->getScalarType()->isHalfTy();
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction != nullptr && concerns(*instruction) && givesNormal(*instruction);
  }

  // without() is the value, or a zero of its sign.
  llvm::Value *without(Builder &builder, llvm::Value *value) {
    llvm::Type *type = value->getType();
    llvm::Value *least = llvm::ConstantFP::get(type, llvm::APFloat::getSmallestNormalized(llvm::APFloat::IEEEsingle()));
    llvm::Value *size = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
    llvm::Value *zero =
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, llvm::Constant::getNullValue(type), value);
    llvm::Value *result = builder.CreateSelect(builder.CreateFCmpOLT(size, least), zero, value);
    for (llvm::Value *part : {size, zero, result}) parts_.insert(part);
    normal_.insert(result);
    return result;
  }

  llvm::Function &function_;
  llvm::DenseSet<const llvm::Value *> normal_;  // known to be no subnormal number
  llvm::DenseSet<const llvm::Value *> parts_;   // of what flushes
};

}  // namespace

void setApart(DeviceModule &device) {
  if (llvm::none_of(device.module, isMarked)) return;
  llvm::SmallVector<llvm::Instruction *> found;
  for (llvm::Function &function : device.module) {
    if (!keepsSubnormals(function)) continue;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (concerns(instruction)) found.push_back(&instruction);
  }
  for (llvm::Instruction *instruction : found) makeCall(*instruction);
}

bool flushSubnormals(DeviceModule &device) {
  bool wasApart = false;
  for (llvm::Function &function : device.module) {
    if (function.hasFnAttribute(apart)) {
      function.removeFnAttr(apart);
      function.removeFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
      wasApart = true;
    }
    if (!isMarked(function)) continue;
    // From here on the code says it; the optimiser would take the comparisons with the least normal number for ones
    // with zero.
    function.removeFnAttr(mark);
    if (!function.isDeclaration()) Flusher(function).run();
  }
  return wasApart;
}

}  // namespace hostwarp::compiler
