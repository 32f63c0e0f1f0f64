// What a call of the API acts on: the calling thread's device, context and streams.
#ifndef HOSTWARP_EMU_RUNTIME_DEVICE_CURRENT_H
#define HOSTWARP_EMU_RUNTIME_DEVICE_CURRENT_H

#include <driver_types.h>
#include <hostwarp/driver/device_types.h>

#include <memory>
#include <vector>

#include "emu_runtime/device/context.h"
#include "emu_runtime/device/device.h"
#include "emu_runtime/device/handle_table.h"
#include "emu_runtime/stream/event.h"
#include "emu_runtime/stream/stream.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::device {

// permitted() says whether the calling thread may use the API now: not in a host function of a stream, and not in a
// process forked from one that had used CUDA.
Status permitted();

// HostFunctionScope marks the calling thread as running a stream's host function, from which CUDA forbids API calls.
class HostFunctionScope {
 public:
  HostFunctionScope();
  ~HostFunctionScope();
};

// ContextEntry is what a CUcontext names: the primary context of a device, or one that the program made.
struct ContextEntry {
  Device *device;
  ContextRef made;  // null: the primary context, which may come and go

  bool operator==(const ContextEntry &) const = default;
};
using ContextTable = HandleTable<CUcontext, ContextEntry>;
ContextTable &contextTable();

// primaryHandle() is the CUcontext of the device's primary context, the same one through all resets.
CUcontext primaryHandle(Device &device);
// handleOf() is that of any context; null if it was destroyed.
CUcontext handleOf(const ContextRef &context);

// boundContext() is the context that is current to the calling thread, null when none is; it may have been destroyed.
// bindContext() makes another one current, or none. boundDevice() is the device of the current one, if there is one.
CUcontext boundContext();
void bindContext(CUcontext handle);
int boundDevice();

// ContextScope makes a context current to the calling thread while it exists; none if null.
class ContextScope {
 public:
  explicit ContextScope(CUcontext context) : before_(boundContext()) {
    if (context) bindContext(context);
  }
  ~ContextScope() { bindContext(before_); }
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

 private:
  const CUcontext before_;
};

// currentDevice() returns the calling thread's device.
Expected<Device *> currentDevice();
Status setCurrentDevice(int ordinal);

// ExplicitContexts is in effect while a thread is in the driver API, which makes no context current by itself and
// brings none back that was reset.
class ExplicitContexts {
 public:
  ExplicitContexts();
  ~ExplicitContexts();
  ExplicitContexts(const ExplicitContexts &) = delete;
  ExplicitContexts &operator=(const ExplicitContexts &) = delete;

 private:
  const bool before_;
};

// boundStatus() says whether the context that is current, if one is, still exists.
Status boundStatus();

// currentContext() returns the calling thread's context, or its sticky error. A thread that has none gets the primary
// context of its device, but for ExplicitContexts.
Expected<ContextRef> currentContext();

// contextIfNeeded() is currentContext() for what is done with objects, which know where they belong: null where none is
// current and none is made.
Expected<ContextRef> contextIfNeeded();

// contextsOf() are all contexts that there are on the device.
std::vector<ContextRef> contextsOf(Device &device);

// activeContext() is that context if it exists already; never makes one.
ContextRef activeContext();

// StreamRef is a stream with the context it belongs to.
struct StreamRef {
  ContextRef context;
  std::shared_ptr<stream::Stream> stream;

  void enqueue(const stream::OperationRef &operation) const { context->streams().enqueue(*stream, operation); }
};

// InCapture says what a call does when its stream is capturing: Refuse it, which invalidates the capture; Record the
// work in the graph; Ignore the capture, for calls that only look at the stream.
enum class InCapture : uint8_t { Refuse, Record, Ignore };

// streamOf() resolves what the API takes for a stream: 0 and cudaStreamLegacy, cudaStreamPerThread, or a handle.
// Fails on handles that name no stream, with the sticky error of the stream's context, and where a capture forbids the
// use of the stream.
Expected<StreamRef> streamOf(cudaStream_t handle, InCapture inCapture = InCapture::Refuse);

// EventRef is an event with the context it belongs to.
struct EventRef {
  ContextRef context;
  std::shared_ptr<stream::Event> event;
};

using StreamTable = HandleTable<cudaStream_t, StreamRef>;
using EventTable = HandleTable<cudaEvent_t, EventRef>;
using PoolTable = HandleTable<cudaMemPool_t, std::shared_ptr<memory::Pool>>;
StreamTable &streamTable();
EventTable &eventTable();
PoolTable &poolTable();

}  // namespace hostwarp::device

#endif  // HOSTWARP_EMU_RUNTIME_DEVICE_CURRENT_H
