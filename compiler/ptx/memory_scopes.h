// How LLVM IR says of accesses what only the checked build wants to know: the CPU shows all to everybody.
#ifndef HOSTWARP_COMPILER_PTX_MEMORY_SCOPES_H
#define HOSTWARP_COMPILER_PTX_MEMORY_SCOPES_H

#include <llvm/ADT/StringRef.h>

namespace hostwarp::compiler {

// scopeOfBlock is the LLVM scope, or the metadata of a call, of what only threads of the block are meant to see.
// strongAccess is the metadata of accesses that count as atomic and are none in LLVM IR.
inline constexpr llvm::StringLiteral scopeOfBlock = "block", strongAccess = "hostwarp.strong";

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_PTX_MEMORY_SCOPES_H
