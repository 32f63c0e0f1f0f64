// The runtime functions that kernels call [CUDA 4.18 dynamic parallelism]: launches, their streams and events, memory.
// hwcc-device gives them these names (compiler/device/library.def).
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "emu_runtime/abi/exports.h"
#include "emu_runtime/device/device.h"
#include "emu_runtime/execution/launch.h"
#include "emu_runtime/execution/running_grid.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/allocator.h"
#include "emu_runtime/memory/copies.h"
#include "emu_runtime/memory/memory_observer.h"
#include "emu_runtime/module/registry.h"
#include "emu_runtime/support/log.h"
#include "fibers/engine.h"
#include "include/hostwarp/check_abi.h"
#include "include/hostwarp/device_abi.h"

namespace {

using hostwarp::Status;
using hostwarp::execution::Arguments;
using hostwarp::execution::LaunchConfiguration;
using hostwarp::execution::PackedParameters;
using hostwarp::execution::ParameterBuffer;
using hostwarp::execution::RunningGrid;
using hostwarp::fibers::RuntimeSection;
using hostwarp::memory::Box;
using hostwarp::memory::Pitched;
using hostwarp::modules::Kernel;
using hostwarp::modules::Registry;

// Prepared is a kernel and its arguments between a thread's call of the kernel's stub and hw_start_launch().
struct Prepared {
  std::shared_ptr<Kernel> kernel;
  std::shared_ptr<Arguments> arguments;
};
// By thread: one that is abandoned between the two leaves its entry to the next thread on the same fiber.
thread_local std::unordered_map<const hw_thread *, Prepared> prepared;

// failed() makes a failure the calling thread's last error.
cudaError_t failed(cudaError_t error) {
  if (error != cudaSuccess) RunningGrid::current()->setLastError(error);
  return error;
}

cudaError_t launch(const Prepared &what, const LaunchConfiguration &how, const hw_access_site *site) {
  if (!what.kernel) return cudaErrorInvalidDeviceFunction;
  RunningGrid &parent = *RunningGrid::current();
  auto request = hostwarp::execution::prepare(*what.kernel, how, parent.context());
  if (!request.ok()) {
    if (!request.status().message().empty()) hostwarp::logLine("launch in device code: " + request.status().message());
    // The host calls a configuration that cannot be an invalid value.
    const cudaError_t error = request.status().code();
    return error == cudaErrorInvalidValue ? cudaErrorInvalidConfiguration : error;
  }
  return parent.launch(
      how.stream,
      std::make_shared<RunningGrid>(parent.context().shared_from_this(), what.kernel, *request, what.arguments), site);
}

LaunchConfiguration configurationOf(const hw_dim3 &grid, const hw_dim3 &block, size_t dynamicShared) {
  LaunchConfiguration how;
  how.grid = {grid.x, grid.y, grid.z};
  how.block = {block.x, block.y, block.z};
  how.dynamicShared = dynamicShared;
  return how;
}

// hand() gives a buffer to the calling thread, for the parameters of a launch by this grid.
void *hand(ParameterBuffer buffer) {
  void *memory = buffer.memory.get();
  if (memory) RunningGrid::current()->keep(std::move(buffer));
  return memory;
}

cudaError_t launch(const ParameterBuffer &buffer, const LaunchConfiguration &how, const hw_access_site *site) {
  if (!buffer.kernel) return cudaErrorInvalidDeviceFunction;
  const hw_kernel &code = *buffer.kernel->code();
  const PackedParameters parameters(code, buffer.memory.get());
  if (parameters.bytes > buffer.bytes) return cudaErrorInvalidValue;
  return launch({buffer.kernel, std::make_shared<Arguments>(code, parameters.addresses.data())}, how, site);
}

// waitForRoom() lets launches that are pending get on when there are too many of them, as long as any does.
void waitForRoom() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds patience{1};
  const auto look = [](auto question) {
    RuntimeSection section;
    return question(*RunningGrid::current());
  };
  unsigned last = 0;
  for (auto since = Clock::now(); !look([](RunningGrid &grid) { return grid.hasRoom(); }); hw_yield()) {
    const unsigned pending = look([](RunningGrid &grid) { return grid.pending(); });
    if (pending != std::exchange(last, pending)) since = Clock::now();
    if (Clock::now() - since > patience) return;
  }
}

// isGlobal(): local and shared memory cannot be copied to or from. What the table does not know is the device heap.
bool isGlobal(const Pitched &memory, size_t width, size_t height) {
  const auto allocation = hostwarp::memory::AllocationTable::process().find(memory.start);
  if (!allocation) return hostwarp::memory::inDeviceAddresses(memory.start);
  const size_t left = allocation->bytes - (reinterpret_cast<uintptr_t>(memory.start) - allocation->start);
  return memory.extent({width, height, 1}) <= left;
}

Pitched rows(const void *start, size_t pitch) { return {static_cast<char *>(const_cast<void *>(start)), pitch, 0}; }

