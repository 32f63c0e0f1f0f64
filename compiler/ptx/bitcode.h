// Libraries in C++ that the build makes bitcode of, for code that uses them.
#ifndef HOSTWARP_COMPILER_PTX_BITCODE_H
#define HOSTWARP_COMPILER_PTX_BITCODE_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>

#include <string>

// HOSTWARP_EMBED_BITCODE puts a file into this program's read-only data, from `symbol` to `symbol`_end.
#define HOSTWARP_EMBED_BITCODE(symbol, file)                                                                        \
  __asm__(".section .rodata\n.balign 16\n.globl " #symbol "\n.globl " #symbol "_end\n" #symbol ":\n.incbin \"" file \
          "\"\n" #symbol "_end:\n.byte 0\n.previous\n");                                                            \
  extern "C" const char symbol[], symbol##_end[]

namespace hostwarp::compiler {

// linkBitcode() adds the functions of a library that `module` declares, as internal functions without target
// attributes but ofLibrary, and what they need. `prefix` begins the names that the library must have. Returns "" or
// what is wrong.
inline constexpr llvm::StringLiteral ofLibrary = "hostwarp.library";
std::string linkBitcode(llvm::Module &module, llvm::StringRef bytes, llvm::StringRef prefix);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_PTX_BITCODE_H
