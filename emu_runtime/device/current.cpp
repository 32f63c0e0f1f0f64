#include "emu_runtime/device/current.h"

#include <pthread.h>

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "emu_runtime/api/api.h"
#include "emu_runtime/graph/capture.h"

namespace hostwarp::device {

namespace {

// Binding is the calling thread's current context. Trivial, so that static destructors may still use the API.
struct Binding {
  CUcontext handle = nullptr;
  Device *primary = nullptr;  // its device when the handle is that of a primary context
  int device = 0;             // the number of its device, also when it was destroyed
};
thread_local Binding bound;
thread_local int ordinal = 0;  // the device of a thread that has no context
thread_local int hostFunctionDepth = 0;
thread_local bool explicitContexts = false;

// Threads and locks of the parent do not exist in a forked child, so nothing can work there.
std::atomic<bool> forkedAfterUse{false};

void watchForForks() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, [] { forkedAfterUse.store(true); }); });
}

Expected<StreamRef> resolve(cudaStream_t handle) {
  if (handle == nullptr && api::defaultStreamIsPerThread()) handle = cudaStreamPerThread;
  if (handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread) {
    auto context = currentContext();
    if (!context.ok()) return context.status();
    auto stream = handle == cudaStreamPerThread ? (*context)->perThreadStream() : (*context)->streams().legacy();
    return StreamRef{*context, std::move(stream)};
  }
  HOSTWARP_TRY(permitted());
  auto found = streamTable().find(handle);
  if (!found) return cudaErrorInvalidResourceHandle;
  HOSTWARP_TRY(found->context->status());
  return *std::move(found);
}

}  // namespace

Status permitted() {
  if (forkedAfterUse.load(std::memory_order_relaxed)) {
    return {cudaErrorInitializationError, "a process forked after the first use of CUDA cannot use CUDA"};
  }
  if (hostFunctionDepth) {
    return {cudaErrorNotPermitted, "host functions in a stream must not call CUDA"};
  }
  return {};
}

HostFunctionScope::HostFunctionScope() { ++hostFunctionDepth; }
HostFunctionScope::~HostFunctionScope() { --hostFunctionDepth; }

ContextTable &contextTable() {
  static auto *table = new ContextTable;
  return *table;
}

CUcontext primaryHandle(Device &device) {
  static auto *handles = [] {
    auto *made = new std::vector<CUcontext>;
    for (const auto &each : devices()) made->push_back(contextTable().add({each.get(), nullptr}));
    return made;
  }();
  return (*handles)[static_cast<size_t>(device.ordinal())];
}

CUcontext handleOf(const ContextRef &context) {
  if (!context->green() && context->number() == 0) return primaryHandle(context->device());
  return contextTable().handleOf({&context->device(), context}).value_or(nullptr);
}

CUcontext boundContext() { return bound.handle; }

void bindContext(CUcontext handle) {
  const auto entry = contextTable().find(handle);
  bound = {handle, entry && !entry->made ? entry->device : nullptr, entry ? entry->device->ordinal() : bound.device};
}

int boundDevice() { return bound.device; }

namespace {

Expected<ContextEntry> boundEntry() {
  if (bound.primary) return ContextEntry{bound.primary, nullptr};
  auto entry = contextTable().find(bound.handle);
  if (!entry) return cudaErrorContextIsDestroyed;
  return *std::move(entry);
}

}  // namespace

Expected<Device *> currentDevice() {
  HOSTWARP_TRY(permitted());
  if (!bound.handle) return find(ordinal);
  auto entry = boundEntry();
  if (!entry.ok()) return entry.status();
  return entry->device;
}

Status setCurrentDevice(int wanted) {
  HOSTWARP_TRY(permitted());
  auto device = find(wanted);
  if (!device.ok()) return device.status();
  ordinal = wanted;
  bound = {primaryHandle(**device), *device, (*device)->ordinal()};
  (*device)->holdForRuntime();
  return {};
}

ExplicitContexts::ExplicitContexts() : before_(std::exchange(explicitContexts, true)) {}
ExplicitContexts::~ExplicitContexts() { explicitContexts = before_; }

Status boundStatus() {
  if (bound.primary) {
    // What cudaSetDevice() has made current comes into being at its first use.
    const bool there = bound.primary->active() || bound.primary->heldByRuntime();
    return there ? Status() : Status(cudaErrorContextIsDestroyed);
  }
  return bound.handle ? boundEntry().status() : Status();
}

Expected<ContextRef> contextIfNeeded() {
  if (explicitContexts && !bound.handle) return ContextRef();
  return currentContext();
}

std::vector<ContextRef> contextsOf(Device &device) {
  std::vector<ContextRef> all;
  if (device.active()) all.push_back(device.context());
  contextTable().forEach([&](const ContextEntry &entry) {
    if (entry.made && entry.device == &device) all.push_back(entry.made);
  });
  return all;
}

Expected<ContextRef> currentContext() {
  auto device = currentDevice();
  if (!device.ok()) return device.status();
  watchForForks();
  if (explicitContexts) {
    if (!bound.handle) return cudaErrorDeviceUninitialized;
    HOSTWARP_TRY(boundStatus());
  }
  if (bound.handle && !bound.primary) {
    auto entry = boundEntry();
    if (!entry.ok()) return entry.status();
    HOSTWARP_TRY(entry->made->status());
    return entry->made;
  }
  if (!bound.handle) {
    bound = {primaryHandle(**device), *device, (*device)->ordinal()};
    (*device)->holdForRuntime();
  }
  ContextRef context = (*device)->context();
  HOSTWARP_TRY(context->status());
  return context;
}

ContextRef activeContext() {
  auto device = currentDevice();
  if (!device.ok()) return nullptr;
  if (bound.handle && !bound.primary) {
    auto entry = boundEntry();
    return entry.ok() ? entry->made : nullptr;
  }
  return (*device)->active() ? (*device)->context() : nullptr;
}

Expected<StreamRef> streamOf(cudaStream_t handle, InCapture inCapture) {
  auto ref = resolve(handle);
  if (ref.ok() && inCapture != InCapture::Ignore) HOSTWARP_TRY(graph::mayUse(*ref, inCapture));
  return ref;
}

StreamTable &streamTable() {
  static auto *table = new StreamTable;
  return *table;
}

EventTable &eventTable() {
  static auto *table = new EventTable;
  return *table;
}

PoolTable &poolTable() {
  static auto *table = new PoolTable;
  return *table;
}

}  // namespace hostwarp::device
