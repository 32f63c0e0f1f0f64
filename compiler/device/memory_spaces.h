// Which memory space an access goes to, as far as its address tells.
#ifndef HOSTWARP_COMPILER_DEVICE_MEMORY_SPACES_H
#define HOSTWARP_COMPILER_DEVICE_MEMORY_SPACES_H

#include <llvm/IR/Function.h>

#include <cstdint>

namespace llvm {
class PassBuilder;
}

namespace hostwarp::compiler {

enum class MemorySpace : uint8_t {
  Local,      // the thread's own variables
  Shared,     // the block's __shared__ variables
  Elsewhere,  // what a kernel's parameters point to
  Unknown,
};

// spaceOf() is for code that has become simple: addresses begin at a load of hw_thread or of a parameter then.
MemorySpace spaceOf(const llvm::Value &address);

// relaxSharedAccesses() makes volatile accesses of the block's own shared memory plain ones, and marks atomics there
// for unlockSharedAtomics(). pre: the function runs whole blocks, so that nobody else writes there between its
// boundaries.
void relaxSharedAccesses(llvm::Function &function);

// isOwnAtomic() tells whether relaxSharedAccesses() has marked it.
bool isOwnAtomic(const llvm::Instruction &atomic);

// unlockSharedAtomics() registers the pass that makes loads and stores of the marked atomics, behind the vectoriser: in
// loops whose turns are said not to depend on each other they must not look like independent accesses.
void unlockSharedAtomics(llvm::PassBuilder &builder);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_MEMORY_SPACES_H
