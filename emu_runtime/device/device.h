// Device: one emulated GPU of this process.
#ifndef HOSTWARP_EMU_RUNTIME_DEVICE_DEVICE_H
#define HOSTWARP_EMU_RUNTIME_DEVICE_DEVICE_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "device_model/gpu.h"
#include "emu_runtime/device/context.h"
#include "emu_runtime/memory/allocator.h"
#include "emu_runtime/memory/pool.h"
#include "emu_runtime/support/status.h"
#include "fibers/mutex.h"

namespace hostwarp::device {

// Device joins a model (what the GPU is) with its memory and its primary context. Thread-safe; never destroyed.
class Device {
 public:
  Device(int ordinal, const device_model::Gpu &model);

  int ordinal() const { return ordinal_; }
  const device_model::Gpu &model() const { return model_; }
  memory::Allocator &allocator() { return allocator_; }

  // delta() is the distance of this device's module variables from their ELF storage.
  int64_t delta() const;

  // context() returns the primary context and makes it if there is none.
  ContextRef context();

  // active() tells whether there is one.
  bool active() const;

  // makeContext() makes a further context; destroyContext() waits for its work and frees everything made in it.
  ContextRef makeContext();
  // makePart() makes a green context with so many SMs beside the primary context, for destroyContext() likewise; its
  // streams stay, as errors.
  ContextRef makePart(int firstSm, int sms);
  void destroyContext(const ContextRef &context);

  // heldByRuntime() tells that the runtime API works with the primary context, which therefore outlives the last
  // cuDevicePrimaryCtxRelease().
  bool heldByRuntime() const { return heldByRuntime_.load(std::memory_order_relaxed); }
  void holdForRuntime() { heldByRuntime_.store(true, std::memory_order_relaxed); }

  // reset() waits for all work, frees everything the program made on the device and drops the context.
  void reset();

  // defaultPool() serves cudaMallocAsync() until setPool() replaces it; pool() is the one in effect.
  const std::shared_ptr<memory::Pool> &defaultPool() const { return defaultPool_; }
  std::shared_ptr<memory::Pool> pool() const;
  void setPool(std::shared_ptr<memory::Pool> pool);

  // flags() are those of cudaSetDeviceFlags().
  unsigned flags() const { return flags_.load(); }
  void setFlags(unsigned flags) { flags_.store(flags); }

 private:
  void freeEverything(uint64_t contextId);

  const int ordinal_;
  const device_model::Gpu &model_;
  memory::Allocator allocator_;
  std::atomic<unsigned> flags_{0};
  std::atomic<bool> heldByRuntime_{false};
  const std::shared_ptr<memory::Pool> defaultPool_;
  mutable Mutex mutex_;
  std::shared_ptr<memory::Pool> pool_ HOSTWARP_GUARDED_BY(mutex_);  // in effect
  ContextRef context_ HOSTWARP_GUARDED_BY(mutex_);
};

// devices() is the emulated GPUs visible to the program, by ordinal. Decided at the first call from HOSTWARP_DEVICES
// and CUDA_VISIBLE_DEVICES.
const std::vector<std::unique_ptr<Device>> &devices();

// find() returns the device with this ordinal, or cudaErrorInvalidDevice (cudaErrorNoDevice when there is none at all).
Expected<Device *> find(int ordinal);

}  // namespace hostwarp::device

#endif  // HOSTWARP_EMU_RUNTIME_DEVICE_DEVICE_H
