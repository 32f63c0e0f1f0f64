// Streams and events of the driver API, with the operations on memory that only it has.
#include <atomic>
#include <chrono>
#include <thread>

#include "emu_runtime/device/current.h"
#include "emu_runtime/driver/driver.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/stream/operation.h"

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

// waitValue() holds the stream until the word fulfils the condition. Whoever writes it tells nobody, so it is polled.
template <typename Value>
Status waitValue(CUstream handle, CUdeviceptr address, Value wanted, unsigned flags) {
  const unsigned condition = flags & ~unsigned{CU_STREAM_WAIT_VALUE_FLUSH};
  if (condition > CU_STREAM_WAIT_VALUE_NOR) return cudaErrorInvalidValue;
  auto stream = device::streamOf(handle);
  if (!stream.ok()) return stream.status();
  auto word = wordAt<Value>(address);
  if (!word.ok()) return word.status();
  auto state = stream->context->state();
  stream->enqueue(std::make_shared<stream::ThreadTask>(state, [word = *word, wanted, condition, state] {
    constexpr auto longest = std::chrono::microseconds(200);
    auto pause = std::chrono::microseconds(1);
    while (!fulfilled(word->load(std::memory_order_acquire), wanted, condition) && state->error() == cudaSuccess) {
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, longest);
    }
  }));
  return {};
}

template <typename Value>
Status writeValue(CUstream handle, CUdeviceptr address, Value value, unsigned flags) {
  if (flags & ~unsigned{CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER}) return cudaErrorInvalidValue;
  auto stream = device::streamOf(handle);
  if (!stream.ok()) return stream.status();
  auto word = wordAt<Value>(address);
  if (!word.ok()) return word.status();
  stream->enqueue(std::make_shared<stream::InlineTask>(
      stream->context->state(), [word = *word, value] { word->store(value, std::memory_order_release); }));
  return {};
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
  if (context->id() == 0) {
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
