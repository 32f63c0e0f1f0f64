#include "compiler/ptx/bitcode.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

namespace hostwarp::compiler {

namespace {

// adopt() makes a linked function one of the module's own.
void adopt(llvm::Function &function) {
  for (const char *name : {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "stack-protector-buffer-size",
                           "no-builtins", "no-trapping-math"})
    function.removeFnAttr(name);
  function.addFnAttr(ofLibrary);
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.setVisibility(llvm::GlobalValue::DefaultVisibility);
  function.setComdat(nullptr);
  function.setDSOLocal(true);
  function.setUWTableKind(llvm::UWTableKind::Async);
}

// keepInlineFunctions() has a library call its own copies of functions from headers: a program may have some of the
// same name, compiled for a GPU, which take their arguments in other ways.
void keepInlineFunctions(llvm::Module &library) {
  for (llvm::GlobalObject &object : library.global_objects()) {
    if (!object.hasLinkOnceLinkage()) continue;
    object.setComdat(nullptr);
    object.setLinkage(llvm::GlobalValue::InternalLinkage);
    object.setVisibility(llvm::GlobalValue::DefaultVisibility);
  }
}

}  // namespace

std::string linkBitcode(llvm::Module &module, llvm::StringRef bytes, llvm::StringRef prefix) {
  auto library = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bytes, "library"), module.getContext());
  if (!library) return llvm::toString(library.takeError());
  (*library)->setDataLayout(module.getDataLayout());
  (*library)->setTargetTriple(module.getTargetTriple());
  if (llvm::NamedMDNode *flags = (*library)->getModuleFlagsMetadata()) flags->eraseFromParent();
  keepInlineFunctions(**library);
  llvm::StringMap<bool> known;
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) known[function.getName()] = true;
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded)) return "cannot link";
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) {
      if (function.getName().starts_with(prefix)) return "no library function " + function.getName().str();
    } else if (!known.count(function.getName())) {
      adopt(function);
    }
  }
  return "";
}

}  // namespace hostwarp::compiler
