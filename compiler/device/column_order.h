// Kernels whose memory lies along y.
#ifndef HOSTWARP_COMPILER_DEVICE_COLUMN_ORDER_H
#define HOSTWARP_COMPILER_DEVICE_COLUMN_ORDER_H

#include <llvm/IR/Function.h>

#include "compiler/device/thread_fields.h"

namespace hostwarp::compiler {

// prefersColumns(): threads that follow each other in y access neighbouring memory, or the same, and those that follow
// each other in x do not: "C[threadIdx.x * n + threadIdx.y]". Nothing in the kernel depends on the order of threads,
// as far as a program may rely on it: it has neither calls nor atomic operations, and no two threads of a row or of a
// column write to one address. `threads` are what stands for the indices.
bool prefersColumns(llvm::Function &function, const ThreadFields &threads);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_COLUMN_ORDER_H
