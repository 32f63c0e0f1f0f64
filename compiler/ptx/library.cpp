#include "compiler/ptx/library.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

// HOSTWARP_PTX_LIBRARY is the bitcode file that the build makes of ptx/library.
__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    ".globl hostwarp_ptx_library\n"
    ".globl hostwarp_ptx_library_end\n"
    "hostwarp_ptx_library:\n"
    ".incbin \"" HOSTWARP_PTX_LIBRARY
    "\"\n"
    "hostwarp_ptx_library_end:\n"
    ".byte 0\n"
    ".previous\n");
extern "C" const char hostwarp_ptx_library[], hostwarp_ptx_library_end[];

namespace hostwarp::compiler::ptx {

namespace {

constexpr llvm::StringRef prefix = "hwptx_";

bool usesLibrary(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with(prefix)) return true;
  return false;
}

// adopt() makes a linked function one of the module's own.
void adopt(llvm::Function &function) {
  for (const char *name : {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "stack-protector-buffer-size"})
    function.removeFnAttr(name);
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.setVisibility(llvm::GlobalValue::DefaultVisibility);
  function.setComdat(nullptr);
  function.setDSOLocal(true);
  function.setUWTableKind(llvm::UWTableKind::Async);
}

}  // namespace

std::string linkLibrary(llvm::Module &module) {
  if (!usesLibrary(module)) return "";
  llvm::StringRef bytes(hostwarp_ptx_library, size_t(hostwarp_ptx_library_end - hostwarp_ptx_library));
  auto library = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bytes, "ptx library"), module.getContext());
  if (!library) return llvm::toString(library.takeError());
  (*library)->setDataLayout(module.getDataLayout());
  (*library)->setTargetTriple(module.getTargetTriple());
  if (llvm::NamedMDNode *flags = (*library)->getModuleFlagsMetadata()) flags->eraseFromParent();
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

}  // namespace hostwarp::compiler::ptx
