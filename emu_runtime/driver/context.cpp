// Contexts of the driver API: made, current to threads, asked.
#include <algorithm>
#include <atomic>
#include <vector>

#include "device_model/properties.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/driver/context_storage.h"
#include "emu_runtime/driver/driver.h"

namespace hostwarp::driver_api {

namespace {

// below() is the contexts under the current one on the calling thread's stack.
std::vector<CUcontext> &below() {
  thread_local std::vector<CUcontext> stack;
  return stack;
}

// primaryReferences() counts what cuDevicePrimaryCtxRetain() has given out.
std::atomic<int> &primaryReferences(int ordinal) {
  // Never destroyed: exit handlers of the program may still release contexts.
  static auto *counts = new std::vector<std::atomic<int>>(device::devices().size());
  return (*counts)[static_cast<size_t>(ordinal)];
}

Expected<device::ContextEntry> entryOf(CUcontext handle) {
  if (!handle) return cudaErrorInvalidValue;
  auto entry = device::contextTable().find(handle);
  if (!entry) return cudaErrorContextIsDestroyed;
  return *std::move(entry);
}

Status checkFlags(unsigned flags) {
  const unsigned schedule = flags & CU_CTX_SCHED_MASK;
  const bool one = (schedule & (schedule - 1)) == 0;
  return one && !(flags & ~unsigned{CU_CTX_FLAGS_MASK}) ? Status() : Status(cudaErrorInvalidValue);
}

void push(CUcontext handle) {
  if (CUcontext current = device::boundContext()) below().push_back(current);
  device::bindContext(handle);
}

CUcontext pop() {
  CUcontext current = device::boundContext();
  CUcontext next = nullptr;
  if (!below().empty()) {
    next = below().back();
    below().pop_back();
  }
  device::bindContext(next);
  return current;
}

Status make(CUcontext *pctx, unsigned flags, CUdevice dev) {
  if (!pctx) return cudaErrorInvalidValue;
  HOSTWARP_TRY(checkFlags(flags));
  auto device = device::find(dev);
  if (!device.ok()) return device.status();
  device::ContextRef made = (*device)->makeContext();
  made->flags = flags | CU_CTX_MAP_HOST;
  *pctx = device::contextTable().add({*device, made});
  push(*pctx);
  return {};
}

void resetPrimary(device::Device &device) {
  device.reset();
  endStorage(device::primaryHandle(device));
}

std::atomic<unsigned> *flagsOf(const device::ContextEntry &entry) { return entry.made ? &entry.made->flags : nullptr; }

}  // namespace

Expected<device::ContextRef> livingContext(CUcontext handle) {
  CUcontext meant = handle ? handle : device::boundContext();
  if (!meant) return cudaErrorDeviceUninitialized;
  auto entry = entryOf(meant);
  if (!entry.ok()) return entry.status();
  if (entry->made) return entry->made;
  if (!entry->device->active()) return cudaErrorContextIsDestroyed;
  return entry->device->context();
}

Status cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev) {
  if (!pctx) return cudaErrorInvalidValue;
  auto device = device::find(dev);
  if (!device.ok()) return device.status();
  HOSTWARP_TRY((*device)->context()->status());
  ++primaryReferences(dev);
  *pctx = device::primaryHandle(**device);
  return {};
}

Status cuDevicePrimaryCtxRelease_v2(CUdevice dev) {
  auto device = device::find(dev);
  if (!device.ok()) return device.status();
  std::atomic<int> &references = primaryReferences(dev);
  int count = references;
  do {
    if (count == 0) return cudaErrorDeviceUninitialized;
  } while (!references.compare_exchange_weak(count, count - 1));
  if (count == 1 && !(*device)->heldByRuntime()) resetPrimary(**device);
  return {};
}

Status cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned flags) {
  auto device = device::find(dev);
  if (!device.ok()) return device.status();
  HOSTWARP_TRY(checkFlags(flags));
  (*device)->setFlags(flags);
  return {};
}

Status cuDevicePrimaryCtxGetState(CUdevice dev, unsigned *flags, int *active) {
  if (!flags || !active) return cudaErrorInvalidValue;
  auto device = device::find(dev);
  if (!device.ok()) return device.status();
  *flags = (*device)->flags();
  *active = (*device)->active();
  return {};
}

Status cuDevicePrimaryCtxReset_v2(CUdevice dev) {
  auto device = device::find(dev);
  if (!device.ok()) return device.status();
  resetPrimary(**device);  // who has retained it may release it still
  return {};
}

