// Chapter "event".
#include <chrono>
#include <new>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/order/stream_work.h"
#include "emu_runtime/stream/event.h"

namespace hostwarp::api {

namespace {

Expected<device::EventRef> eventOf(cudaEvent_t handle) {
  HOSTWARP_TRY(device::permitted());
  auto found = device::eventTable().find(handle);
  if (!found) return cudaErrorInvalidResourceHandle;
  HOSTWARP_TRY(found->context->status());
  return *found;
}

// recordingOf() returns the latest recording of an event with timing.
Expected<std::shared_ptr<stream::Record>> recordingOf(const device::EventRef &ref) {
  HOSTWARP_TRY(graph::checkEvent(ref, graph::EventUse::Timing));
  auto record = ref.event->latest();
  if (!record || (ref.event->flags() & cudaEventDisableTiming)) return cudaErrorInvalidResourceHandle;
  return record;
}

}  // namespace

Status cudaEventCreate(cudaEvent_t *event) { return api::cudaEventCreateWithFlags(event, cudaEventDefault); }

Status cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (!event || (flags & ~known)) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  std::shared_ptr<ipc::SharedPoint> shared;
  if (flags & cudaEventInterprocess) {
    if (!(flags & cudaEventDisableTiming)) return {cudaErrorInvalidValue, "events between processes have no timing"};
    shared = ipc::SharedPoint::create();
    if (!shared) return {cudaErrorMemoryAllocation, "the system has no memory to share"};
  }
  const int device = (*context)->device().ordinal();
  *event = device::eventTable().add(
      {*context, std::make_shared<stream::Event>(flags, device, (*context)->state(), std::move(shared))});
  return {};
}

Status cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return api::cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

Status cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal) return cudaErrorInvalidValue;
  auto ref = eventOf(event);
  if (!ref.ok()) return ref.status();
  auto target = device::streamOf(stream, device::InCapture::Record);
  if (!target.ok()) return target.status();
  if (&ref->context->root() != &target->context->root()) {
    return {cudaErrorInvalidResourceHandle, "the event and the stream belong to different devices"};
  }
  if (graph::capturing(*target)) return graph::recordEvent(*target, *ref, event, flags);
  if (flags == cudaEventRecordExternal)
    return {cudaErrorIllegalState, "external recordings are for streams that are being captured"};
  auto record = ref->event->announce();
  try {
    target->enqueue(record);
  } catch (const std::bad_alloc &) {
    record->schedule({});  // others may wait for it already
    throw;
  }
  return {};
}

Status cudaEventQuery(cudaEvent_t event) {
  auto ref = eventOf(event);
  if (!ref.ok()) return ref.status();
  HOSTWARP_TRY(graph::checkEvent(*ref, graph::EventUse::Wait));
  HOSTWARP_TRY(graph::refuseUnsafe());
  const auto &shared = ref->event->shared();
  if (shared && !shared->reached(shared->latest())) return cudaErrorNotReady;
  auto record = ref->event->latest();
  if (record && record->done()) order::hostLearns(record->clock());
  return !record || record->done() ? ref->context->status() : Status(cudaErrorNotReady);
}

Status cudaEventSynchronize(cudaEvent_t event) {
  auto ref = eventOf(event);
  if (!ref.ok()) return ref.status();
  HOSTWARP_TRY(graph::checkEvent(*ref, graph::EventUse::Wait));
  HOSTWARP_TRY(graph::refuseUnsafe());
  memory::FreeOrder::Ref frees;
  if (auto record = ref->event->latest()) {
    record->wait();
    frees = record->follows();
    order::hostLearns(record->clock());
  }
  if (const auto &shared = ref->event->shared()) shared->wait(shared->latest());
  ref->context->settle(frees);
  return ref->context->status();
}

Status cudaEventDestroy(cudaEvent_t event) {
  HOSTWARP_TRY(device::permitted());
  auto taken = device::eventTable().take(event);
  return taken ? taken->context->status() : Status(cudaErrorInvalidResourceHandle);
}

Status cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  if (!ms) return cudaErrorInvalidValue;
  auto first = eventOf(start);
  if (!first.ok()) return first.status();
  auto last = eventOf(end);
  if (!last.ok()) return last.status();
  if (first->context != last->context) return cudaErrorInvalidResourceHandle;
  auto from = recordingOf(*first);
  if (!from.ok()) return from.status();
  auto to = recordingOf(*last);
  if (!to.ok()) return to.status();
  if (!(*from)->done() || !(*to)->done()) return cudaErrorNotReady;
  order::hostLearns((*to)->clock());
  *ms = std::chrono::duration<float, std::milli>((*to)->time() - (*from)->time()).count();
  return {};
}

}  // namespace hostwarp::api
