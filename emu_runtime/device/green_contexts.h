// Green contexts: parts of a device's SMs with streams of their own [CUDA 4.6]. The memory, functions and errors are
// the primary context's. The driver knows one as a CUgreenCtx, the runtime by the handle of its context.
#ifndef HOSTWARP_EMU_RUNTIME_DEVICE_GREEN_CONTEXTS_H
#define HOSTWARP_EMU_RUNTIME_DEVICE_GREEN_CONTEXTS_H

#include <memory>

#include "emu_runtime/device/current.h"
#include "emu_runtime/device/sm_resources.h"

namespace hostwarp::device {

struct Green {
  ContextRef context;
  CUcontext handle;
  Resources resources;
};
using GreenTable = HandleTable<CUgreenCtx, std::shared_ptr<const Green>>;
using DescriptorTable = HandleTable<cudaDevResourceDesc_t, Resources>;
GreenTable &greenTable();
DescriptorTable &descriptorTable();

// makeGreen() makes a context of the device with these resources, destroyGreen() waits for its work. Streams of it are
// errors from then on.
CUgreenCtx makeGreen(Device &device, Resources resources);
void destroyGreen(const Green &green);

// resourcesOf() are those of a green context, or all of the device's.
Resources resourcesOf(const ContextRef &context);

// contextBehind() is the context of a handle; the primary one is made if need be. Null: the calling thread's.
Expected<ContextRef> contextBehind(CUcontext handle);

// streamIn() makes a stream of the context; a green one's never waits for the legacy default stream.
cudaStream_t streamIn(const ContextRef &context, stream::StreamKind kind, int priority);

// recordAll() makes the event stand for everything that the context has been given so far, and holdUp() makes
// everything that it is given from now on wait for the event; that of a primary context includes its green ones. They
// fail, and invalidate the captures, when a stream of the context is capturing.
Status recordAll(const ContextRef &context, cudaEvent_t event);
Status holdUp(const ContextRef &context, cudaEvent_t event);

}  // namespace hostwarp::device

#endif  // HOSTWARP_EMU_RUNTIME_DEVICE_GREEN_CONTEXTS_H
