#include "emu_runtime/driver/context_storage.h"

#include <map>
#include <utility>

#include "emu_runtime/device/current.h"
#include "fibers/mutex.h"

namespace hostwarp::driver_api {

namespace {

struct Value {
  void *value;
  ContextGone *gone;
};
using Values = std::map<void *, Value>;

class Storage {
 public:
  static Storage &process() {
    static auto *storage = new Storage;
    return *storage;
  }

  void put(CUcontext context, void *key, Value value) {
    MutexLock lock(mutex_);
    contexts_[context][key] = value;
  }

  Expected<void *> get(CUcontext context, void *key) {
    MutexLock lock(mutex_);
    const auto values = contexts_.find(context);
    if (values == contexts_.end()) return cudaErrorInvalidResourceHandle;
    const auto found = values->second.find(key);
    return found == values->second.end() ? Expected<void *>(cudaErrorInvalidResourceHandle) : found->second.value;
  }

  void remove(CUcontext context, void *key) {
    MutexLock lock(mutex_);
    if (const auto values = contexts_.find(context); values != contexts_.end()) values->second.erase(key);
  }

  Values take(CUcontext context) {
    MutexLock lock(mutex_);
    const auto values = contexts_.find(context);
    if (values == contexts_.end()) return {};
    Values taken = std::move(values->second);
    contexts_.erase(values);
    return taken;
  }

 private:
  Mutex mutex_;
  std::map<CUcontext, Values> contexts_ HOSTWARP_GUARDED_BY(mutex_);
};

// meant() is the context that a handle of null stands for.
Expected<CUcontext> meant(CUcontext context) {
  if (!context) context = device::boundContext();
  return context ? Expected<CUcontext>(context) : cudaErrorDeviceUninitialized;
}

}  // namespace

Status storeInContext(CUcontext context, void *key, void *value, ContextGone *gone) {
  const auto where = meant(context);
  if (!where.ok()) return where.status();
  Storage::process().put(*where, key, {value, gone});
  return {};
}

Expected<void *> storedInContext(CUcontext context, void *key) {
  const auto where = meant(context);
  return where.ok() ? Storage::process().get(*where, key) : where.status();
}

Status removeFromContext(CUcontext context, void *key) {
  const auto where = meant(context);
  if (!where.ok()) return where.status();
  Storage::process().remove(*where, key);
  return {};
}

void endStorage(CUcontext context) {
  for (const auto &[key, value] : Storage::process().take(context))
    if (value.gone) value.gone(context, key, value.value);
}

}  // namespace hostwarp::driver_api