Status cuDevicePrimaryCtxRelease(CUdevice dev) { return driver_api::cuDevicePrimaryCtxRelease_v2(dev); }
Status cuDevicePrimaryCtxReset(CUdevice dev) { return driver_api::cuDevicePrimaryCtxReset_v2(dev); }
Status cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned flags) {
  return driver_api::cuDevicePrimaryCtxSetFlags_v2(dev, flags);
}

Status cuCtxCreate_v2(CUcontext *pctx, unsigned flags, CUdevice dev) { return make(pctx, flags, dev); }

Status cuCtxCreate_v3(CUcontext *pctx, CUexecAffinityParam *, int numParams, unsigned flags, CUdevice dev) {
  if (numParams) return {cudaErrorUnsupportedExecAffinity, "contexts with a part of the SMs are not there"};
  return make(pctx, flags, dev);
}

Status cuCtxCreate_v4(CUcontext *pctx, CUctxCreateParams *params, unsigned flags, CUdevice dev) {
  if (params && params->numExecAffinityParams) {
    return {cudaErrorUnsupportedExecAffinity, "contexts with a part of the SMs are not there"};
  }
  if (params && params->cigParams) return {cudaErrorNotSupported, "contexts shared with graphics are not there"};
  return make(pctx, flags, dev);
}

Status cuCtxDestroy_v2(CUcontext ctx) {
  auto entry = entryOf(ctx);
  if (!entry.ok()) return entry.status();
  if (!entry->made) return {cudaErrorDeviceUninitialized, "a primary context is released, not destroyed"};
  if (!device::contextTable().take(ctx)) return cudaErrorContextIsDestroyed;
  entry->device->destroyContext(entry->made);
  endStorage(ctx);
  // Below others it stays on the stack, as it stays current to other threads.
  if (device::boundContext() == ctx) pop();
  return {};
}

Status cuCtxPushCurrent_v2(CUcontext ctx) {
  if (!ctx) return cudaErrorInvalidValue;
  auto entry = entryOf(ctx);
  if (!entry.ok()) return entry.status();
  push(ctx);
  return {};
}

Status cuCtxPopCurrent_v2(CUcontext *pctx) {
  CUcontext current = pop();
  if (!current) return cudaErrorDeviceUninitialized;
  if (pctx) *pctx = current;
  return {};
}

Status cuCtxSetCurrent(CUcontext ctx) {
  if (!ctx) {
    pop();
    return {};
  }
  auto entry = entryOf(ctx);
  if (!entry.ok()) return entry.status();
  device::bindContext(ctx);
  return {};
}

Status cuCtxGetCurrent(CUcontext *pctx) {
  if (!pctx) return cudaErrorInvalidValue;
  *pctx = device::boundContext();
  return {};
}

// As on a GPU, a destroyed context that is still current has its device.
Status cuCtxGetDevice(CUdevice *device) {
  if (!device || !device::boundContext()) return api::cudaGetDevice(device);
  *device = device::boundDevice();
  return {};
}

// orCurrent() is the current context in the place of what is none. Libraries that are older than functions of this name
// look for it all the same, and call it without a context: Numba of before CUDA 13, for one.
static CUcontext orCurrent(CUcontext ctx) { return device::contextTable().wasGivenOut(ctx) ? ctx : nullptr; }

Status cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx) {
  if (!device) return cudaErrorInvalidValue;
  if (!orCurrent(ctx)) return driver_api::cuCtxGetDevice(device);
  auto entry = entryOf(ctx);
  if (!entry.ok()) return entry.status();
  *device = entry->device->ordinal();
  return {};
}

Status cuCtxGetFlags(unsigned *flags) {
  if (!flags) return cudaErrorInvalidValue;
  auto entry = entryOf(device::boundContext());
  if (!entry.ok()) return entry.status();
  const std::atomic<unsigned> *own = flagsOf(*entry);
  *flags = (own ? own->load() : entry->device->flags()) | CU_CTX_MAP_HOST;
  return {};
}

Status cuCtxSetFlags(unsigned flags) {
  HOSTWARP_TRY(checkFlags(flags));
  auto entry = entryOf(device::boundContext());
  if (!entry.ok()) return entry.status();
  if (std::atomic<unsigned> *own = flagsOf(*entry)) {
    *own = flags;
  } else {
    entry->device->setFlags(flags);
  }
  return {};
}

Status cuCtxGetId(CUcontext ctx, unsigned long long *ctxId) {
  if (!ctxId) return cudaErrorInvalidValue;
  auto context = livingContext(ctx);
  if (!context.ok()) return context.status();
  *ctxId = reinterpret_cast<uintptr_t>(ctx ? ctx : device::boundContext());
  return {};
}

