// The memory of allocation nodes: addresses for as long as the node exists, memory behind them from a launch on.
#ifndef HOSTWARP_EMU_RUNTIME_GRAPH_MEMORY_H
#define HOSTWARP_EMU_RUNTIME_GRAPH_MEMORY_H

#include <driver_types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "emu_runtime/device/device.h"
#include "emu_runtime/memory/arena.h"
#include "emu_runtime/support/status.h"
#include "fibers/mutex.h"

namespace hostwarp::graph {

class GraphMemory;
using GraphMemoryRef = std::shared_ptr<GraphMemory>;

// GraphMemory is one allocation of a graph [CUDA 4.2.5 graph memory nodes]. It is outstanding from the launch of its
// graph until something frees it; while it is, it outlives its node. Memory stays behind the addresses for the next
// launch until cudaDeviceGraphMemTrim(). Thread-safe.
class GraphMemory : public std::enable_shared_from_this<GraphMemory> {
 public:
  // reserve() takes addresses on the device; null when there are none.
  static GraphMemoryRef reserve(device::Device &device, size_t bytes);
  // at() is the live object whose memory starts at `pointer`, or null.
  static GraphMemoryRef at(const void *pointer);
  ~GraphMemory();
  GraphMemory(const GraphMemory &) = delete;
  GraphMemory &operator=(const GraphMemory &) = delete;

  void *start() const { return reinterpret_cast<void *>(block_.start); }  // NOLINT(performance-no-int-to-ptr)

  // allocate() makes the memory outstanding for a launch that begins; false when the device has not enough.
  [[nodiscard]] bool allocate();
  bool outstanding() const;
  // free() ends that; false when it is not outstanding.
  bool free();

  // Runs of a graph keep its memory from being trimmed.
  void enterRun();
  void leaveRun();

  // trim() gives the memory of the device back that no graph uses; forget() that of a device that is reset.
  static void trim(device::Device &device);
  static void forget(device::Device &device);

  // Counters are bytes behind graphs' addresses; the high marks are since the last reset.
  struct Counters {
    uint64_t used = 0, usedHigh = 0;
    uint64_t reserved = 0, reservedHigh = 0;
  };
  static Counters counters(device::Device &device);
  static void resetUsedHigh(device::Device &device);
  static void resetReservedHigh(device::Device &device);

 private:
  friend struct MemoryRegistry;
  GraphMemory(device::Device &device, const memory::Block &block) : device_(device), block_(block) {}
  void unmapLocked() HOSTWARP_REQUIRES(mutex_);

  static inline constinit Mutex mutex_;  // of all graph memory

  device::Device &device_;
  const memory::Block block_;
  bool mapped_ HOSTWARP_GUARDED_BY(mutex_) = false;
  GraphMemoryRef self_ HOSTWARP_GUARDED_BY(mutex_);  // set while outstanding
  unsigned runs_ HOSTWARP_GUARDED_BY(mutex_) = 0;
};

// LaunchMemory is what a launch has made outstanding and freed. Unless the launch takes place all of it is undone.
class LaunchMemory {
 public:
  LaunchMemory(size_t allocations, size_t frees) {
    allocated_.reserve(allocations);
    freed_.reserve(frees);
  }
  LaunchMemory(LaunchMemory &&) = default;
  LaunchMemory &operator=(LaunchMemory &&) = delete;
  ~LaunchMemory();

  // allocate() and free() are GraphMemory's. pre: within the numbers that were given to the constructor.
  [[nodiscard]] bool allocate(const GraphMemoryRef &memory);
  [[nodiscard]] bool free(const GraphMemoryRef &memory);
  // keep() tells that the launch has taken place.
  void keep();

 private:
  std::vector<GraphMemoryRef> allocated_, freed_;
};

}  // namespace hostwarp::graph

#endif  // HOSTWARP_EMU_RUNTIME_GRAPH_MEMORY_H
