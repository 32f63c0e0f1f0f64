// Chapter "ipc": memory and events of other processes.
#include <unistd.h>

#include <cstring>
#include <map>
#include <utility>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/ipc/shared_memory.h"
#include "emu_runtime/ipc/shared_pages.h"
#include "emu_runtime/ipc/shared_point.h"
#include "emu_runtime/memory/allocation_table.h"
#include "fibers/mutex.h"

namespace hostwarp::api {

namespace {

using memory::Allocation;
using memory::AllocationTable;

enum class HandleKind : uint32_t { Memory = 0x48574d45, Event = 0x48574556 };

// Content is what the handles hold.
struct Content {
  HandleKind kind;
  ipc::ForeignMemory memory;  // of an event only the pages
};
static_assert(sizeof(Content) <= CUDA_IPC_HANDLE_SIZE);

template <typename Handle>
void writeHandle(Handle &handle, const Content &content) {
  std::memset(&handle, 0, sizeof(handle));
  std::memcpy(&handle, &content, sizeof(content));
}

template <typename Handle>
Expected<Content> read(const Handle &handle, HandleKind kind) {
  Content content;
  std::memcpy(&content, &handle, sizeof(content));
  if (content.kind != kind) return Status(cudaErrorInvalidValue, "not a handle of this kind");
  if (content.memory.pages.process == getpid()) {
    return Status(cudaErrorDeviceUninitialized, "a handle cannot be opened by the process that made it");
  }
  return content;
}

// Imports is the memory of other processes that is open here. Never destroyed.
struct Imports {
  struct Import {
    void *start;
    unsigned opened;
  };
  Mutex mutex;
  std::map<ipc::Name, Import> all HOSTWARP_GUARDED_BY(mutex);

  static Imports &process() {
    static auto *imports = new Imports;
    return *imports;
  }
};

}  // namespace

Status cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  auto allocation = AllocationTable::process().find(devPtr);
  const bool shareable = allocation && allocation->kind == memory::Kind::Device &&
                         allocation->start == reinterpret_cast<uintptr_t>(devPtr);
  if (!handle || !shareable) return {cudaErrorInvalidValue, "only memory from cudaMalloc() can be shared"};
  auto memory = ipc::share(*allocation);
  if (!memory.ok()) return memory.status();
  writeHandle(*handle, {HandleKind::Memory, *memory});
  return {};
}

Status cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle, unsigned flags) {
  if (!devPtr || flags != cudaIpcMemLazyEnablePeerAccess) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  HOSTWARP_TRY(graph::refuseUnsafe());
  auto content = read(handle, HandleKind::Memory);
  if (!content.ok()) return content.status();
  Imports &imports = Imports::process();
  MutexLock lock(imports.mutex);
  auto known = imports.all.find(content->memory.pages);
  if (known == imports.all.end()) {
    auto start = ipc::import(content->memory, **context, 0);
    if (!start.ok()) return start.status();
    known = imports.all.emplace(content->memory.pages, Imports::Import{*start, 0}).first;
  }
  ++known->second.opened;
  *devPtr = known->second.start;
  return {};
}

Status cudaIpcCloseMemHandle(void *devPtr) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  HOSTWARP_TRY(graph::refuseUnsafe());
  auto allocation = AllocationTable::process().find(devPtr);
  if (!allocation || allocation->kind != memory::Kind::Imported || allocation->flags) return cudaErrorInvalidValue;
  device::Device &device = *device::devices()[static_cast<size_t>(allocation->device)];
  device.context()->streams().waitAll();
  Imports &imports = Imports::process();
  MutexLock lock(imports.mutex);
  auto known = imports.all.find(allocation->shared->name());
  if (known == imports.all.end()) return cudaErrorInvalidValue;
  if (--known->second.opened > 0) return {};
  imports.all.erase(known);
  AllocationTable::process().take(devPtr, [](const Allocation &) { return true; });
  device.allocator().unreserve(allocation->block);
  return {};
}

Status cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  HOSTWARP_TRY(device::permitted());
  auto ref = device::eventTable().find(event);
  if (!ref) return cudaErrorInvalidResourceHandle;
  if (!handle) return cudaErrorInvalidValue;
  if (!ref->event->shared()) return {cudaErrorInvalidResourceHandle, "the event was not made for several processes"};
  writeHandle(*handle, {HandleKind::Event, {ref->event->shared()->name(), 0}});
  return {};
}

Status cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
  if (!event) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  auto content = read(handle, HandleKind::Event);
  if (!content.ok()) return content.status();
  auto point = ipc::SharedPoint::open(content->memory.pages);
  if (!point) return {cudaErrorMapBufferObjectFailed, "the event's process has destroyed it or is gone"};
  const unsigned flags = cudaEventInterprocess | cudaEventDisableTiming;
  *event = device::eventTable().add(
      {*context, std::make_shared<stream::Event>(flags, (*context)->device().ordinal(), (*context)->state(), point)});
  return {};
}

}  // namespace hostwarp::api
