// Replaces inline PTX by LLVM IR, with the translator of compiler/ptx.
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/device/passes.h"
#include "compiler/ptx/translator.h"

namespace hostwarp::compiler {

static bool isKernel(const DeviceModule &device, const llvm::Function *function) {
  return llvm::any_of(device.kernels, [&](const Kernel &kernel) { return kernel.function == function; });
}

// CarryUse says what inline PTX does with the carry that it finds, and whether it leaves one.
struct CarryUse {
  bool uses = false, takes = false, leaves = false;

  void add(const CarryUse &next) {
    if (!next.uses) return;
    if (!uses) takes = next.takes;
    uses = true;
    leaves = next.leaves;
  }
};

static CarryUse carryUseOf(const llvm::CallBase &call) {
  CarryUse all;
  if (!call.isInlineAsm()) return all;
  llvm::StringRef rest = llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString();
  while (!rest.empty()) {
    llvm::StringRef one;
    std::tie(one, rest) = rest.split(';');
    CarryUse use;
    use.takes = one.contains("addc.") || one.contains("subc.") || one.contains("madc.");
    use.leaves = one.contains(".cc.");
    use.uses = use.takes || use.leaves;
    all.add(use);
  }
  return all;
}

// handsCarryOn(): the function begins with the carry of its caller, or leaves it one.
static bool handsCarryOn(const llvm::Function &function) {
  CarryUse all;
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block)
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) all.add(carryUseOf(*call));
  return all.takes || all.leaves;
}

// inlineCalls() puts the function in the place of its calls, and returns their functions.
static llvm::SmallVector<llvm::Function *> inlineCalls(llvm::Function &function) {
  llvm::SmallVector<llvm::CallBase *> calls;
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(user);
        call && call->getCalledFunction() == &function && call->getFunction() != &function)
      calls.push_back(call);
  llvm::SmallVector<llvm::Function *> callers;
  for (llvm::CallBase *call : calls) {
    callers.push_back(call->getFunction());
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
  }
  return callers;
}

// joinCarries() brings statements into one function whose carry goes from one to the other: libraries for large numbers
// have a small function for each instruction.
static void joinCarries(DeviceModule &device) {
  llvm::SmallSetVector<llvm::Function *, 16> carriers;
  for (llvm::Function &function : device.module)
    if (!function.hasFnAttribute(llvm::Attribute::NoInline) && handsCarryOn(function)) carriers.insert(&function);
  for (size_t i = 0; i < carriers.size(); ++i)
    for (llvm::Function *caller : inlineCalls(*carriers[i]))
      if (caller->hasFnAttribute(llvm::Attribute::AlwaysInline)) carriers.insert(caller);
}

void lowerInlinePtx(DeviceModule &device) {
  joinCarries(device);
  llvm::SmallVector<llvm::CallBase *> statements;
  for (llvm::Function &function : device.module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && call->isInlineAsm())
          statements.push_back(call);
  ptx::Translator translator(device.module, device.options.build == Build::Checked);
  for (llvm::CallBase *statement : statements) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(statement);
    const std::string error =
        call ? translator.translate(*call, isKernel(device, call->getFunction())) : "asm goto is not supported";
    if (!error.empty()) fail(device, statement, "inline PTX: " + error);
  }
  const std::string error = translator.finish();
  if (!error.empty()) fail(device, nullptr, "inline PTX: " + error);
}

}  // namespace hostwarp::compiler
