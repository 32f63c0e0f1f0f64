// ExternalSemaphore: what orders streams with whoever else holds the file behind it (chapter "interop").
#ifndef HOSTWARP_EMU_RUNTIME_STREAM_EXTERNAL_SEMAPHORE_H
#define HOSTWARP_EMU_RUNTIME_STREAM_EXTERNAL_SEMAPHORE_H

#include <driver_types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "emu_runtime/stream/context_state.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::stream {

class ExternalSemaphore;
using ExternalSemaphoreRef = std::shared_ptr<ExternalSemaphore>;

// ExternalSemaphore is binary or a timeline. A signal sets a binary one and one wait takes that away again; a timeline
// is a number that signals set and waits compare, without changing it. Thread-safe.
class ExternalSemaphore {
 public:
  // import() understands what Linux itself offers: an eventfd is binary; a file in memory begins with a 64-bit number,
  // which is a timeline, or 0 and 1 of a binary semaphore. The descriptor is closed with the semaphore; the caller
  // keeps it where the import fails.
  static Expected<ExternalSemaphoreRef> import(const cudaExternalSemaphoreHandleDesc &description);

  virtual ~ExternalSemaphore() = default;
  ExternalSemaphore(const ExternalSemaphore &) = delete;
  ExternalSemaphore &operator=(const ExternalSemaphore &) = delete;

  // signal() and tryWait() do not block; a binary semaphore ignores `value`. Gone: there is nothing behind it any more.
  enum class Answer { No, Yes, Gone };
  virtual Answer signal(uint64_t value) = 0;
  virtual Answer tryWait(uint64_t value) = 0;

 protected:
  ExternalSemaphore() = default;
};

// SemaphoreUse is a semaphore with the value to set or to wait for.
struct SemaphoreUse {
  ExternalSemaphoreRef semaphore;
  uint64_t value = 0;
};
using SemaphoreUses = std::vector<SemaphoreUse>;

// signalAll() signals one after the other. waitForAll() blocks until all have been signalled or the context has failed.
// Both return whether the semaphores were still there.
[[nodiscard]] bool signalAll(const SemaphoreUses &uses);
[[nodiscard]] bool waitForAll(const SemaphoreUses &uses, const ContextState &state);
inline constexpr const char *semaphoreLost = "the file behind an external semaphore has become shorter";

}  // namespace hostwarp::stream

#endif  // HOSTWARP_EMU_RUNTIME_STREAM_EXTERNAL_SEMAPHORE_H
