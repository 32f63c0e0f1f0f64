// Inlines the functions in which threads wait for each other: only what stands in the kernel itself can be a boundary
// of a block entry. And those that copy by cp.async: what libraries make of one such copy looks large, and comes down
// to few instructions, of which there are vectors only in the kernel's own code.
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/abi_functions.h"
#include "compiler/device/collectives.h"
#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// A function that is larger, in all its calls together, stays one.
constexpr size_t mostInlined = 1500;

llvm::SmallVector<llvm::CallBase *> callsOf(llvm::Function &function) {
  llvm::SmallVector<llvm::CallBase *> calls;
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledFunction() == &function)
      calls.push_back(call);
  return calls;
}

// copiesItself(): by cp.async, which the translation of PTX has made a call of.
bool copiesItself(llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && call->getCalledFunction() && call->getCalledFunction()->getName().ends_with("hwptx_cp_async");
  });
}

// waitsItself(): what a collective does need not be known yet, where the headers' functions are not inlined.
bool waitsItself(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !callee->isDeclaration()) continue;
      if (!neverBlocks(callee->getName()) || arrivalOf(*call) != Arrival::None) return true;
    }
  return false;
}

// functionsToInline() are those that wait or copy, and those that call them.
llvm::SmallSetVector<llvm::Function *, 16> functionsToInline(llvm::Module &module) {
  llvm::SmallSetVector<llvm::Function *, 16> found;
  for (llvm::Function &function : module)
    if (waitsItself(function) || copiesItself(function)) found.insert(&function);
  for (size_t i = 0; i < found.size(); ++i)
    for (llvm::CallBase *call : callsOf(*found[i])) found.insert(call->getFunction());
  return found;
}

// callsItself(): perhaps through others.
bool callsItself(llvm::Function &function) {
  llvm::SmallSetVector<llvm::Function *, 16> seen;
  llvm::SmallVector<llvm::Function *> work{&function};
  while (!work.empty())
    for (llvm::CallBase *call : callsOf(*work.pop_back_val())) {
      if (call->getFunction() == &function) return true;
      if (seen.insert(call->getFunction())) work.push_back(call->getFunction());
    }
  return false;
}

}  // namespace

void inlineWaits(DeviceModule &device) {
  if (device.options.optimisation == 0) return;
  for (llvm::Function *function : functionsToInline(device.module)) {
    const size_t copies = callsOf(*function).size();
    if (function->getInstructionCount() * copies > mostInlined || callsItself(*function)) continue;
    function->removeFnAttr(llvm::Attribute::NoInline);
    function->removeFnAttr(llvm::Attribute::OptimizeNone);
    function->addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

}  // namespace hostwarp::compiler
