// What an operation has to know of the context it belongs to.
#ifndef HOSTWARP_EMU_RUNTIME_STREAM_CONTEXT_STATE_H
#define HOSTWARP_EMU_RUNTIME_STREAM_CONTEXT_STATE_H

#include <driver_types.h>

#include <atomic>

namespace hostwarp::stream {

// ContextState holds a context's sticky error: once a kernel has faulted, nothing queued behind it runs any more and
// every call reports the error until cudaDeviceReset(). Shared by the context and its operations, because operations
// outlive a context that is reset. Thread-safe.
class ContextState {
 public:
  // error() returns the sticky error, cudaSuccess while the context is sound.
  cudaError_t error() const { return static_cast<cudaError_t>(error_.load(std::memory_order_acquire)); }

  // fail() records `error`; the first one stays. Returns whether this call was the first.
  bool fail(cudaError_t error) {
    int expected = cudaSuccess;
    return error_.compare_exchange_strong(expected, error, std::memory_order_acq_rel);
  }

 private:
  std::atomic<int> error_{cudaSuccess};
};

}  // namespace hostwarp::stream

#endif  // HOSTWARP_EMU_RUNTIME_STREAM_CONTEXT_STATE_H
