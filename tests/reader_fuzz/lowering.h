// What hwcc-device does first with a module, whatever it has read it from.
#ifndef HOSTWARP_TESTS_READER_FUZZ_LOWERING_H
#define HOSTWARP_TESTS_READER_FUZZ_LOWERING_H

#include <llvm/IR/Module.h>

namespace hostwarp::tests {

// lower() runs the steps up to IR for the host, and ends the process when that is not valid. pre: the module is.
void lower(llvm::Module &module);

// expectValid() ends the process unless LLVM calls the module valid; `what` it is.
void expectValid(const llvm::Module &module, const char *what);

}  // namespace hostwarp::tests

#endif  // HOSTWARP_TESTS_READER_FUZZ_LOWERING_H
