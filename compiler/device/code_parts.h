// One module cut into several that can be optimised and emitted side by side.
#ifndef HOSTWARP_COMPILER_DEVICE_CODE_PARTS_H
#define HOSTWARP_COMPILER_DEVICE_CODE_PARTS_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace hostwarp::compiler {

using Bitcode = llvm::SmallVector<char, 0>;

// isLarge(): what LLVM does with the function should not take a time that grows with the square of its size; one
// variant of a block entry that is, for AVX2 and newer, has to do.
bool isLarge(const llvm::Function &function);

// hasLargeCode() tells whether any of the module's functions is large.
bool hasLargeCode(const llvm::Module &module);

// splitIntoParts() returns the bitcode of at most `most` modules with about the same number of instructions each, which
// linked together are `module`; large functions are not in one part with others. How many depends on the size of the
// code alone, so that builds are reproducible. What was internal becomes hidden under a name that ends in `unique`;
// `module` is of no further use. One part: empty result, and `module` is as it was. pre: what is not used has been
// removed, as nobody can tell afterwards.
std::vector<Bitcode> splitIntoParts(llvm::Module &module, unsigned most, const std::string &unique);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_CODE_PARTS_H
