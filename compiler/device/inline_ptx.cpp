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

// handsCarryOn(): the statement begins with an instruction that takes a carry, or its last one with a carry leaves one.
static bool handsCarryOn(const llvm::CallBase &call) {
  if (!call.isInlineAsm()) return false;
  llvm::StringRef rest = llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString();
  bool isFirst = true, leaves = false;
  while (!rest.empty()) {
    llvm::StringRef one;
    std::tie(one, rest) = rest.split(';');
    const bool takes = one.contains("addc.") || one.contains("subc.") || one.contains("madc."),
               sets = one.contains(".cc.");
    if (takes && isFirst) return true;
    if (takes || sets) isFirst = false, leaves = sets;
  }
  return leaves;
}

static bool handsCarryOn(const llvm::Function &function) {
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block)
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && handsCarryOn(*call)) return true;
  return false;
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
