// Pool: memory that is allocated and freed in the order of streams.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_POOL_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_POOL_H

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "emu_runtime/memory/allocator.h"
#include "emu_runtime/memory/free_order.h"
#include "fibers/mutex.h"

namespace hostwarp::memory {

// Pool hands out memory, mostly a device's, and keeps what is freed for the next allocation, until it is trimmed
// [CUDA 4.3 stream-ordered allocation]. Thread-safe.
class Pool : public std::enable_shared_from_this<Pool> {
 public:
  // `most` limits the memory that the pool holds; 0: only the device does.
  Pool(Allocator &allocator, int device, size_t most)
      : Pool(allocator, Kind::Pool, {cudaMemLocationTypeDevice, device}, most) {}
  // A pool of another kind of memory: Kind::Host or Kind::Managed.
  Pool(Allocator &allocator, Kind kind, const cudaMemLocation &location, size_t most);
  ~Pool();
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  // device() is the one whose memory it is; 0 for the host's.
  int device() const { return device_; }
  bool ofDevice() const { return kind_ == Kind::Pool; }
  const cudaMemLocation &location() const { return location_; }
  cudaMemAllocationType type() const {
    return kind_ == Kind::Managed ? cudaMemAllocationTypeManaged : cudaMemAllocationTypePinned;
  }

  // Requester is the stream that memory is wanted in, and the frees that its work follows.
  struct Requester {
    uint64_t stream = 0;
    FreeOrder::Ref follows;
  };
  // Taken is an allocation, null when there is not enough memory. Work with it has to come after `behind`, the free
  // that gives the memory back, unless that is null.
  struct Taken {
    void *memory = nullptr;
    std::shared_ptr<void> behind;
  };
  // allocate() returns memory for the work behind this call in the requester's stream; which freed memory that may be
  // is in the reuse policies. pre: bytes > 0.
  Taken allocate(size_t bytes, const Requester &requester);

  // offer() takes back an allocation that was removed from the table and whose free, `task`, is about to be enqueued as
  // `mark`. False when it finds no memory: then the caller calls recycle() once the free is executed. In both cases it
  // calls executed() then.
  bool offer(const Allocation &allocation, const FreeMark &mark, const std::shared_ptr<void> &task);
  void executed(const FreeMark &mark);
  // recycle() takes back an allocation that was removed from the table and that nothing uses any more.
  void recycle(const Allocation &allocation);

  // settleAll() tells all pools that the host has waited for the frees in `order`, or for all that have been executed:
  // what they gave back is for everybody, and what exceeds the pools' thresholds goes back to the device.
  static void settleAll(const FreeOrder::Ref &order);
  static void settleAll();
  // trimTo() gives memory whose free has been executed back to the device until at most `keep` bytes are held.
  void trimTo(size_t keep);

  // What a GPU's driver reserves is a multiple of it, and so is what a threshold lets it keep.
  static constexpr uint64_t chunk = uint64_t{32} << 20;

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
  // The three reuse policies of cudaMemPoolAttr, on at first: other streams get memory whose free they follow
  // (FollowEventDependencies), whose free has been executed (AllowOpportunistic), or, where there is no other, are made
  // to follow the free (AllowInternalDependencies).
  int reusePolicy(int index) const;
  void setReusePolicy(int index, int value);

  // What other devices may do with the memory (cudaMemAccessFlags); the pool's own may do everything.
  int access(int device) const;
  void setAccess(int device, int flags);
  // sharers() are the other devices that may use the memory.
  std::vector<int> sharers() const;

 private:
  // Piece is memory for further allocations. Those in any stream may have it once its mark has no stream.
  struct Piece {
    Block block;
    FreeMark mark;
    std::weak_ptr<void> task;
  };
  using Pieces = std::multimap<size_t, Piece>;  // by size
  enum Policy { FollowEventDependencies, AllowOpportunistic, AllowInternalDependencies };
  struct Found {
    Block block;
    std::shared_ptr<void> behind;
  };

  bool isExecuted(const FreeMark &mark) const HOSTWARP_REQUIRES(mutex_);
  bool mayHave(const Piece &piece, const Requester &requester) const HOSTWARP_REQUIRES(mutex_);
  Found takePiece(size_t bytes, const Requester &requester);
  Found takePending(size_t bytes);
  Found takeNew(size_t bytes);
  template <class Test>
  void release(size_t keep, size_t least, Test mayGo) HOSTWARP_REQUIRES(mutex_);
  template <class Test>
  void settle(Test waitedFor);
  void countReserved(const Block &block);
  void countUsed(size_t bytes);

  Allocator &allocator_;
  const Kind kind_;
  const cudaMemLocation location_;
  const int device_;
  const size_t most_;
  mutable Mutex mutex_;
  Pieces pieces_ HOSTWARP_GUARDED_BY(mutex_);
  // The last free of each stream that has been executed.
  std::map<uint64_t, uint64_t> executed_ HOSTWARP_GUARDED_BY(mutex_);
  Statistics statistics_ HOSTWARP_GUARDED_BY(mutex_);
  uint64_t releaseThreshold_ HOSTWARP_GUARDED_BY(mutex_) = 0;
  int reusePolicies_[3] HOSTWARP_GUARDED_BY(mutex_) = {1, 1, 1};
  std::map<int, int> access_ HOSTWARP_GUARDED_BY(mutex_);  // by device
};

}  // namespace hostwarp::memory

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_POOL_H
