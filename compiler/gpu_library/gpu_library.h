// The functions of source/ as NVPTX bitcode inside this program.
#ifndef HOSTWARP_COMPILER_GPU_LIBRARY_GPU_LIBRARY_H
#define HOSTWARP_COMPILER_GPU_LIBRARY_GPU_LIBRARY_H

#include <llvm/ADT/StringRef.h>

namespace hostwarp::compiler {

llvm::StringRef gpuLibrary();

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_GPU_LIBRARY_GPU_LIBRARY_H
