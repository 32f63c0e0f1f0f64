// Where a module has few functions that an address may be of, a call by address becomes tests and direct calls: these
// are inlined, and lanes stay together in them. A call of anything else remains behind the tests.
#include "compiler/device/indirect_calls.h"

#include <llvm/Transforms/Utils/CallPromotionUtils.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

constexpr size_t mostCallees = 4;
constexpr unsigned mostOfCallee = 300;  // of each

llvm::SmallVector<llvm::CallBase *> indirectCalls(llvm::Module &module) {
  llvm::SmallVector<llvm::CallBase *> calls;
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && isIndirect(*call)) calls.push_back(call);
  return calls;
}

// likelyCallees() are those worth a test each; none if there are too many, or they are large.
llvm::SmallVector<llvm::Function *> likelyCallees(const llvm::CallBase &call) {
  llvm::SmallVector<llvm::Function *> callees = possibleCallees(call);
  llvm::erase_if(callees, [&](llvm::Function *callee) {
    return callee->isDeclaration() || callee == call.getFunction() || !llvm::isLegalToPromote(call, callee);
  });
  const auto isLarge = [](const llvm::Function *callee) { return callee->getInstructionCount() > mostOfCallee; };
  if (callees.size() > mostCallees || llvm::any_of(callees, isLarge)) callees.clear();
  return callees;
}

}  // namespace

bool isIndirect(const llvm::CallBase &call) { return !call.isInlineAsm() && !call.getCalledFunction(); }

bool isAddress(const llvm::Use &use) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
  if (!call) return true;
  // What is noted at a call is what the callee is to see.
  if (call->isBundleOperand(&use)) return false;
  const llvm::Function *callee = call->getCalledFunction();
  return !call->isCallee(&use) && !(callee && callee->getName().starts_with("hw_"));
}

llvm::SmallVector<llvm::Function *> possibleCallees(const llvm::CallBase &call) {
  llvm::SmallVector<llvm::Function *> found;
  for (llvm::Function &function : const_cast<llvm::Module &>(*call.getModule()))
    if (!function.isIntrinsic() && function.getFunctionType() == call.getFunctionType() &&
        function.hasAddressTaken(nullptr, false, true, /*IgnoreLLVMUsed=*/true))
      found.push_back(&function);
  return found;
}

void promoteCalls(DeviceModule &device) {
  if (device.options.optimisation == 0) return;
  llvm::SmallVector<std::pair<llvm::CallBase *, llvm::SmallVector<llvm::Function *>>> calls;
  for (llvm::CallBase *call : indirectCalls(device.module)) calls.emplace_back(call, likelyCallees(*call));
  for (const auto &[call, callees] : calls)
    for (llvm::Function *callee : callees) llvm::promoteCallWithIfThenElse(*call, callee);
}

}  // namespace hostwarp::compiler
