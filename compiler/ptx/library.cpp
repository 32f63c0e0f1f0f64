#include "compiler/ptx/library.h"

#include "compiler/ptx/bitcode.h"

// HOSTWARP_PTX_LIBRARY is the bitcode file that the build makes of ptx/library.
HOSTWARP_EMBED_BITCODE(hostwarp_ptx_library, HOSTWARP_PTX_LIBRARY);

namespace hostwarp::compiler::ptx {

namespace {

constexpr llvm::StringRef prefix = "hwptx_";

bool usesLibrary(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with(prefix)) return true;
  return false;
}

}  // namespace

std::string linkLibrary(llvm::Module &module) {
  if (!usesLibrary(module)) return "";
  return linkBitcode(module, {hostwarp_ptx_library, size_t(hostwarp_ptx_library_end - hostwarp_ptx_library)}, prefix);
}

}  // namespace hostwarp::compiler::ptx