// copy(): kernels copy within the device only, managed and mapped memory included.
cudaError_t copy(const Pitched &to, const Pitched &from, size_t width, size_t height, int kind, cudaStream_t stream) {
  RuntimeSection section;
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return failed(cudaErrorInvalidMemcpyDirection);
  if (width == 0 || height == 0) return cudaSuccess;
  if (to.pitch < width || from.pitch < width) return failed(cudaErrorInvalidPitchValue);
  if (!isGlobal(to, width, height) || !isGlobal(from, width, height)) return failed(cudaErrorInvalidValue);
  return failed(RunningGrid::current()->task(stream, [=] {
    for (size_t y = 0; y < height; ++y) std::memmove(to.start + y * to.pitch, from.start + y * from.pitch, width);
    if (hostwarp::memory::memoryObserver != nullptr)
      hostwarp::memory::memoryObserver->copied(to, from, {width, height, 1});
  }));
}

cudaError_t fill(const Pitched &to, int value, size_t width, size_t height, cudaStream_t stream) {
  RuntimeSection section;
  if (width == 0 || height == 0) return cudaSuccess;
  if (to.pitch < width || !isGlobal(to, width, height)) return failed(cudaErrorInvalidValue);
  return failed(RunningGrid::current()->task(stream, [=] {
    for (size_t y = 0; y < height; ++y) std::memset(to.start + y * to.pitch, value, width);
    if (hostwarp::memory::memoryObserver != nullptr) hostwarp::memory::memoryObserver->filled(to, {width, height, 1});
  }));
}

}  // namespace

HOSTWARP_ABI void hw_prepare_launch(const void *kernel, void *const *arguments) noexcept {
  RuntimeSection section;
  Prepared &mine = prepared[hw_self()];
  mine.kernel = Registry::process().kernel(kernel);
  if (mine.kernel) mine.arguments = std::make_shared<Arguments>(*mine.kernel->code(), arguments);
}

HOSTWARP_ABI void hw_check_start_launch(const hw_dim3 *grid, const hw_dim3 *block, size_t dynamicShared, void *stream,
                                        const hw_access_site *site) noexcept {
  waitForRoom();
  RuntimeSection section;
  LaunchConfiguration how = configurationOf(*grid, *block, dynamicShared);
  how.stream = static_cast<cudaStream_t>(stream);
  const auto mine = prepared.extract(hw_self());
  failed(launch(mine ? mine.mapped() : Prepared{}, how, site));
}

HOSTWARP_ABI void hw_start_launch(const hw_dim3 *grid, const hw_dim3 *block, size_t dynamicShared,
                                  void *stream) noexcept {
  hw_check_start_launch(grid, block, dynamicShared, stream, nullptr);
}

HOSTWARP_ABI void *hw_parameter_buffer(size_t alignment, size_t bytes) noexcept {
  RuntimeSection section;
  if (alignment > static_cast<size_t>(ParameterBuffer::alignment)) return nullptr;
  return hand(ParameterBuffer(bytes));
}

HOSTWARP_ABI void *hw_configured_parameter_buffer(const void *kernel, const hw_dim3 *grid, const hw_dim3 *block,
                                                  size_t dynamicShared) noexcept {
  RuntimeSection section;
  std::shared_ptr<Kernel> known = Registry::process().kernel(kernel);
  if (!known || !known->code()) return nullptr;
  ParameterBuffer buffer(PackedParameters(*known->code(), nullptr).bytes);
  buffer.kernel = std::move(known);
  buffer.configuration = configurationOf(*grid, *block, dynamicShared);
  return hand(std::move(buffer));
}

HOSTWARP_ABI int hw_check_launch_buffer(const void *kernel, void *memory, const hw_dim3 *grid, const hw_dim3 *block,
                                        size_t dynamicShared, void *stream, const hw_access_site *site) noexcept {
  waitForRoom();
  RuntimeSection section;
  // A kernel without parameters needs no buffer.
  auto buffer = memory ? RunningGrid::current()->take(memory) : std::optional(ParameterBuffer(0));
  if (!buffer) return failed(cudaErrorInvalidValue);
  buffer->kernel = Registry::process().kernel(kernel);
  LaunchConfiguration how = configurationOf(*grid, *block, dynamicShared);
  how.stream = static_cast<cudaStream_t>(stream);
  return failed(launch(*buffer, how, site));
}

HOSTWARP_ABI int hw_launch_buffer(const void *kernel, void *memory, const hw_dim3 *grid, const hw_dim3 *block,
                                  size_t dynamicShared, void *stream) noexcept {
  return hw_check_launch_buffer(kernel, memory, grid, block, dynamicShared, stream, nullptr);
}

