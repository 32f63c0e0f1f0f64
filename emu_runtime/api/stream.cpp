// Chapter "stream": making, ordering and waiting for streams; functions of the host in them.
#include <algorithm>
#include <cstdio>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/execution/launch_hints.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/memory/pool.h"
#include "emu_runtime/order/stream_work.h"
#include "emu_runtime/profile/spans.h"
#include "emu_runtime/stream/operation.h"
#include "emu_runtime/stream/turns.h"

namespace hostwarp::api {

namespace {

bool isDefaultStream(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

}  // namespace

Status cudaStreamCreate(cudaStream_t *pStream) {
  return api::cudaStreamCreateWithPriority(pStream, cudaStreamDefault, 0);
}

Status cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned flags) {
  return api::cudaStreamCreateWithPriority(pStream, flags, 0);
}

Status cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned flags, int priority) {
  if (!pStream || (flags & ~unsigned{cudaStreamNonBlocking})) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  const auto kind = flags & cudaStreamNonBlocking ? stream::StreamKind::NonBlocking : stream::StreamKind::Blocking;
  auto created = (*context)->streams().create(kind, std::clamp(priority, device::greatestPriority, 0));
  *pStream = device::streamTable().add({*context, created});
  return {};
}

Status cudaStreamDestroy(cudaStream_t stream) {
  HOSTWARP_TRY(device::permitted());
  if (isDefaultStream(stream)) return cudaErrorInvalidResourceHandle;
  auto ref = device::streamTable().take(stream);
  if (!ref) return cudaErrorInvalidResourceHandle;
  graph::forget(*ref);
  stream::StreamSet &streams = ref->context->streams();
  if (streams.idle(*ref->stream)) memory::Pool::settleAll(streams.follows(*ref->stream));
  streams.release(ref->stream);
  return ref->context->status();
}

Status cudaStreamGetPriority(cudaStream_t hStream, int *priority) {
  if (!priority) return cudaErrorInvalidValue;
  auto ref = device::streamOf(hStream, device::InCapture::Ignore);
  if (!ref.ok()) return ref.status();
  *priority = ref->stream->priority();
  return {};
}

Status cudaStreamGetFlags(cudaStream_t hStream, unsigned *flags) {
  if (!flags) return cudaErrorInvalidValue;
  auto ref = device::streamOf(hStream, device::InCapture::Ignore);
  if (!ref.ok()) return ref.status();
  *flags = ref->stream->flags();
  return {};
}

Status cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId) {
  if (!streamId) return cudaErrorInvalidValue;
  auto ref = device::streamOf(hStream, device::InCapture::Ignore);
  if (!ref.ok()) return ref.status();
  *streamId = ref->stream->id();
  return {};
}

Status cudaStreamGetDevice(cudaStream_t hStream, int *device) {
  if (!device) return cudaErrorInvalidValue;
  auto ref = device::streamOf(hStream, device::InCapture::Ignore);
  if (!ref.ok()) return ref.status();
  *device = ref->context->device().ordinal();
  return {};
}

Status cudaStreamGetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr, cudaLaunchAttributeValue *value_out) {
  if (!value_out) return cudaErrorInvalidValue;
  auto ref = device::streamOf(hStream, device::InCapture::Ignore);
  if (!ref.ok()) return ref.status();
  if (attr == cudaLaunchAttributePriority) {
    value_out->priority = ref->stream->priority();
    return {};
  }
  if (!execution::isStreamHint(attr)) return cudaErrorInvalidValue;
  const auto attributes = ref->stream->attributes();
  const auto found = attributes.find(attr);
  *value_out = found == attributes.end() ? execution::unsetAttribute(attr) : found->second;
  return {};
}

Status cudaStreamSetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr, const cudaLaunchAttributeValue *value) {
  if (!value) return cudaErrorInvalidValue;
  auto ref = device::streamOf(hStream, device::InCapture::Ignore);
  if (!ref.ok()) return ref.status();
  if (attr == cudaLaunchAttributePriority) {
    ref->stream->setPriority(std::clamp(value->priority, device::greatestPriority, 0));
    return {};
  }
  if (!execution::isStreamHint(attr)) return cudaErrorInvalidValue;
  HOSTWARP_TRY(execution::checkHint(attr, *value, ref->context->model()));
  ref->stream->setAttribute(attr, *value);
  return {};
}

