// What the program has said about where ranges of managed memory should be.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_ADVICE_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_ADVICE_H

#include <driver_types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "fibers/mutex.h"

namespace hostwarp::memory {

// Advice is what cudaMemAdvise() and cudaMemPrefetchAsync() left on a range. It has no effect but to be asked for:
// emulated devices and the host share one memory.
struct Advice {
  bool readMostly = false;
  cudaMemLocation preferred{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
  cudaMemLocation lastPrefetch{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
  std::set<int> accessedBy;  // devices, cudaCpuDeviceId for the host
};

// AdviceMap keeps the advice of the process. What is said of a range holds for all pages that it touches. Thread-safe.
class AdviceMap {
 public:
  // update() applies `change` to the advice of every part of the range.
  void update(const void *start, size_t bytes, const std::function<void(Advice &)> &change);
  // forget() drops the advice on a range that is freed.
  void forget(const void *start, size_t bytes);
  // partsOf() returns the advice of the parts of the range, in order; parts without any have a default one.
  std::vector<Advice> partsOf(const void *start, size_t bytes) const;

  static AdviceMap &process();

 private:
  void splitAt(uintptr_t address) HOSTWARP_REQUIRES(mutex_);

  mutable Mutex mutex_;
  // Each entry holds from its key to the next key; the advice before the first is a default one.
  std::map<uintptr_t, Advice> parts_ HOSTWARP_GUARDED_BY(mutex_);
};

}  // namespace hostwarp::memory

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_ADVICE_H
