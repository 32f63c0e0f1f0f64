// The functions of ptx/library as bitcode inside this program.
#ifndef HOSTWARP_COMPILER_PTX_LIBRARY_H
#define HOSTWARP_COMPILER_PTX_LIBRARY_H

#include <llvm/IR/Module.h>

#include <string>

namespace hostwarp::compiler::ptx {

// linkLibrary() adds the library functions that `module` uses, as internal functions without target attributes.
// Returns "" or what is wrong.
std::string linkLibrary(llvm::Module &module);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_LIBRARY_H
