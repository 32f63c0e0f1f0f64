#include "compiler/gpu_library/gpu_library.h"

#include "compiler/ptx/bitcode.h"

HOSTWARP_EMBED_BITCODE(hostwarp_gpu_library, HOSTWARP_GPU_LIBRARY);

namespace hostwarp::compiler {

llvm::StringRef gpuLibrary() { return {hostwarp_gpu_library, size_t(hostwarp_gpu_library_end - hostwarp_gpu_library)}; }

}  // namespace hostwarp::compiler
