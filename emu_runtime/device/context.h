// Context: everything the program has made on one device, from its first use until cudaDeviceReset().
#ifndef HOSTWARP_EMU_RUNTIME_DEVICE_CONTEXT_H
#define HOSTWARP_EMU_RUNTIME_DEVICE_CONTEXT_H

#include <driver_types.h>

#include <array>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device_model/gpu.h"
#include "emu_runtime/memory/device_heap.h"
#include "emu_runtime/memory/free_order.h"
#include "emu_runtime/stream/context_state.h"
#include "emu_runtime/stream/stream.h"
#include "emu_runtime/support/status.h"
#include "fibers/mutex.h"

namespace hostwarp::device {

class Device;

// Streams and launches have priorities from greatestPriority to 0; lower numbers run first.
inline constexpr int greatestPriority = -5;

// Limits are the values behind cudaDeviceSetLimit(), but for the size of the heap. Thread-safe.
class Limits {
 public:
  explicit Limits(const device_model::Gpu &gpu);

  size_t get(cudaLimit limit) const { return values_[limit].load(std::memory_order_relaxed); }
  void set(cudaLimit limit, size_t value) { values_[limit].store(value, std::memory_order_relaxed); }

 private:
  static constexpr size_t count = cudaLimitPersistingL2CacheSize + 1;
  std::array<std::atomic<size_t>, count> values_{};
};

// Context is a device's primary context, or one that the driver API made beside it. Shared by the device and by
// handles; outlives a reset for as long as something still refers to it. Thread-safe.
class Context : public std::enable_shared_from_this<Context> {
 public:
  explicit Context(Device &device, uint64_t id = 0);
  // A green context: `sms` of the device's SMs from firstSm on for streams of its own. Memory and errors are the
  // primary context's.
  Context(std::shared_ptr<Context> primary, uint64_t number, int firstSm, int sms);

  Device &device() const { return device_; }
  // id() tells contexts that a program made apart by the memory they own; 0 is a primary context and its green ones.
  uint64_t id() const { return id_; }
  // number() tells all contexts of a device apart; 0 is the primary one.
  uint64_t number() const { return number_; }
  // model() is the device as kernels of this context see it.
  const device_model::Gpu &model() const { return model_; }
  // root() is the primary context of a green one, and any other context itself.
  Context &root() { return primary_ ? *primary_ : *this; }
  bool green() const { return primary_ != nullptr; }
  int firstSm() const { return firstSm_; }
  stream::StreamSet &streams() { return streams_; }
  const std::shared_ptr<stream::ContextState> &state() const { return state_; }
  memory::DeviceHeap &heap() { return heap_; }
  Limits &limits() { return limits_; }

  // status() is the sticky error as a Status; that of a context that was destroyed says so.
  Status status() const { return destroyed_ ? Status(cudaErrorContextIsDestroyed) : state_->error(); }
  void setDestroyed() { destroyed_ = true; }

  // fail() makes `error` the sticky error and shows the diagnosis to the user; only the first failure is shown.
  void fail(cudaError_t error, const std::string &diagnosis);

  // perThreadStream() returns the calling thread's default stream, made at its first use.
  std::shared_ptr<stream::Stream> perThreadStream();

  // settle() does what a synchronisation does beside waiting: it flushes what kernels have printed, and tells the pools
  // that `frees` have been waited for.
  void settle(const memory::FreeOrder::Ref &frees);

  // synchronize() blocks until all work enqueued before the call is done, for a primary context also in its green ones,
  // and returns the sticky error.
  Status synchronize();

  // addGreen() makes synchronize() wait for the green context too.
  void addGreen(const std::shared_ptr<Context> &green);
  // greens() are those of a primary context that are there.
  std::vector<std::shared_ptr<Context>> greens();

  // Peer access of kernels and copies of this context to other devices' memory.
  static constexpr size_t mostPeers = 64;
  Status enablePeer(int device);
  Status disablePeer(int device);

  std::atomic<int> cacheConfig{cudaFuncCachePreferNone};
  // Of a context that cuCtxCreate() made.
  std::atomic<unsigned> flags{0};
  std::atomic<int> uses{1};

 private:
  Device &device_;
  const uint64_t id_;
  const uint64_t number_;
  const std::shared_ptr<Context> primary_;  // of a green context
  const int firstSm_ = 0;
  std::atomic<bool> destroyed_{false};
  const device_model::Gpu model_;
  const std::shared_ptr<stream::ContextState> state_;
  stream::StreamSet streams_;
  memory::DeviceHeap heap_;
  Limits limits_;
  Mutex reporting_;  // of the sticky error
  Mutex mutex_;
  std::bitset<mostPeers> peers_ HOSTWARP_GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<Context>> greens_ HOSTWARP_GUARDED_BY(mutex_);
};

using ContextRef = std::shared_ptr<Context>;

}  // namespace hostwarp::device

#endif  // HOSTWARP_EMU_RUNTIME_DEVICE_CONTEXT_H
