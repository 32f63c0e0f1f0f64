// AllocationTable: which memory an address belongs to.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_ALLOCATION_TABLE_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_ALLOCATION_TABLE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "emu_runtime/memory/arena.h"
#include "fibers/mutex.h"

namespace hostwarp::ipc {
class SharedPages;
}

namespace hostwarp::memory {

class Pool;

// Kind says how memory came to be, and so who may use and free it.
enum class Kind : uint8_t {
  Device,          // cudaMalloc
  Pool,            // cudaMallocAsync
  Managed,         // cudaMallocManaged
  Host,            // cudaMallocHost, cudaHostAlloc
  RegisteredHost,  // cudaHostRegister
  Variable,        // __device__ and __constant__ variables
  ManagedVariable,
  Imported,    // cudaIpcOpenMemHandle
  Graph,       // of a memory allocation node; lives as long as the node
  Mapped,      // cuMemMap
  DeviceHeap,  // malloc() in device code
};

// Allocation is one range of memory that the runtime knows. Memory it does not know is pageable host memory.
struct Allocation {
  uintptr_t start = 0;
  size_t bytes = 0;
  Kind kind = Kind::Device;
  int device = 0;                        // ordinal of the device it was made on
  unsigned flags = 0;                    // as given to cudaHostAlloc, cudaHostRegister or cudaMallocManaged
  Block block;                           // where it lies in its arena, if it does
  std::shared_ptr<Pool> pool = nullptr;  // that it belongs to, for Kind::Pool and some of Kind::Host and Managed
  uint64_t context = 0;                  // id of the context it was made in
  std::shared_ptr<ipc::SharedPages> shared = nullptr;  // behind it, when other processes use it

  bool contains(uintptr_t address) const { return address - start < (bytes ? bytes : 1); }
  bool onDevice() const {
    return kind == Kind::Device || kind == Kind::Pool || kind == Kind::Variable || kind == Kind::Imported ||
           kind == Kind::Graph || kind == Kind::Mapped;
  }
  bool managed() const { return kind == Kind::Managed || kind == Kind::ManagedVariable; }
  bool pinnedHost() const { return kind == Kind::Host || kind == Kind::RegisteredHost; }
};

// AllocationTable is all allocations of the process. Thread-safe; look-ups run side by side.
class AllocationTable {
 public:
  // add() enters the allocation; replaces what is left of variables in shared objects that are gone.
  void add(const Allocation &allocation);

  // find() returns the allocation that `address` lies in.
  std::optional<Allocation> find(const void *address) const;

  // Neighbours are the allocations next to an address, below and above it.
  struct Neighbours {
    std::optional<Allocation> below, above;
  };
  Neighbours neighboursOf(const void *address) const;

  // findFreed() returns the last of the allocations taken that `address` lay in, as far as they are kept.
  std::optional<Allocation> findFreed(const void *address) const;
  // keepFreed() has allocations that are taken from now on be kept, the last 4096 of them.
  void keepFreed() { keepsFreed_ = true; }

  // changes() counts what was entered and taken: what find() has returned holds as long as it is the same.
  uint64_t changes() const { return changes_.load(std::memory_order_acquire); }

  // overlaps() tells whether any part of [address, address + bytes) is known.
  bool overlaps(const void *address, size_t bytes) const;

  // take() removes and returns the allocation that starts at `address` if `accept` agrees.
  std::optional<Allocation> take(const void *address, const std::function<bool(const Allocation &)> &accept);

  // takeAll() removes and returns every allocation that `accept` agrees to.
  std::vector<Allocation> takeAll(const std::function<bool(const Allocation &)> &accept);

  // all() is what is there now, by address.
  std::vector<Allocation> all() const;

  // ofHeaps() is a table of what device code's malloc() has given out; kept in the checked build only.
  static AllocationTable &ofHeaps();

  // process() is the table of this process; never destroyed, because static destructors free memory.
  static AllocationTable &process();

 private:
  using Map = std::map<uintptr_t, Allocation>;
  Map::const_iterator locate(uintptr_t address) const HOSTWARP_REQUIRES_SHARED(mutex_);

  void noteTaken(const Allocation &allocation) HOSTWARP_REQUIRES(mutex_);

  std::atomic<uint64_t> changes_ = 0;
  std::atomic<bool> keepsFreed_ = false;
  mutable SharedMutex mutex_;
  std::deque<Allocation> freed_ HOSTWARP_GUARDED_BY(mutex_);  // the last one first
  Map allocations_ HOSTWARP_GUARDED_BY(mutex_);               // by start
};

}  // namespace hostwarp::memory

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_ALLOCATION_TABLE_H
