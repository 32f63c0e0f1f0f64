#include "emu_runtime/digests/machine.h"

#include "emu_runtime/api/api.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/module/registry.h"
#include "gpu_backend/backend.h"
#include "gpu_backend/registrations.h"
#include "gpu_backend/tables.h"

namespace hostwarp::digests::machine {
namespace {

using gpu_backend::isGpu;
using gpu_backend::realDriver;
using gpu_backend::realRuntime;

// HOSTWARP_CALL() calls the function where the kernels run.
#define HOSTWARP_CALL(name, ...) (isGpu() ? realRuntime.name(__VA_ARGS__) : api::name(__VA_ARGS__).code())

// copyStream() is one that waits for no other, and no other for it: captures may go on meanwhile.
cudaStream_t ownStream = nullptr;
cudaStream_t copyStream() {
  if (!ownStream && realRuntime.cudaStreamCreateWithFlags(&ownStream, cudaStreamNonBlocking) != cudaSuccess)
    ownStream = nullptr;
  return ownStream;
}

}  // namespace

Quiet::Quiet() : before_(isGpu() ? realRuntime.cudaPeekAtLastError() : cudaSuccess) {
  static_cast<void>(HOSTWARP_CALL(cudaThreadExchangeStreamCaptureMode, &mode_));
}

Quiet::~Quiet() {
  static_cast<void>(HOSTWARP_CALL(cudaThreadExchangeStreamCaptureMode, &mode_));
  if (isGpu() && before_ == cudaSuccess) realRuntime.cudaGetLastError();
}

std::string backendName() { return isGpu() ? "gpu" : "cpu"; }

std::string deviceName() {
  int device = 0;
  cudaDeviceProp properties{};
  if (HOSTWARP_CALL(cudaGetDevice, &device) != cudaSuccess) return "";
  return HOSTWARP_CALL(cudaGetDeviceProperties, &properties, device) == cudaSuccess ? properties.name : "";
}

bool isCapturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  // The default stream, while another is captured, gives an error.
  return HOSTWARP_CALL(cudaStreamIsCapturing, stream, &status) != cudaSuccess || status != cudaStreamCaptureStatusNone;
}

cudaError_t wait(cudaStream_t stream) { return HOSTWARP_CALL(cudaStreamSynchronize, stream); }

bool isHost(const void *address) {
  if (!isGpu()) {
    const auto found = memory::AllocationTable::process().find(address);
    return !found || found->pinnedHost();
  }
  cudaPointerAttributes attributes{};
  if (realRuntime.cudaPointerGetAttributes(&attributes, address) != cudaSuccess) return true;
  return attributes.type == cudaMemoryTypeUnregistered || attributes.type == cudaMemoryTypeHost;
}

std::optional<std::string_view> view(const void *address, size_t bytes, std::string &buffer) {
  if (!isGpu() || isHost(address)) return std::string_view(static_cast<const char *>(address), bytes);
  buffer.resize(bytes);
  const cudaStream_t stream = copyStream();
  if (realRuntime.cudaMemcpyAsync(buffer.data(), address, bytes, cudaMemcpyDefault, stream) != cudaSuccess ||
      realRuntime.cudaStreamSynchronize(stream) != cudaSuccess)
    return std::nullopt;
  return buffer;
}

void fill(void *address, size_t bytes, int value) {
  if (!isGpu()) return static_cast<void>(__builtin_memset(address, value, bytes));
  const cudaStream_t stream = copyStream();
  if (realRuntime.cudaMemsetAsync(address, value, bytes, stream) == cudaSuccess)
    realRuntime.cudaStreamSynchronize(stream);
}

size_t elementBytes(cudaArray_const_t array) {
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned flags = 0;
  auto *const changeable = const_cast<cudaArray_t>(array);
  if (HOSTWARP_CALL(cudaArrayGetInfo, &format, &extent, &flags, changeable) != cudaSuccess) return 1;
  return static_cast<size_t>(format.x + format.y + format.z + format.w) / 8;
}

void forget() { ownStream = nullptr; }

void *addressOf(const void *hostVariable) {
  if (gpu_backend::ManagedSlot *slot = gpu_backend::Registrations::process().slotOf(hostVariable))
    return gpu_backend::findManaged(*slot);
  void *address = nullptr;
  return HOSTWARP_CALL(cudaGetSymbolAddress, &address, hostVariable) == cudaSuccess ? address : nullptr;
}

std::string kernelName(const void *hostFunction) {
  const auto kernel = modules::Registry::process().kernel(hostFunction);
  return kernel ? kernel->name() : "unknown kernel";
}

std::string functionName(void *handle) {
  if (!isGpu()) return kernelName(handle);
  const char *name = nullptr;
  if (!realDriver.cuFuncGetName || realDriver.cuFuncGetName(&name, static_cast<CUfunction>(handle)) != CUDA_SUCCESS)
    return "unknown kernel";
  return modules::demangle(name);
}

}  // namespace hostwarp::digests::machine
