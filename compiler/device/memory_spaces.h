// Which memory space an access goes to, as far as its address tells.
#ifndef HOSTWARP_COMPILER_DEVICE_MEMORY_SPACES_H
#define HOSTWARP_COMPILER_DEVICE_MEMORY_SPACES_H

#include <llvm/IR/Function.h>

#include <cstdint>

namespace hostwarp::compiler {

enum class MemorySpace : uint8_t {
  Local,      // the thread's own variables
  Shared,     // the block's __shared__ variables
  Elsewhere,  // what a kernel's parameters point to
  Unknown,
};

// spaceOf() is for code that has become simple: addresses begin at a load of hw_thread or of a parameter then.
MemorySpace spaceOf(const llvm::Value &address);

// relaxSharedAccesses() makes volatile accesses of the block's own shared memory plain ones. pre: the function runs
// whole blocks, so that nobody else writes there between its boundaries.
void relaxSharedAccesses(llvm::Function &function);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_MEMORY_SPACES_H
