#include "emu_runtime/device/current.h"

#include <pthread.h>

#include <atomic>
#include <mutex>

#include "emu_runtime/api/api.h"
#include "emu_runtime/graph/capture.h"

namespace hostwarp::device {

namespace {

thread_local int ordinal = 0;
thread_local int hostFunctionDepth = 0;

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

Expected<Device *> currentDevice() {
  HOSTWARP_TRY(permitted());
  return find(ordinal);
}

Status setCurrentDevice(int wanted) {
  HOSTWARP_TRY(permitted());
  auto device = find(wanted);
  if (!device.ok()) return device.status();
  ordinal = wanted;
  return {};
}

Expected<ContextRef> currentContext() {
  auto device = currentDevice();
  if (!device.ok()) return device.status();
  watchForForks();
  ContextRef context = (*device)->context();
  HOSTWARP_TRY(context->status());
  return context;
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
