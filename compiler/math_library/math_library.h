// The functions of this folder as bitcode inside this program.
#ifndef HOSTWARP_COMPILER_MATH_LIBRARY_MATH_LIBRARY_H
#define HOSTWARP_COMPILER_MATH_LIBRARY_MATH_LIBRARY_H

#include <llvm/ADT/StringRef.h>

namespace hostwarp::compiler {

llvm::StringRef mathLibrary();

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_MATH_LIBRARY_MATH_LIBRARY_H
