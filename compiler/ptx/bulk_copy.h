#ifndef HOSTWARP_COMPILER_PTX_BULK_COPY_H
#define HOSTWARP_COMPILER_PTX_BULK_COPY_H

#include "compiler/ptx/bulk_operations.h"
#include "compiler/ptx/emitter.h"

namespace hostwarp::compiler::ptx {

// emitBulk() is everything that begins with cp.async.bulk or, if it `reduces`, cp.reduce.async.bulk.
void emitBulk(Emitter &emitter, bool reduces);

// emitTensorCopy() is what has .tensor in it.
void emitTensorCopy(Emitter &emitter, bool reduces);

// commitGroup() and waitForGroups() are what the instructions of these names do without their modifiers.
void commitGroup(Emitter &emitter, hw_async_event event);
void waitForGroups(Emitter &emitter, hw_async_event event);

// takeBulkOperation() takes .add, .min ... of a reduction.
BulkOperation takeBulkOperation(Emitter &emitter);

// blockMask() is the operand of .multicast::cluster: a bit for each block of the cluster.
llvm::Value *blockMask(Emitter &emitter, size_t index);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_BULK_COPY_H
