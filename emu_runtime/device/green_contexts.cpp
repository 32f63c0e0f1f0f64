#include "emu_runtime/device/green_contexts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "emu_runtime/graph/capture.h"

namespace hostwarp::device {

namespace {

// withGreens() is the context and, if it is a primary one, its green contexts.
std::vector<ContextRef> withGreens(const ContextRef &context) {
  std::vector<ContextRef> all = context->greens();
  all.push_back(context);
  return all;
}

Expected<EventRef> eventOf(cudaEvent_t handle) {
  auto event = eventTable().find(handle);
  return event ? Expected<EventRef>(*std::move(event)) : cudaErrorInvalidResourceHandle;
}

}  // namespace

GreenTable &greenTable() {
  static auto *table = new GreenTable;
  return *table;
}

DescriptorTable &descriptorTable() {
  static auto *table = new DescriptorTable;
  return *table;
}

CUgreenCtx makeGreen(Device &device, Resources resources) {
  const SmPart whole = resources.whole();
  auto green = std::make_shared<Green>();
  green->context = device.makePart(whole.first, whole.count);
  green->handle = contextTable().add({&device, green->context});
  green->resources = std::move(resources);
  return greenTable().add(std::move(green));
}

void destroyGreen(const Green &green) {
  (void)graph::refuseWait(green.context);  // ends the captures of its streams
  green.context->device().destroyContext(green.context);
  if (boundContext() == green.handle) bindContext(nullptr);
  (void)contextTable().take(green.handle);
}

Resources resourcesOf(const ContextRef &context) {
  const auto handle = greenTable().findIf([&](const auto &green) { return green->context == context; });
  const auto green = handle ? greenTable().find(*handle) : std::nullopt;
  return green ? (*green)->resources : resourcesOf(context->device());
}

Expected<ContextRef> contextBehind(CUcontext handle) {
  auto entry = contextTable().find(handle ? handle : boundContext());
  if (!entry) return handle ? cudaErrorContextIsDestroyed : cudaErrorDeviceUninitialized;
  return entry->made ? entry->made : entry->device->context();
}

cudaStream_t streamIn(const ContextRef &context, stream::StreamKind kind, int priority) {
  const auto allowed = context->green() ? stream::StreamKind::NonBlocking : kind;
  return streamTable().add({context, context->streams().create(allowed, std::clamp(priority, greatestPriority, 0))});
}

Status recordAll(const ContextRef &context, cudaEvent_t handle) {
  auto event = eventOf(handle);
  if (!event.ok()) return event.status();
  if (&event->context->root() != &context->root()) return cudaErrorInvalidResourceHandle;
  std::vector<stream::OperationRef> pending;
  for (const ContextRef &each : withGreens(context)) {
    HOSTWARP_TRY(graph::refuseWait(each));
    for (stream::OperationRef &operation : each->streams().pending()) pending.push_back(std::move(operation));
  }
  event->event->announce()->schedule(pending);
  return {};
}

Status holdUp(const ContextRef &context, cudaEvent_t handle) {
  auto event = eventOf(handle);
  if (!event.ok()) return event.status();
  if (event->event->captured()) return cudaErrorStreamCaptureUnsupported;
  for (const ContextRef &each : withGreens(context)) HOSTWARP_TRY(graph::refuseWait(each));
  const auto latest = event->event->latest();
  if (!latest || latest->done()) return {};
  for (const ContextRef &each : withGreens(context)) each->streams().holdUp(latest);
  return {};
}

}  // namespace hostwarp::device
