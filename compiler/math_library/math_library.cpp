#include "compiler/math_library/math_library.h"

#include "compiler/ptx/bitcode.h"

HOSTWARP_EMBED_BITCODE(hostwarp_math_library, HOSTWARP_MATH_LIBRARY);

namespace hostwarp::compiler {

llvm::StringRef mathLibrary() {
  return {hostwarp_math_library, size_t(hostwarp_math_library_end - hostwarp_math_library)};
}

}  // namespace hostwarp::compiler
