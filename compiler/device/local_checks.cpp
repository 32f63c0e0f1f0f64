#include "compiler/device/local_checks.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include "compiler/device/check_calls.h"

namespace hostwarp::compiler {

uint64_t objectBytes(const llvm::Value &object, const llvm::DataLayout &layout) {
  if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(&object)) {
    const std::optional<llvm::TypeSize> size = local->getAllocationSize(layout);
    return size && !size->isScalable() ? size->getFixedValue() : 0;
  }
  if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&object))
    return variable->isDeclaration() ? 0 : layout.getTypeAllocSize(variable->getValueType());
  const auto *argument = llvm::dyn_cast<llvm::Argument>(&object);
  return argument && argument->hasByValAttr() ? layout.getTypeAllocSize(argument->getParamByValType()) : 0;
}

bool isInside(const llvm::Value &address, const llvm::Value &bytes, const llvm::Value &object, uint64_t objectBytes,
              const llvm::DataLayout &layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address.getType()), 0);
  const llvm::Value *base = address.stripAndAccumulateConstantOffsets(layout, offset, true);
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(&bytes);
  return base == &object && length && !offset.isNegative() && offset.getZExtValue() <= objectBytes &&
         length->getZExtValue() <= objectBytes - offset.getZExtValue();
}

// bytesOf() is how far from its address the check reaches; null: that is not known, or it goes backwards.
static llvm::Value *bytesOf(const llvm::CallInst &check) {
  llvm::Value *const each = check.getArgOperand(checkedBytes);
  if (!isCheckOf(check, checkReads)) return each;
  const auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(each);
  const auto *count = llvm::dyn_cast<llvm::ConstantInt>(check.getArgOperand(checkedCount));
  const auto *step = llvm::dyn_cast<llvm::ConstantInt>(check.getArgOperand(checkedStep));
  if (!bytes || !count || !step || step->isNegative()) return nullptr;
  return llvm::ConstantInt::get(each->getType(),
                                (count->getZExtValue() - 1) * step->getZExtValue() + bytes->getZExtValue());
}

const llvm::AllocaInst *checkedLocal(const llvm::CallInst &check) {
  return llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(check.getArgOperand(checkedAddress), 0));
}

static bool staysInLocal(const llvm::CallInst &check) {
  const llvm::DataLayout &layout = check.getModule()->getDataLayout();
  const llvm::Value *const bytes = bytesOf(check);
  const llvm::AllocaInst *const local = bytes ? checkedLocal(check) : nullptr;
  return local && isInside(*check.getArgOperand(checkedAddress), *bytes, *local, objectBytes(*local, layout), layout);
}

bool dropLocalChecks(llvm::Function &function) {
  bool dropped = false;
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *check = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!check || !isCheck(*check) || !staysInLocal(*check)) continue;
    check->eraseFromParent();
    dropped = true;
  }
  return dropped;
}

namespace {

class DropLocalChecks : public llvm::PassInfoMixin<DropLocalChecks> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    const llvm::Module &module = *function.getParent();
    if (!module.getFunction(checkAccess) || module.getFunction(checkAsync) || !dropLocalChecks(function))
      return llvm::PreservedAnalyses::all();
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass());
    passes.run(function, analyses);
    return llvm::PreservedAnalyses::none();
  }
};

}  // namespace

void dropLocalChecks(llvm::PassBuilder &builder) {
  builder.registerPeepholeEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) { passes.addPass(DropLocalChecks()); });
}

}  // namespace hostwarp::compiler