Status cuCtxSynchronize() { return api::cudaDeviceSynchronize(); }

Status cuCtxSynchronize_v2(CUcontext ctx) {
  auto context = livingContext(orCurrent(ctx));
  return context.ok() ? (*context)->synchronize() : context.status();
}

// readOnlyLimit() answers what only this API asks: kernels of this device have all of its shared memory, and no context
// is shared with graphics.
static std::optional<size_t> readOnlyLimit(CUlimit limit, const device::Context &context) {
  if (limit == CU_LIMIT_SHMEM_SIZE) return device_model::properties(context.model()).sharedMemPerBlockOptin;
  return limit == CU_LIMIT_CIG_ENABLED ? std::optional<size_t>(0) : std::nullopt;
}

Status cuCtxSetLimit(CUlimit limit, size_t value) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  if (readOnlyLimit(limit, **context)) return {cudaErrorNotPermitted, "this limit can only be asked for"};
  if (limit == CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED) return cudaErrorUnsupportedLimit;
  return api::cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value);
}
// No context here is tied to some of the SMs: each has all of them.
Status cuCtxGetExecAffinity(CUexecAffinityParam *pExecAffinity, CUexecAffinityType type) {
  if (!pExecAffinity || type != CU_EXEC_AFFINITY_TYPE_SM_COUNT) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  pExecAffinity->type = type;
  pExecAffinity->param.smCount.val = static_cast<unsigned>((*context)->model().sms);
  return {};
}

Status cuCtxGetLimit(size_t *pvalue, CUlimit limit) {
  if (!pvalue) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  if (auto value = readOnlyLimit(limit, **context)) {
    *pvalue = *value;
    return {};
  }
  if (limit == CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED) return cudaErrorUnsupportedLimit;
  return api::cudaDeviceGetLimit(pvalue, static_cast<cudaLimit>(limit));
}
Status cuCtxGetCacheConfig(CUfunc_cache *pconfig) {
  return api::cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache *>(pconfig));
}
Status cuCtxSetCacheConfig(CUfunc_cache config) {
  return api::cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config));
}
Status cuCtxGetSharedMemConfig(CUsharedconfig *pConfig) {
  return api::cudaDeviceGetSharedMemConfig(reinterpret_cast<cudaSharedMemConfig *>(pConfig));
}
Status cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return api::cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config));
}

Status cuCtxGetApiVersion(CUcontext ctx, unsigned *version) {
  if (!version) return cudaErrorInvalidValue;
  auto context = livingContext(ctx);
  // A dead context is none, unless it is the current one.
  if (!context.ok()) return ctx ? Status(cudaErrorDeviceUninitialized) : context.status();
  *version = 3020;  // of the driver interface, not of CUDA
  return {};
}

Status cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
  return api::cudaDeviceGetStreamPriorityRange(leastPriority, greatestPriority);
}

Status cuCtxResetPersistingL2Cache() { return api::cudaCtxResetPersistingL2Cache(); }

// A context that was attached lives until it is detached as often as it was made and attached.
Status cuCtxAttach(CUcontext *pctx, unsigned flags) {
  if (!pctx || flags) return cudaErrorInvalidValue;
  auto entry = entryOf(device::boundContext());
  if (!entry.ok()) return entry.status();
  if (entry->made) ++entry->made->uses;
  *pctx = device::boundContext();
  return {};
}

Status cuCtxDetach(CUcontext ctx) {
  auto entry = entryOf(ctx);
  if (!entry.ok()) return entry.status();
  return entry->made && --entry->made->uses == 0 ? driver_api::cuCtxDestroy_v2(ctx) : Status();
}

Status cuCtxEnablePeerAccess(CUcontext peerContext, unsigned flags) {
  auto peer = entryOf(peerContext);
  if (!peer.ok()) return peer.status();
  if (flags) return cudaErrorInvalidValue;
  auto current = device::currentContext();
  if (!current.ok()) return current.status();
  if ((*current)->device().ordinal() == peer->device->ordinal()) return cudaErrorPeerAccessUnsupported;
  return (*current)->enablePeer(peer->device->ordinal());
}

Status cuCtxDisablePeerAccess(CUcontext peerContext) {
  auto peer = entryOf(peerContext);
  if (!peer.ok()) return peer.status();
  auto current = device::currentContext();
  return current.ok() ? (*current)->disablePeer(peer->device->ordinal()) : current.status();
}

}  // namespace hostwarp::driver_api
