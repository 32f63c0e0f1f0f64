// Chapter "memory": allocating and freeing, and what memory a pointer belongs to.
#include <algorithm>
#include <limits>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/ipc/shared_memory.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/allocator.h"
#include "emu_runtime/memory/pages.h"
#include "emu_runtime/order/stream_work.h"

namespace hostwarp::api {

namespace {

using memory::Allocation;
using memory::AllocationTable;
using memory::Kind;

// cudaMallocPitch() aligns rows to what cudaDeviceProp::textureAlignment asks for.
constexpr size_t pitchAlignment = 512;

Expected<void *> allocate(memory::Allocator &allocator, size_t bytes, Kind kind, const device::Context &context,
                          unsigned flags) {
  HOSTWARP_TRY(graph::refuseUnsafe());
  if (bytes == 0) return static_cast<void *>(nullptr);
  if (void *start = allocator.allocate(bytes, kind, context.device().ordinal(), flags, context.id())) return start;
  return Status(cudaErrorMemoryAllocation);
}

Status allocateOnDevice(void **devPtr, size_t bytes) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  auto start = allocate((*context)->device().allocator(), bytes, Kind::Device, **context, 0);
  if (start.status().code() == cudaErrorMemoryAllocation) *devPtr = nullptr;
  if (!start.ok()) return start.status();
  *devPtr = *start;
  return {};
}

// waitForUsers() waits for the work of the current context and of the one that most memory of the device belongs to;
// without a current one, for that of all that may use it.
void waitForUsers(const device::ContextRef &current, device::Device &device) {
  if (!current) {
    for (const device::ContextRef &each : device::contextsOf(device)) each->streams().waitAll();
    return;
  }
  current->streams().waitAll();
  if (device.active() && device.context() != current) device.context()->streams().waitAll();
}

// mayFreeInUse(): of this memory CUDA does not promise that freeing it waits for its users, although that does so here.
bool mayFreeInUse(const Allocation &allocation) { return allocation.pool || allocation.pinnedHost(); }

// Freeing waits for work that may still use the memory, as cudaFree() does.
Status freeKinds(void *pointer, bool (*accept)(const Allocation &)) {
  auto context = device::contextIfNeeded();
  if (!context.ok()) return context.status();
  HOSTWARP_TRY(graph::refuseUnsafe());
  if (!pointer) return {};
  auto known = AllocationTable::process().find(pointer);
  if (!known) return {cudaErrorInvalidValue, "the pointer was not allocated, or is free already"};
  device::Device &device = *device::devices()[static_cast<size_t>(known->device)];
  const bool isWhole = known->start == reinterpret_cast<uintptr_t>(pointer) && accept(*known);
  if (isWhole && mayFreeInUse(*known)) order::hostFrees(*known);
  waitForUsers(*context, device);
  if (auto memory = graph::GraphMemory::at(pointer); memory && accept(*known)) {
    return memory->free() ? Status() : Status(cudaErrorInvalidValue, "no launch has allocated this memory of a graph");
  }
  auto taken = AllocationTable::process().take(pointer, accept);
  if (!taken) return {cudaErrorInvalidValue, "the pointer is not the start of memory of this kind"};
  memory::release(*taken, device.allocator());
  return {};
}

bool multiplies(size_t a, size_t b, size_t &product) { return !__builtin_mul_overflow(a, b, &product); }

// pitchedBytes() computes the size of `rows` padded rows, which have no pitch when there is nothing in them.
Status pitchedBytes(size_t width, size_t rows, size_t &pitch, size_t &bytes) {
  pitch = bytes = 0;
  if (width > std::numeric_limits<size_t>::max() - pitchAlignment) return cudaErrorInvalidValue;
  if (width == 0 || rows == 0) return {};
  pitch = memory::pages::roundUp(width, pitchAlignment);
  return multiplies(pitch, rows, bytes) ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaMemoryType typeOf(const Allocation &allocation) {
  if (allocation.managed()) return cudaMemoryTypeManaged;
  return allocation.onDevice() ? cudaMemoryTypeDevice : cudaMemoryTypeHost;
}

Expected<Allocation> pinned(const void *pointer) {
  auto allocation = AllocationTable::process().find(pointer);
  if (!allocation || !allocation->pinnedHost()) return cudaErrorInvalidValue;
  return *allocation;
}

}  // namespace

Status cudaMalloc(void **devPtr, size_t size) {
  if (!devPtr) return cudaErrorInvalidValue;
  return allocateOnDevice(devPtr, size);
}

Status cudaFree(void *devPtr) {
  return freeKinds(devPtr, [](const Allocation &a) {
    const bool freedImport = a.kind == Kind::Imported && (a.flags == ipc::pooled || a.flags == ipc::mappedBuffer);
    return a.pool || a.kind == Kind::Device || a.kind == Kind::Managed || a.kind == Kind::Graph || freedImport;
  });
}

Status cudaMallocManaged(void **devPtr, size_t size, unsigned flags) {
  if (!devPtr || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  auto start = allocate(memory::managedAllocator(), size, Kind::Managed, **context, flags);
  if (!start.ok()) return start.status();
  *devPtr = *start;
  return {};
}

Status cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height) {
  if (!devPtr || !pitch) return cudaErrorInvalidValue;
  size_t bytes = 0;
  HOSTWARP_TRY(pitchedBytes(width, height, *pitch, bytes));
  return allocateOnDevice(devPtr, bytes);
}

Status cudaMalloc3D(cudaPitchedPtr *pitchedDevPtr, cudaExtent extent) {
  if (!pitchedDevPtr) return cudaErrorInvalidValue;
  size_t pitch = 0, rows = 0, bytes = 0;
  if (!multiplies(extent.height, extent.depth, rows)) return cudaErrorMemoryAllocation;
  HOSTWARP_TRY(pitchedBytes(extent.width, rows, pitch, bytes));
  void *start = nullptr;
  HOSTWARP_TRY(allocateOnDevice(&start, bytes));
  *pitchedDevPtr = {start, pitch, extent.width, extent.height};
  return {};
}

Status cudaHostAlloc(void **pHost, size_t size, unsigned flags) {
  constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if (!pHost || (flags & ~known)) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  auto start = allocate(memory::hostAllocator(), size, Kind::Host, **context, flags);
  if (!start.ok()) return start.status();
  *pHost = *start;
  return {};
}

Status cudaMallocHost(void **ptr, size_t size) { return cudaHostAlloc(ptr, size, cudaHostAllocDefault); }

Status cudaFreeHost(void *ptr) {
  return freeKinds(ptr, [](const Allocation &a) { return a.kind == Kind::Host && !a.pool; });
}

Status cudaHostRegister(void *ptr, size_t size, unsigned flags) {
  constexpr unsigned known =
      cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
  if (!ptr || size == 0 || (flags & ~known)) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  HOSTWARP_TRY(graph::refuseUnsafe());
  if (flags & cudaHostRegisterIoMemory) return {cudaErrorInvalidValue, "this is no memory of an I/O device"};
  if (AllocationTable::process().overlaps(ptr, size)) {
    const auto there = AllocationTable::process().find(ptr);
    if (!there || there->kind == Kind::RegisteredHost) return cudaErrorHostMemoryAlreadyRegistered;
    return {cudaErrorInvalidValue, "CUDA has allocated this memory, which needs no registration"};
  }
  if (!memory::pages::readable(ptr, size)) return {cudaErrorInvalidValue, "not all of this is memory of the program"};
  AllocationTable::process().add({reinterpret_cast<uintptr_t>(ptr), size, Kind::RegisteredHost,
                                  (*context)->device().ordinal(), flags, memory::Block{}, nullptr, (*context)->id()});
  return {};
}

Status cudaHostUnregister(void *ptr) {
  auto context = device::contextIfNeeded();
  if (!context.ok()) return context.status();
  if (!ptr) return cudaErrorInvalidValue;
  HOSTWARP_TRY(graph::refuseUnsafe());
  if (const auto known = AllocationTable::process().find(ptr)) {
    if (known->kind == Kind::RegisteredHost && known->start == reinterpret_cast<uintptr_t>(ptr))
      order::hostFrees(*known);
    waitForUsers(*context, *device::devices()[static_cast<size_t>(known->device)]);
  }
  auto taken = AllocationTable::process().take(ptr, [](const Allocation &a) { return a.kind == Kind::RegisteredHost; });
  if (taken) return {};
  const bool known = AllocationTable::process().find(ptr).has_value();
  return known ? cudaErrorInvalidValue : cudaErrorHostMemoryNotRegistered;
}

Status cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned flags) {
  if (!pDevice || flags != 0) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  auto allocation = pinned(pHost);
  if (!allocation.ok()) return allocation.status();
  *pDevice = pHost;  // one address space
  return {};
}

Status cudaHostGetFlags(unsigned *pFlags, void *pHost) {
  if (!pFlags) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  auto allocation = pinned(pHost);
  if (!allocation.ok()) return allocation.status();
  // With unified addressing all of it is mapped. That the device only reads it is not told.
  *pFlags = (allocation->flags & ~cudaHostRegisterReadOnly) | cudaHostAllocMapped;
  return {};
}

Status cudaMemGetInfo(size_t *free, size_t *total) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  const memory::Budget &budget = (*context)->device().allocator().budget();
  if (total) *total = budget.limit();
  if (free) *free = std::min({budget.left(), memory::Budget::machine().left(), memory::pages::availableBytes()});
  return {};
}

Status cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *ptr) {
  if (!attributes) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  *attributes = {};
  auto allocation = AllocationTable::process().find(ptr);
  if (!allocation) {
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = cudaInvalidDeviceId;
    attributes->hostPointer = const_cast<void *>(ptr);
    return {};
  }
  attributes->type = typeOf(*allocation);
  attributes->device = allocation->device;
  attributes->devicePointer = const_cast<void *>(ptr);
  attributes->hostPointer = allocation->onDevice() ? nullptr : const_cast<void *>(ptr);
  return {};
}

}  // namespace hostwarp::api
