#include "compiler/device/abi_functions.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace hostwarp::compiler {

namespace {

enum Trait : unsigned {
  None = 0,
  Pure = 1,
  Convergent = 2,
  NeverWaits = 4,
  NoReturn = 8,
  WaitsInBlock = 16,
  Looks = 32,
  Anywhere = 64
};

// traitsOf() is empty for what is no function of the ABI, nor described like one.
std::optional<unsigned> traitsOf(llvm::StringRef name) {
  if (name.starts_with(fusible) || name.starts_with(fused)) return Pure | Anywhere | NeverWaits;
  return llvm::StringSwitch<std::optional<unsigned>>(name)
#define FUNCTION(function, traits) .Case(#function, traits)
#include "compiler/device/abi_functions.def"
#undef FUNCTION
      .Default(std::nullopt);
}

constexpr llvm::Attribute::AttrKind described[] = {llvm::Attribute::Memory, llvm::Attribute::Convergent,
                                                   llvm::Attribute::NoMerge, llvm::Attribute::NoReturn,
                                                   llvm::Attribute::WillReturn};

void describe(llvm::Function &function, unsigned traits) {
  for (llvm::Attribute::AttrKind attribute : described) function.removeFnAttr(attribute);
  function.setDoesNotThrow();
  if (traits & Convergent) {
    function.setConvergent();
    function.addFnAttr(llvm::Attribute::NoMerge);  // by code generation, which knows nothing of convergence
  }
  if (traits & NoReturn) function.setDoesNotReturn();
  if (traits & Looks) {
    function.setMemoryEffects(llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref) |
                              llvm::MemoryEffects::inaccessibleMemOnly());
    function.setWillReturn();
  }
  if (!(traits & Pure)) return;
  function.setDoesNotAccessMemory();
  function.setWillReturn();
  if (traits & Anywhere) function.setSpeculatable();
}

}  // namespace

llvm::FunctionCallee abiFunction(llvm::Module &module, llvm::StringRef name, llvm::Type *result,
                                 llvm::ArrayRef<llvm::Type *> parameters) {
  const bool isNew = module.getFunction(name) == nullptr;
  llvm::FunctionCallee callee = module.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
  if (const std::optional<unsigned> traits = traitsOf(name); traits && isNew)
    describe(*llvm::cast<llvm::Function>(callee.getCallee()), *traits);
  return callee;
}

void describeAbi(llvm::Module &module) {
  for (llvm::Function &function : module) {
    const std::optional<unsigned> traits = function.isDeclaration() ? traitsOf(function.getName()) : std::nullopt;
    if (!traits) continue;
    describe(function, *traits);
    for (llvm::User *user : function.users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user))
        for (llvm::Attribute::AttrKind attribute : described) call->removeFnAttr(attribute);
  }
}

bool neverBlocks(llvm::StringRef name) {
  if (!name.starts_with("hw_") || name.starts_with("hw_math_")) return true;
  // The CUDA runtime's functions for kernels (library.def) wait for other grids at most.
  if (name.starts_with("hw_cuda_")) return true;
  return traitsOf(name).value_or(None) & NeverWaits;
}

bool staysInBlock(llvm::StringRef name) {
  if (name.starts_with("hw_cuda_")) return false;
  return neverBlocks(name) || (traitsOf(name).value_or(None) & WaitsInBlock);
}

}  // namespace hostwarp::compiler
