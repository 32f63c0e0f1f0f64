// Streams and events of the driver API, with the operations on memory that only it has.
#include <memory>
#include <vector>

#include "emu_runtime/device/current.h"
#include "emu_runtime/driver/convert.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/order/stream_work.h"
#include "emu_runtime/stream/memory_operation.h"
#include "emu_runtime/stream/operation.h"

namespace hostwarp::driver_api {

namespace {

using stream::MemoryOperation;

void enqueue(const device::StreamRef &stream, const MemoryOperation &op) {
  const auto &state = stream.context->state();
  auto work = [context = stream.context, work = op.work] {
    if (!work()) context->fail(cudaErrorIllegalAddress, "a stream's wait or write meets memory that is not there");
  };
  if (op.waits) order::followEverything(stream);
  if (op.waits)
    stream.enqueue(std::make_shared<stream::ThreadTask>(state, work));
  else
    stream.enqueue(std::make_shared<stream::InlineTask>(state, work));
}

// capture() makes the operations one node of the graph that the stream captures.
Status capture(const device::StreamRef &stream, CUstreamBatchMemOpParams *list, unsigned count) {
  CUDA_BATCH_MEM_OP_NODE_PARAMS params{};
  params.ctx = device::boundContext();
  params.count = count;
  params.paramArray = list;
  auto node = graph::MemoryOpsParams::of(&params);
  return node.ok() ? graph::capture(stream, *std::move(node)) : node.status();
}

// enqueueAll() enqueues all of the operations, or none if one of them is not right.
Status enqueueAll(CUstream handle, CUstreamBatchMemOpParams *list, unsigned count) {
  auto stream = device::streamOf(handle, device::InCapture::Record);
  if (!stream.ok()) return stream.status();
  if (graph::capturing(*stream)) return capture(*stream, list, count);
  std::vector<MemoryOperation> operations;
  for (unsigned i = 0; i < count; ++i) {
    auto operation = stream::memoryOperation(list[i], stream->context->state());
    if (!operation.ok()) return operation.status();
    operations.push_back(*std::move(operation));
  }
  for (const MemoryOperation &each : operations) enqueue(*stream, each);
  return {};
}

Status enqueueOne(CUstream handle, CUstreamBatchMemOpParams params) { return enqueueAll(handle, &params, 1); }

// waitFor() and write() describe what the functions for a single operation are asked for.
template <typename Value>
CUstreamBatchMemOpParams waitFor(CUdeviceptr address, Value value, unsigned flags) {
  CUstreamBatchMemOpParams params{};
  params.waitValue.operation = sizeof(Value) == 4 ? CU_STREAM_MEM_OP_WAIT_VALUE_32 : CU_STREAM_MEM_OP_WAIT_VALUE_64;
  params.waitValue.address = address;
  params.waitValue.value64 = value;
  params.waitValue.flags = flags;
  return params;
}

template <typename Value>
CUstreamBatchMemOpParams write(CUdeviceptr address, Value value, unsigned flags) {
  CUstreamBatchMemOpParams params = waitFor(address, value, flags);
  params.operation = sizeof(Value) == 4 ? CU_STREAM_MEM_OP_WRITE_VALUE_32 : CU_STREAM_MEM_OP_WRITE_VALUE_64;
  return params;
}

}  // namespace

Status cuStreamCreate(CUstream *phStream, unsigned Flags) { return api::cudaStreamCreateWithFlags(phStream, Flags); }
Status cuStreamCreateWithPriority(CUstream *phStream, unsigned flags, int priority) {
  return api::cudaStreamCreateWithPriority(phStream, flags, priority);
}
Status cuStreamGetPriority(CUstream hStream, int *priority) { return api::cudaStreamGetPriority(hStream, priority); }
Status cuStreamGetDevice(CUstream hStream, CUdevice *device) { return api::cudaStreamGetDevice(hStream, device); }
Status cuStreamGetFlags(CUstream hStream, unsigned *flags) { return api::cudaStreamGetFlags(hStream, flags); }
Status cuStreamGetId(CUstream hStream, unsigned long long *streamId) { return api::cudaStreamGetId(hStream, streamId); }

Status cuStreamGetCtx(CUstream hStream, CUcontext *pctx) {
  if (!pctx) return cudaErrorInvalidValue;
  auto stream = device::streamOf(hStream, device::InCapture::Ignore);
  if (!stream.ok()) return stream.status();
  const device::ContextRef &context = stream->context;
  if (context->number() == 0) {
    *pctx = device::primaryHandle(context->device());
    return {};
  }
  auto handle = device::contextTable().handleOf({&context->device(), context});
  if (!handle) return cudaErrorContextIsDestroyed;
  *pctx = *handle;
  return {};
}

// Streams of a green context belong to it, not to a context.
Status cuStreamGetCtx_v2(CUstream hStream, CUcontext *pCtx, CUgreenCtx *pGreenCtx) {
  if (!pCtx || !pGreenCtx) return cudaErrorInvalidValue;
  CUgreenCtx green = nullptr;
  HOSTWARP_TRY(driver_api::cuStreamGetGreenCtx(hStream, &green));
  CUcontext context = nullptr;
  if (!green) HOSTWARP_TRY(driver_api::cuStreamGetCtx(hStream, &context));
  *pCtx = context;
  *pGreenCtx = green;
  return {};
}

Status cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned Flags) {
  return api::cudaStreamWaitEvent(hStream, hEvent, Flags);
}

