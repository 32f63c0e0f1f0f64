// Divides a large PTX module into parts that can be compiled one by one, when somebody wants one of its kernels.
//
// The result is a text: a line "HWPARTS1 <items>", a line for each item, and an empty line, behind which the module's
// text begins:
//
//     <kind> <begin> <end> <name>[,<name>...] <used name>[,<used name>...]
//
// where begin and end count the bytes from there, and "-" stands for no names. The kinds:
//
//     H  what each part begins with (.version, .target, .file ...)
//     B  what says in each part of a kernel that variables are borrowed (module_parser.h: borrowPragma)
//     V  a definition of variables of the state spaces .global and .const
//     D  for each of these its declaration as another image's variable
//     S  variables of the state space .shared, which each part has for itself
//     F  a function, defined or declared; A  an alias of one
//     K  a kernel
//
// A part is the text of some items in their order: all H and V are the part with the variables; all H and B, one K, and
// the D, S, F, A and K that it uses, directly or not, are that of a kernel.
#ifndef HOSTWARP_COMPILER_PTX_MODULE_PARTS_H
#define HOSTWARP_COMPILER_PTX_MODULE_PARTS_H

#include <llvm/IR/Module.h>

#include <string>
#include <string_view>

namespace hostwarp::compiler::ptx {

// divideModule() returns the text above. It is "HWPARTS1 0" alone for a module that can only be compiled as a whole:
// where addresses of functions are kept, calls lead from one part to another; and the errors of a wrong module shall be
// those of its compilation. `scratch` is an empty module with the host's data layout.
std::string divideModule(std::string_view text, llvm::Module &scratch);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_MODULE_PARTS_H