HOSTWARP_ABI int hw_check_launch_configured_buffer(void *memory, void *stream, const hw_access_site *site) noexcept {
  waitForRoom();
  RuntimeSection section;
  auto buffer = RunningGrid::current()->take(memory);
  if (!buffer) return failed(cudaErrorInvalidValue);
  buffer->configuration.stream = static_cast<cudaStream_t>(stream);
  return failed(launch(*buffer, buffer->configuration, site));
}

HOSTWARP_ABI int hw_launch_configured_buffer(void *memory, void *stream) noexcept {
  return hw_check_launch_configured_buffer(memory, stream, nullptr);
}

HOSTWARP_ABI cudaError_t hw_cuda_device_synchronize() noexcept {
  const auto unfinished = [] {
    RuntimeSection section;
    return RunningGrid::current()->unfinished();
  };
  while (unfinished() != 0) hw_yield();
  return cudaSuccess;
}

HOSTWARP_ABI cudaError_t hw_cuda_peek_last_error() noexcept {
  RuntimeSection section;
  return RunningGrid::current()->lastError();
}

HOSTWARP_ABI cudaError_t hw_cuda_get_last_error() noexcept {
  RuntimeSection section;
  const cudaError_t error = RunningGrid::current()->lastError();
  RunningGrid::current()->setLastError(cudaSuccess);
  return error;
}

HOSTWARP_ABI cudaError_t hw_cuda_get_device(int *device) noexcept {
  const int ordinal = RunningGrid::current()->context().device().ordinal();
  *device = ordinal;
  return cudaSuccess;
}

HOSTWARP_ABI cudaError_t hw_cuda_malloc(void **pointer, size_t bytes) noexcept {
  void *memory = bytes > 0 ? hw_malloc(bytes) : nullptr;
  *pointer = memory;
  if (memory) return cudaSuccess;
  RuntimeSection section;
  return failed(bytes > 0 ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
}

HOSTWARP_ABI cudaError_t hw_cuda_free(void *pointer) noexcept {
  RuntimeSection section;
  const bool freed = !pointer || RunningGrid::current()->context().heap().free(pointer);
  return freed ? cudaSuccess : failed(cudaErrorInvalidValue);
}

HOSTWARP_ABI cudaError_t hw_cuda_memcpy_async(void *to, const void *from, size_t bytes, int kind,
                                              cudaStream_t stream) noexcept {
  return copy(rows(to, bytes), rows(from, bytes), bytes, 1, kind, stream);
}

HOSTWARP_ABI cudaError_t hw_cuda_memcpy_2d_async(void *to, size_t toPitch, const void *from, size_t fromPitch,
                                                 size_t width, size_t height, int kind, cudaStream_t stream) noexcept {
  return copy(rows(to, toPitch), rows(from, fromPitch), width, height, kind, stream);
}

HOSTWARP_ABI cudaError_t hw_cuda_memset_async(void *to, int value, size_t bytes, cudaStream_t stream) noexcept {
  return fill(rows(to, bytes), value, bytes, 1, stream);
}

HOSTWARP_ABI cudaError_t hw_cuda_memset_2d_async(void *to, size_t pitch, int value, size_t width, size_t height,
                                                 cudaStream_t stream) noexcept {
  return fill(rows(to, pitch), value, width, height, stream);
}

HOSTWARP_ABI cudaError_t hw_cuda_stream_create(cudaStream_t *stream, unsigned flags) noexcept {
  cudaStream_t made = nullptr;
  {
    RuntimeSection section;
    if (flags != cudaStreamNonBlocking && flags != cudaStreamDefault) return failed(cudaErrorInvalidValue);
    made = RunningGrid::current()->createStream();
  }
  *stream = made;
  return cudaSuccess;
}

HOSTWARP_ABI cudaError_t hw_cuda_stream_destroy(cudaStream_t stream) noexcept {
  RuntimeSection section;
  return failed(RunningGrid::current()->destroyStream(stream));
}

HOSTWARP_ABI cudaError_t hw_cuda_stream_wait_event(cudaStream_t stream, cudaEvent_t event, unsigned) noexcept {
  RuntimeSection section;
  return failed(RunningGrid::current()->waitFor(stream, event));
}

HOSTWARP_ABI cudaError_t hw_cuda_event_create(cudaEvent_t *event, unsigned flags) noexcept {
  cudaEvent_t made = nullptr;
  {
    RuntimeSection section;
    if ((flags & ~cudaEventBlockingSync) != cudaEventDisableTiming) return failed(cudaErrorInvalidValue);
    made = RunningGrid::current()->createEvent();
  }
  *event = made;
  return cudaSuccess;
}

HOSTWARP_ABI cudaError_t hw_cuda_event_destroy(cudaEvent_t event) noexcept {
  RuntimeSection section;
  return failed(RunningGrid::current()->destroyEvent(event));
}

HOSTWARP_ABI cudaError_t hw_cuda_event_record(cudaEvent_t event, cudaStream_t stream) noexcept {
  RuntimeSection section;
  return failed(RunningGrid::current()->record(event, stream));
}
