// MemoryOperation: a stream or a graph waits for a value in memory, or writes one [CUDA driver API: stream memory
// operations].
#ifndef HOSTWARP_EMU_RUNTIME_STREAM_MEMORY_OPERATION_H
#define HOSTWARP_EMU_RUNTIME_STREAM_MEMORY_OPERATION_H

#include <cuda.h>

#include <functional>
#include <memory>

#include "emu_runtime/stream/context_state.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::stream {

// A batch holds at most this many.
constexpr unsigned mostMemoryOperations = 255;

// MemoryOperation is one operation, checked. `work` does it and tells whether the memory was still there; where it
// `waits`, it blocks until the value has come or the context has failed.
struct MemoryOperation {
  std::function<bool()> work;
  bool waits = false;
};

// memoryOperation() checks what a program asks for.
Expected<MemoryOperation> memoryOperation(const CUstreamBatchMemOpParams &params,
                                          const std::shared_ptr<ContextState> &state);

}  // namespace hostwarp::stream

#endif  // HOSTWARP_EMU_RUNTIME_STREAM_MEMORY_OPERATION_H
