// Chapter "pool", the part about other processes. A pool's handle is a descriptor of a file that only says which device
// the pool is of: every allocation is exported by itself.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/ipc/pool_sharing.h"
#include "emu_runtime/ipc/shared_memory.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/pool.h"
#include "fibers/mutex.h"

namespace hostwarp::ipc {

namespace {

// Pools is those that are shared. Never destroyed.
struct Pools {
  Mutex mutex;
  std::map<std::weak_ptr<memory::Pool>, Sharing, std::owner_less<>> all HOSTWARP_GUARDED_BY(mutex);

  static Pools &process() {
    static auto *pools = new Pools;
    return *pools;
  }
};

}  // namespace

void setSharing(const std::shared_ptr<memory::Pool> &pool, Sharing sharing) {
  MutexLock lock(Pools::process().mutex);
  std::erase_if(Pools::process().all, [](const auto &entry) { return entry.first.expired(); });
  Pools::process().all[pool] = sharing;
}

Sharing sharingOf(const std::shared_ptr<memory::Pool> &pool) {
  MutexLock lock(Pools::process().mutex);
  auto found = Pools::process().all.find(pool);
  return found == Pools::process().all.end() ? Sharing::None : found->second;
}

}  // namespace hostwarp::ipc

namespace hostwarp::api {

namespace {

using ipc::Sharing;
using memory::Pool;
using PoolRef = std::shared_ptr<Pool>;

// Tag is what the file holds; Pointer what a program passes on for one allocation.
constexpr uint64_t poolMark = 0x6c6f6f7057576f48;
struct Tag {
  uint64_t mark;
  int32_t device;
};
constexpr uint64_t pointerMark = 0x7265746e496f5048;
struct Pointer {
  uint64_t mark;
  ipc::ForeignMemory memory;
};
static_assert(sizeof(Pointer) <= sizeof(cudaMemPoolPtrExportData));

Expected<PoolRef> poolOf(cudaMemPool_t handle, Sharing sharing) {
  HOSTWARP_TRY(device::permitted());
  auto found = device::poolTable().find(handle);
  if (!found || ipc::sharingOf(*found) != sharing) return cudaErrorInvalidValue;
  return *found;
}

Status checkType(cudaMemAllocationHandleType type, unsigned flags) {
  if (flags) return cudaErrorInvalidValue;
  if (type == cudaMemHandleTypePosixFileDescriptor) return {};
  return {cudaErrorInvalidValue, "pools are shared by file descriptors only"};
}

}  // namespace

Status cudaMemPoolExportToShareableHandle(void *shareableHandle, cudaMemPool_t memPool,
                                          cudaMemAllocationHandleType handleType, unsigned flags) {
  if (!shareableHandle) return cudaErrorInvalidValue;
  HOSTWARP_TRY(checkType(handleType, flags));
  auto pool = poolOf(memPool, Sharing::Exportable);
  if (!pool.ok()) return pool.status();
  const int file = memfd_create("hostwarp-pool", MFD_CLOEXEC);
  const Tag tag{poolMark, (*pool)->device()};
  if (file < 0 || write(file, &tag, sizeof tag) != sizeof tag) {
    if (file >= 0) close(file);
    return {cudaErrorOperatingSystem, "the system gives no file in memory"};
  }
  *static_cast<int *>(shareableHandle) = file;
  return {};
}

Status cudaMemPoolImportFromShareableHandle(cudaMemPool_t *memPool, void *shareableHandle,
                                            cudaMemAllocationHandleType handleType, unsigned flags) {
  if (!memPool) return cudaErrorInvalidValue;
  HOSTWARP_TRY(checkType(handleType, flags));
  const int file = static_cast<int>(reinterpret_cast<intptr_t>(shareableHandle));
  Tag tag{};
  if (pread(file, &tag, sizeof tag, 0) != sizeof tag || tag.mark != poolMark)
    return {cudaErrorInvalidValue, "the file descriptor is not one of a pool"};
  auto device = device::find(tag.device);
  if (!device.ok()) return device.status();
  auto pool = std::make_shared<Pool>((*device)->allocator(), tag.device, 0);
  ipc::setSharing(pool, Sharing::Imported);
  *memPool = device::poolTable().add(std::move(pool));
  return {};
}

Status cudaMemPoolExportPointer(cudaMemPoolPtrExportData *exportData, void *ptr) {
  HOSTWARP_TRY(device::permitted());
  if (!exportData) return cudaErrorInvalidValue;
  auto allocation = memory::AllocationTable::process().find(ptr);
  const bool exportable = allocation && allocation->pool && ipc::sharingOf(allocation->pool) == Sharing::Exportable &&
                          allocation->start == reinterpret_cast<uintptr_t>(ptr);
  if (!exportable) return {cudaErrorInvalidValue, "the pointer is not the start of memory of an exportable pool"};
  auto memory = ipc::share(*allocation);
  if (!memory.ok()) return memory.status();
  const Pointer pointer{pointerMark, *memory};
  *exportData = {};
  std::memcpy(exportData, &pointer, sizeof pointer);
  return {};
}

Status cudaMemPoolImportPointer(void **ptr, cudaMemPool_t memPool, cudaMemPoolPtrExportData *exportData) {
  if (!ptr || !exportData) return cudaErrorInvalidValue;
  auto pool = poolOf(memPool, Sharing::Imported);
  if (!pool.ok()) return pool.status();
  Pointer pointer;
  std::memcpy(&pointer, exportData, sizeof pointer);
  if (pointer.mark != pointerMark) return cudaErrorInvalidValue;
  device::Device &device = *device::devices()[static_cast<size_t>((*pool)->device())];
  auto start = ipc::import(pointer.memory, *device.context(), ipc::pooled);
  if (!start.ok()) return start.status();
  *ptr = *start;
  return {};
}

}  // namespace hostwarp::api
