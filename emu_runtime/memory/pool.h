// Pool: memory that is allocated and freed in the order of streams.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_POOL_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_POOL_H

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "emu_runtime/memory/allocator.h"

namespace hostwarp::memory {

// Pool hands out memory, mostly a device's, and keeps what is freed for the next allocation, until it is trimmed
// [CUDA 4.3 stream-ordered allocation]. What recycle() takes back must be unused by then: the caller has waited for the
// stream. Thread-safe.
class Pool : public std::enable_shared_from_this<Pool> {
 public:
  // `most` limits the memory that the pool holds; 0: only the device does.
  Pool(Allocator &allocator, int device, size_t most)
      : Pool(allocator, Kind::Pool, {cudaMemLocationTypeDevice, device}, most) {}
  // A pool of another kind of memory: Kind::Host or Kind::Managed.
  Pool(Allocator &allocator, Kind kind, const cudaMemLocation &location, size_t most)
      : allocator_(allocator),
        kind_(kind),
        location_(location),
        device_(location.type == cudaMemLocationTypeDevice ? location.id : 0),
        most_(most) {}
  ~Pool() { trimTo(0); }
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  // device() is the one whose memory it is; 0 for the host's.
  int device() const { return device_; }
  bool ofDevice() const { return kind_ == Kind::Pool; }
  const cudaMemLocation &location() const { return location_; }
  cudaMemAllocationType type() const {
    return kind_ == Kind::Managed ? cudaMemAllocationTypeManaged : cudaMemAllocationTypePinned;
  }

  // StreamIdentity tells streams apart; who holds one keeps it from becoming another stream's.
  using StreamIdentity = std::shared_ptr<const void>;

  // allocate() returns memory, null when there is not enough. It is for the work behind this call in `stream`, and may
  // be what a free in the same stream gives back that has not been executed yet. pre: bytes > 0.
  void *allocate(size_t bytes, const StreamIdentity &stream = nullptr);
  // recycle() takes back an allocation that was removed from the table.
  void recycle(const Allocation &allocation);

  // Freeing is memory whose free waits in a stream.
  struct Freeing {
    Allocation allocation;
    StreamIdentity stream;  // while allocations may have it; guarded by the pool's mutex_
    bool reused = false;    // guarded by the pool's mutex_
  };
  using FreeingRef = std::shared_ptr<Freeing>;
  // offer() lets allocations in the same stream have the memory. withdraw() ends that when the free is executed; false
  // when one of them has it.
  void offer(const FreeingRef &freeing, StreamIdentity stream);
  bool withdraw(const FreeingRef &freeing);
  // trimTo() gives unused memory back to the device until at most `keep` bytes are held. trim() keeps the threshold.
  void trimTo(size_t keep);
  void trim() { trimTo(releaseThreshold()); }

  // Statistics counts bytes: the pool's, and of them those that programs asked for and have not freed; the high marks
  // are since the last reset.
  struct Statistics {
    uint64_t reserved = 0, reservedHigh = 0;
    uint64_t used = 0, usedHigh = 0;
  };
  Statistics statistics() const;
  void resetReservedHigh();
  void resetUsedHigh();

  uint64_t releaseThreshold() const;
  void setReleaseThreshold(uint64_t bytes);
  // The three reuse policies of cudaMemPoolAttr: other streams reuse memory once its free has been executed, which all
  // allow.
  int reusePolicy(int index) const;
  void setReusePolicy(int index, int value);

  // What other devices may do with the memory (cudaMemAccessFlags); the pool's own may do everything.
  int access(int device) const;
  void setAccess(int device, int flags);
  // sharers() are the other devices that may use the memory.
  std::vector<int> sharers() const;

 private:
  using FreeingKey = std::pair<StreamIdentity, size_t>;

  Block takeFreeing(size_t bytes, const StreamIdentity &stream);
  Block takeCached(size_t bytes);
  void countReserved(const Block &block);
  void countUsed(size_t bytes);

  Allocator &allocator_;
  const Kind kind_;
  const cudaMemLocation location_;
  const int device_;
  const size_t most_;
  mutable std::mutex mutex_;
  std::multimap<size_t, Block> cached_;            // guarded by mutex_; by size
  std::multimap<FreeingKey, FreeingRef> freeing_;  // guarded by mutex_; by stream and size
  Statistics statistics_;                          // guarded by mutex_
  uint64_t releaseThreshold_ = 0;                  // guarded by mutex_
  int reusePolicies_[3] = {1, 1, 1};               // guarded by mutex_
  std::map<int, int> access_;                      // guarded by mutex_; by device
};

}  // namespace hostwarp::memory

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_POOL_H
