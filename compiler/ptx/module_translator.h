// Turns PTX modules into LLVM IR, as clang's device pass would have made of the same functions in CUDA C++.
#ifndef HOSTWARP_COMPILER_PTX_MODULE_TRANSLATOR_H
#define HOSTWARP_COMPILER_PTX_MODULE_TRANSLATOR_H

#include <llvm/IR/Module.h>

#include <string>
#include <string_view>

#include "compiler/ptx/syntax.h"

namespace hostwarp::compiler::ptx {

// translateModule() fills the module, which has the host's data layout and nothing else, from the text. Returns "" or
// what is wrong, as "file:line: error: ...". Functions of the library are not yet linked: Translator::finish() does.
// isWhole: what is declared and called has to be defined.
std::string translateModule(std::string_view text, const std::string &file, bool isWhole, llvm::Module &module);

// checkModule() tells whether translateModule() would take the parsed module. It keeps no code, and so needs less
// memory than that.
bool checkModule(const ModuleText &text, llvm::Module &module);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_MODULE_TRANSLATOR_H
