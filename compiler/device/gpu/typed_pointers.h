// Textual IR from before LLVM 15, in which pointers have types: LLVM reads it no more.
#ifndef HOSTWARP_COMPILER_DEVICE_GPU_TYPED_POINTERS_H
#define HOSTWARP_COMPILER_DEVICE_GPU_TYPED_POINTERS_H

#include <llvm/ADT/StringRef.h>

#include <string>

namespace hostwarp::compiler {

// withOpaquePointers() writes each `T*` and `T addrspace(N)*` of the text as `ptr` and `ptr addrspace(N)`; all else
// stays as it is. Instructions name the types that they need beside the pointer's, so nothing is lost; where an old
// text does not, as for `byval` without a type, LLVM's parser says so. Texts without such types come back unchanged.
std::string withOpaquePointers(llvm::StringRef text);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_GPU_TYPED_POINTERS_H
