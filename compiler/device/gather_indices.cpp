// Puts the number that a gather or a scatter looks elements up with next to it. Instruction selection sees one basic
// block at a time: only there does it find that the number was narrow before it was extended, and half as many
// registers do.
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// addressesOf() is the operand with the addresses; null: the instruction is something else.
llvm::Use *addressesOf(llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return nullptr;
  if (call->getIntrinsicID() == llvm::Intrinsic::masked_gather) return &call->getArgOperandUse(0);
  if (call->getIntrinsicID() == llvm::Intrinsic::masked_scatter) return &call->getArgOperandUse(1);
  return nullptr;
}

// copyTo() copies what computes the operand, if it is of the kind, in front of its user.
template <typename Kind>
Kind *copyTo(llvm::Use &operand) {
  auto *user = llvm::cast<llvm::Instruction>(operand.getUser());
  auto *known = llvm::dyn_cast<Kind>(operand.get());
  if (!known || known->getParent() == user->getParent()) return known;
  auto *copy = llvm::cast<Kind>(known->clone());
  copy->insertBefore(user);
  operand.set(copy);
  return copy;
}

class GatherIndicesPass : public llvm::PassInfoMixin<GatherIndicesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    if (!function.hasFnAttribute(runsBlock)) return llvm::PreservedAnalyses::all();
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (llvm::Use *addresses = addressesOf(instruction)) bring(*addresses);
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return kept;
  }

 private:
  static void bring(llvm::Use &addresses) {
    auto *known = llvm::dyn_cast<llvm::GetElementPtrInst>(addresses.get());
    if (!known || known->getNumIndices() != 1 || known->getPointerOperandType()->isVectorTy()) return;
    auto *place = copyTo<llvm::GetElementPtrInst>(addresses);
    copyTo<llvm::CastInst>(place->getOperandUse(1));
  }
};

}  // namespace

void bringGatherIndices(llvm::PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes, auto &&...) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(GatherIndicesPass()));
  });
}

}  // namespace hostwarp::compiler