Status cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src) {
  auto to = device::streamOf(dst, device::InCapture::Ignore);
  if (!to.ok()) return to.status();
  auto from = device::streamOf(src, device::InCapture::Ignore);
  if (!from.ok()) return from.status();
  if (to->context != from->context) return cudaErrorInvalidValue;
  to->stream->setAttributes(from->stream->attributes());
  to->stream->setPriority(from->stream->priority());
  return {};
}

Status cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  auto ref = device::streamOf(stream, device::InCapture::Record);
  if (!ref.ok()) return ref.status();
  if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) return cudaErrorInvalidValue;
  auto awaited = device::eventTable().find(event);
  if (!awaited) return cudaErrorInvalidResourceHandle;
  auto captured = graph::waitForEvent(*ref, *awaited, event, flags);
  if (!captured.ok() || *captured) return captured.status();
  if (flags == cudaEventWaitExternal)
    return {cudaErrorIllegalState, "external waits are for streams that are being captured"};
  if (const auto &shared = awaited->event->shared()) {
    const uint32_t number = shared->latest();
    if (shared->reached(number)) return {};
    order::followEverything(*ref);
    // The recording may be another process's, so a thread waits for it.
    ref->enqueue(std::make_shared<stream::ThreadTask>(ref->context->state(), [shared, number] {
      stream::Turns::taskRests();
      shared->wait(number);
    }));
    return {};
  }
  const stream::OperationRef record = awaited->event->latest();
  if (!record) return {};
  if (record->done()) {
    ref->context->streams().follow(*ref->stream, record);
    return {};
  }
  auto marker = std::make_shared<stream::Marker>(ref->context->state());
  ref->context->streams().enqueue(*ref->stream, marker, {&record, 1});
  return {};
}

Status cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData, unsigned flags) {
  auto ref = device::streamOf(stream);
  if (!ref.ok()) return ref.status();
  if (!callback || flags) return cudaErrorInvalidValue;
  auto state = ref->context->state();
  const order::WorkRef work = order::workIn(*ref);
  auto call = [=, span = profile::hostFunctionSpan(*ref)] {
    order::startsNow(work);
    const profile::Running running(span);
    device::HostFunctionScope scope;
    callback(stream, state->error(), userData);
  };
  auto operation = std::make_shared<stream::ThreadTask>(state, call, call);
  operation->setWork(work);
  ref->enqueue(operation);
  return {};
}

Status cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData) {
  auto ref = device::streamOf(stream, device::InCapture::Record);
  if (!ref.ok()) return ref.status();
  if (!fn) return cudaErrorInvalidValue;
  if (graph::capturing(*ref)) return graph::capture(*ref, graph::HostParams{fn, userData});
  const order::WorkRef work = order::workIn(*ref);
  auto call = [=, span = profile::hostFunctionSpan(*ref)] {
    order::startsNow(work);
    const profile::Running running(span);
    device::HostFunctionScope scope;
    fn(userData);
  };
  auto operation = std::make_shared<stream::ThreadTask>(ref->context->state(), call);
  operation->setWork(work);
  ref->enqueue(operation);
  return {};
}

Status cudaStreamSynchronize(cudaStream_t stream) {
  auto ref = device::streamOf(stream);
  if (!ref.ok()) return ref.status();
  HOSTWARP_TRY(graph::refuseUnsafe());
  stream::StreamSet &streams = ref->context->streams();
  const memory::FreeOrder::Ref frees = streams.follows(*ref->stream);
  streams.wait(*ref->stream);
  ref->context->settle(frees);
  return ref->context->status();
}

Status cudaStreamQuery(cudaStream_t stream) {
  auto ref = device::streamOf(stream);
  if (!ref.ok()) return ref.status();
  HOSTWARP_TRY(graph::refuseUnsafe());
  stream::StreamSet &streams = ref->context->streams();
  const order::Clock::Ref before = order::isFollowed() ? streams.clockOf(*ref->stream) : nullptr;
  if (!streams.isDone(*ref->stream)) return cudaErrorNotReady;
  order::hostLearns(before);
  return ref->context->status();
}

}  // namespace hostwarp::api