// Errors that a callback is told are equal in both APIs.
Status cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData, unsigned flags) {
  return api::cudaStreamAddCallback(hStream, reinterpret_cast<cudaStreamCallback_t>(callback), userData, flags);
}
Status cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned flags) {
  return api::cudaStreamAttachMemAsync(hStream, at(dptr), length, flags);
}
Status cuStreamQuery(CUstream hStream) { return api::cudaStreamQuery(hStream); }
Status cuStreamSynchronize(CUstream hStream) { return api::cudaStreamSynchronize(hStream); }
Status cuStreamDestroy_v2(CUstream hStream) { return api::cudaStreamDestroy(hStream); }

Status cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned flags) {
  return enqueueOne(stream, waitFor(addr, value, flags));
}
Status cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned flags) {
  return enqueueOne(stream, waitFor(addr, value, flags));
}
Status cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned flags) {
  return enqueueOne(stream, write(addr, value, flags));
}
Status cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned flags) {
  return enqueueOne(stream, write(addr, value, flags));
}

Status cuStreamBatchMemOp_v2(CUstream handle, unsigned count, CUstreamBatchMemOpParams *paramArray, unsigned flags) {
  if ((!paramArray && count > 0) || count > stream::mostMemoryOperations || flags) return cudaErrorInvalidValue;
  return enqueueAll(handle, paramArray, count);
}

Status cuStreamCopyAttributes(CUstream dst, CUstream src) { return api::cudaStreamCopyAttributes(dst, src); }
Status cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue *value_out) {
  return api::cudaStreamGetAttribute(hStream, static_cast<cudaLaunchAttributeID>(attr),
                                     as<cudaLaunchAttributeValue>(value_out));
}
Status cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue *value) {
  return api::cudaStreamSetAttribute(hStream, static_cast<cudaLaunchAttributeID>(attr),
                                     as<const cudaLaunchAttributeValue>(value));
}

Status cuEventCreate(CUevent *phEvent, unsigned Flags) { return api::cudaEventCreateWithFlags(phEvent, Flags); }
Status cuEventRecord(CUevent hEvent, CUstream hStream) { return api::cudaEventRecord(hEvent, hStream); }
Status cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned flags) {
  return api::cudaEventRecordWithFlags(hEvent, hStream, flags);
}
Status cuEventQuery(CUevent hEvent) { return api::cudaEventQuery(hEvent); }
Status cuEventSynchronize(CUevent hEvent) { return api::cudaEventSynchronize(hEvent); }
Status cuEventDestroy_v2(CUevent hEvent) { return api::cudaEventDestroy(hEvent); }
Status cuEventElapsedTime_v2(float *pMilliseconds, CUevent hStart, CUevent hEnd) {
  return api::cudaEventElapsedTime(pMilliseconds, hStart, hEnd);
}
Status cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd) {
  return api::cudaEventElapsedTime(pMilliseconds, hStart, hEnd);
}

}  // namespace hostwarp::driver_api
