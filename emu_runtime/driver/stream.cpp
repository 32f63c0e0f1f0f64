// Streams and events of the driver API, with the operations on memory that only it has.
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "emu_runtime/device/current.h"
#include "emu_runtime/driver/convert.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/stream/operation.h"
#include "fibers/fault_guard.h"

namespace hostwarp::driver_api {

namespace {

// Word is an integer in memory that streams wait for and write to.
template <typename Value>
Expected<std::atomic<Value> *> wordAt(CUdeviceptr address) {
  if (address % sizeof(Value)) return cudaErrorInvalidValue;
  if (!memory::AllocationTable::process().find(at(address))) return cudaErrorInvalidValue;
  return reinterpret_cast<std::atomic<Value> *>(at(address));
}

template <typename Value>
bool fulfilled(Value have, Value wanted, unsigned condition) {
  switch (condition) {
    case CU_STREAM_WAIT_VALUE_GEQ:
      return static_cast<std::make_signed_t<Value>>(have - wanted) >= 0;
    case CU_STREAM_WAIT_VALUE_EQ:
      return have == wanted;
    case CU_STREAM_WAIT_VALUE_AND:
      return (have & wanted) != 0;
    default:
      return static_cast<Value>(~(have | wanted)) != 0;
  }
}

// wait() polls: whoever writes the word tells nobody. The result tells whether the word was there.
template <typename Value>
std::function<bool()> wait(std::atomic<Value> *word, Value wanted, unsigned condition,
                           std::shared_ptr<stream::ContextState> state) {
  return [word, wanted, condition, state = std::move(state)] {
    constexpr auto longest = std::chrono::microseconds(200);
    auto pause = std::chrono::microseconds(1);
    for (Value have = 0; state->error() == cudaSuccess; pause = std::min(2 * pause, longest)) {
      if (!fibers::withinReach([&] { have = word->load(std::memory_order_acquire); })) return false;
      if (fulfilled(have, wanted, condition)) return true;
      std::this_thread::sleep_for(pause);
    }
    return true;
  };
}

// MemOp is one checked operation on memory, which tells whether the memory was there. `waits`: it may take long.
struct MemOp {
  std::function<bool()> work;
  bool waits = false;
};
using State = std::shared_ptr<stream::ContextState>;

template <typename Value>
Expected<MemOp> waitFor(CUdeviceptr address, Value wanted, unsigned flags, const State &state) {
  const unsigned condition = flags & ~unsigned{CU_STREAM_WAIT_VALUE_FLUSH};
  if (condition > CU_STREAM_WAIT_VALUE_NOR) return cudaErrorInvalidValue;
  auto word = wordAt<Value>(address);
  if (!word.ok()) return word.status();
  return MemOp{wait(*word, wanted, condition, state), true};
}

template <typename Value>
Expected<MemOp> write(CUdeviceptr address, Value value, unsigned flags) {
  if (flags & ~unsigned{CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER}) return cudaErrorInvalidValue;
  auto word = wordAt<Value>(address);
  if (!word.ok()) return word.status();
  return MemOp{
      [word = *word, value] { return fibers::withinReach([&] { word->store(value, std::memory_order_release); }); }};
}

Status enqueue(const device::StreamRef &stream, const Expected<MemOp> &op) {
  if (!op.ok()) return op.status();
  const State &state = stream.context->state();
  auto work = [context = stream.context, work = op->work] {
    if (!work()) context->fail(cudaErrorIllegalAddress, "a stream's wait or write meets memory that is not there");
  };
  if (op->waits)
    stream.enqueue(std::make_shared<stream::ThreadTask>(state, work));
  else
    stream.enqueue(std::make_shared<stream::InlineTask>(state, work));
  return {};
}

template <typename Value>
Status waitValue(CUstream handle, CUdeviceptr address, Value wanted, unsigned flags) {
  auto stream = device::streamOf(handle);
  if (!stream.ok()) return stream.status();
  return enqueue(*stream, waitFor(address, wanted, flags, stream->context->state()));
}

template <typename Value>
Status writeValue(CUstream handle, CUdeviceptr address, Value value, unsigned flags) {
  auto stream = device::streamOf(handle);
  return stream.ok() ? enqueue(*stream, write(address, value, flags)) : stream.status();
}

// memOpOf() checks one operation of a batch. All writes here are seen in order, so barriers have nothing to do.
Expected<MemOp> memOpOf(const CUstreamBatchMemOpParams &p, const State &state) {
  const auto &w = p.waitValue;
  const auto &v = p.writeValue;
  switch (p.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return waitFor<uint32_t>(w.address, w.value, w.flags, state);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return waitFor<uint64_t>(w.address, w.value64, w.flags, state);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return write<uint32_t>(v.address, v.value, v.flags);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return write<uint64_t>(v.address, v.value64, v.flags);
    case CU_STREAM_MEM_OP_BARRIER:
      if (p.memoryBarrier.flags > CU_STREAM_MEMORY_BARRIER_TYPE_GPU) return cudaErrorInvalidValue;
      return MemOp{[] { return true; }};
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      if (p.flushRemoteWrites.flags) return cudaErrorInvalidValue;
      return MemOp{[] { return true; }};
  }
  return cudaErrorInvalidValue;
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
  auto stream = device::streamOf(hStream);
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
  return waitValue<uint32_t>(stream, addr, value, flags);
}
Status cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned flags) {
  return waitValue<uint64_t>(stream, addr, value, flags);
}
Status cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned flags) {
  return writeValue<uint32_t>(stream, addr, value, flags);
}
Status cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned flags) {
  return writeValue<uint64_t>(stream, addr, value, flags);
}

Status cuStreamBatchMemOp_v2(CUstream handle, unsigned count, CUstreamBatchMemOpParams *paramArray, unsigned flags) {
  constexpr unsigned most = 256;
  if (!paramArray || !count || count > most || flags) return cudaErrorInvalidValue;
  auto stream = device::streamOf(handle);
  if (!stream.ok()) return stream.status();
  std::vector<Expected<MemOp>> ops;
  for (unsigned i = 0; i < count; ++i) {
    ops.push_back(memOpOf(paramArray[i], stream->context->state()));
    if (!ops.back().ok()) return ops.back().status();
  }
  for (const auto &op : ops) HOSTWARP_TRY(enqueue(*stream, op));
  return {};
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
