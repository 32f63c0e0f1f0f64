// Pools that are no device's: of the host's memory and of managed memory, by where programs want it.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_HOME_POOLS_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_HOME_POOLS_H

#include <map>
#include <memory>
#include <utility>

#include "emu_runtime/memory/pool.h"
#include "emu_runtime/support/status.h"
#include "fibers/mutex.h"

namespace hostwarp::memory {

// checkHome() tells whether there can be such a pool. All managed memory is one, wherever it is wanted; of the host's
// nodes there is one.
Status checkHome(const cudaMemLocation &location, cudaMemAllocationType type);

// makeHomePool() makes one, of at most so many bytes; 0: no limit. pre: checkHome() agrees.
std::shared_ptr<Pool> makeHomePool(const cudaMemLocation &location, cudaMemAllocationType type, size_t most);

// HomePools are the pools in effect for each place, which are at first the default ones. Thread-safe.
class HomePools {
 public:
  static HomePools &process();

  std::shared_ptr<Pool> defaultPool(const cudaMemLocation &location, cudaMemAllocationType type);
  std::shared_ptr<Pool> current(const cudaMemLocation &location, cudaMemAllocationType type);
  void set(std::shared_ptr<Pool> pool);
  bool isDefault(const std::shared_ptr<Pool> &pool);
  // forget() puts the default pool in the place of one that is about to go.
  void forget(const std::shared_ptr<Pool> &pool);

 private:
  struct Pools {
    std::shared_ptr<Pool> first, current;
  };
  using Key = std::pair<std::pair<int, int>, int>;
  Pools &at(const cudaMemLocation &location, cudaMemAllocationType type) HOSTWARP_REQUIRES(mutex_);

  Mutex mutex_;
  std::map<Key, Pools> pools_ HOSTWARP_GUARDED_BY(mutex_);
};

}  // namespace hostwarp::memory

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_HOME_POOLS_H
