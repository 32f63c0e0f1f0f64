// Chapter "pool": memory allocated and freed in the order of streams.
#include <string>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/ipc/pool_sharing.h"
#include "emu_runtime/ipc/shared_memory.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/home_pools.h"
#include "emu_runtime/memory/pool.h"
#include "emu_runtime/order/stream_work.h"
#include "emu_runtime/stream/operation.h"

namespace hostwarp::api {

namespace {

using PoolRef = std::shared_ptr<memory::Pool>;

// handleOf() gives out the handle of a device's own pool, made at the first question for it.
cudaMemPool_t handleOf(const PoolRef &pool) {
  auto &table = device::poolTable();
  if (auto known = table.handleOf(pool)) return *known;
  return table.add(pool);
}

Expected<PoolRef> poolOf(cudaMemPool_t handle) {
  HOSTWARP_TRY(device::permitted());
  auto found = device::poolTable().find(handle);
  if (!found) return cudaErrorInvalidValue;
  return *found;
}

bool isDefault(const PoolRef &pool) {
  if (!pool->ofDevice()) return memory::HomePools::process().isDefault(pool);
  return device::devices()[static_cast<size_t>(pool->device())]->defaultPool() == pool;
}

// captureAllocation() makes a node of an allocation in a capturing stream. The node keeps who may use the pool's memory
// now.
Status captureAllocation(const device::StreamRef &target, const memory::Pool &pool, void **devPtr, size_t size) {
  std::vector<cudaMemAccessDesc> access;
  for (const int device : pool.sharers())
    access.push_back({{cudaMemLocationTypeDevice, device}, cudaMemAccessFlagsProtReadWrite});
  cudaMemAllocNodeParams given{};
  given.poolProps.allocType = cudaMemAllocationTypePinned;
  given.poolProps.location = {cudaMemLocationTypeDevice, pool.device()};
  given.bytesize = size;
  given.accessDescs = access.data();
  given.accessDescCount = access.size();
  auto params = graph::AllocParams::of(&given);
  if (!params.ok()) return params.status();
  *devPtr = params->given.dptr;
  return graph::capture(target, *std::move(params));
}

Status allocate(const device::StreamRef &target, memory::Pool &pool, void **devPtr, size_t size) {
  *devPtr = nullptr;
  if (!graph::capturing(target)) HOSTWARP_TRY(graph::refuseUnsafe());
  if (size == 0) return {};
  if (graph::capturing(target) && !pool.ofDevice())
    return {cudaErrorNotSupported, "graphs allocate memory of devices only"};
  if (graph::capturing(target)) return captureAllocation(target, pool, devPtr, size);
  stream::StreamSet &streams = target.context->streams();
  memory::Pool::Taken taken = pool.allocate(size, {target.stream->serial(), streams.follows(*target.stream)});
  if (!taken.memory) return cudaErrorMemoryAllocation;
  if (taken.behind) {
    const auto free = std::static_pointer_cast<stream::Operation>(taken.behind);
    streams.enqueue(*target.stream, std::make_shared<stream::Marker>(target.context->state()), {&free, 1});
  }
  if (const order::WorkRef work = order::workOn(target, taken.memory, size, order::How::Allocates)) {
    const auto marker = std::make_shared<stream::Marker>(target.context->state());
    marker->setWork(work);
    target.enqueue(marker);
  }
  *devPtr = taken.memory;
  return {};
}

// Freeing is memory whose free waits in a stream.
struct Freeing {
  memory::Allocation allocation;
  memory::FreeMark mark;
  bool offered = false;

  void execute() const {
    const PoolRef &pool = allocation.pool;
    if (pool) pool->executed(mark);
    if (!offered) memory::release(allocation, device::devices()[static_cast<size_t>(allocation.device)]->allocator());
  }
};

// freeInOrder() makes the task before it takes the allocation out of the table: where the host has no memory for the
// task, nothing has changed.
Status freeInOrder(const device::StreamRef &target, void *memory) {
  HOSTWARP_TRY(graph::refuseUnsafe());
  auto freeing = std::make_shared<Freeing>();
  auto task = std::make_shared<stream::InlineTask>(
      target.context->state(), [freeing] { freeing->execute(); }, stream::InlineTask::InFailedContext::Run);
  auto taken = memory::AllocationTable::process().take(memory, [](const memory::Allocation &a) {
    const bool ofForeignPool = a.kind == memory::Kind::Imported && a.flags == ipc::pooled;
    return a.pool || a.kind == memory::Kind::Device || ofForeignPool;
  });
  if (!taken) return {cudaErrorInvalidValue, "the pointer is not the start of device memory, or is free already"};
  freeing->allocation = *std::move(taken);
  freeing->mark = target.stream->freeMark();
  task->setWork(order::workOn(target, memory, freeing->allocation.bytes, order::How::Frees));
  if (const PoolRef &pool = freeing->allocation.pool)
    freeing->offered = pool->offer(freeing->allocation, freeing->mark, task);
  target.context->streams().enqueueFree(*target.stream, task, freeing->mark);
  return {};
}

bool isDevices(const cudaMemLocation *location, cudaMemAllocationType type) {
  return location && location->type == cudaMemLocationTypeDevice && type == cudaMemAllocationTypePinned &&
         device::find(location->id).ok();
}

bool hasPools(cudaMemAllocationType type) {
  return type == cudaMemAllocationTypePinned || type == cudaMemAllocationTypeManaged;
}

Status checkHome(const cudaMemPool_t *pool, const cudaMemLocation *location, cudaMemAllocationType type) {
  HOSTWARP_TRY(device::permitted());
  if (!pool || !location) return cudaErrorInvalidValue;
  if (location->type <= cudaMemLocationTypeHostNuma && !hasPools(type)) return cudaErrorInvalidValue;
  return memory::checkHome(*location, type);
}

// checkNewHome(): a new pool of managed memory may be wanted where the thread runs, one of pinned memory may not.
Status checkNewHome(const cudaMemPoolProps &given) {
  const bool managed = given.allocType == cudaMemAllocationTypeManaged;
  if (managed && given.location.type == cudaMemLocationTypeHostNumaCurrent) return {};
  const Status status = memory::checkHome(given.location, given.allocType);
  return managed ? status : Status(status.ok() ? cudaSuccess : cudaErrorInvalidValue);
}

Expected<PoolRef> makePool(const cudaMemPoolProps &given) {
  if (!hasPools(given.allocType)) return cudaErrorInvalidValue;
  if (isDevices(&given.location, given.allocType)) {
    auto device = device::find(given.location.id);
    if (!device.ok()) return device.status();
    return std::make_shared<memory::Pool>((*device)->allocator(), (*device)->ordinal(), given.maxSize);
  }
  HOSTWARP_TRY(checkNewHome(given));
  return memory::makeHomePool(given.location, given.allocType, given.maxSize);
}

// isHost() is true for what all of the host's memory is reachable from.
bool isHost(const cudaMemLocation &location) {
  return location.type == cudaMemLocationTypeHost || location.type == cudaMemLocationTypeHostNuma;
}

// setAccess(): a pool's own place always has access. All memory is reachable from everywhere.
Status setAccess(memory::Pool &pool, const cudaMemAccessDesc &wish) {
  const bool hosts = !pool.ofDevice() && pool.type() == cudaMemAllocationTypePinned;
  if (isHost(wish.location)) {
    const bool possible = hosts && wish.flags == cudaMemAccessFlagsProtReadWrite;
    return possible ? cudaSuccess : Status(cudaErrorNotSupported, "the host's access cannot be changed");
  }
  if (wish.location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
  if (wish.flags == cudaMemAccessFlagsProtRead) return {cudaErrorNotSupported, "a pool cannot be for reading alone"};
  HOSTWARP_TRY(device::find(wish.location.id).status());
  if (wish.flags != cudaMemAccessFlagsProtNone && wish.flags != cudaMemAccessFlagsProtReadWrite)
    return cudaErrorInvalidValue;
  if (pool.ofDevice() && wish.location.id == pool.device() && wish.flags == 0) return cudaErrorInvalidDevice;
  pool.setAccess(wish.location.id, wish.flags);
  return {};
}

// ownedPool() is a pool of this process; pools of others have no properties here.
Expected<PoolRef> ownedPool(cudaMemPool_t handle) {
  auto pool = poolOf(handle);
  if (pool.ok() && ipc::sharingOf(*pool) == ipc::Sharing::Imported) {
    return Status(cudaErrorInvalidValue, "the pool is another process's");
  }
  return pool;
}

// inChunks() is what a GPU's driver reserves for so many bytes: programs see that small allocations change nothing.
uint64_t inChunks(uint64_t bytes) { return (bytes + memory::Pool::chunk - 1) / memory::Pool::chunk * memory::Pool::chunk; }

}  // namespace

Status cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream) {
  if (!devPtr) return cudaErrorInvalidValue;
  auto ref = device::streamOf(hStream, device::InCapture::Record);
  if (!ref.ok()) return ref.status();
  return allocate(*ref, *ref->context->device().pool(), devPtr, size);
}

Status cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  if (!ptr) return cudaErrorInvalidValue;
  auto ref = device::streamOf(stream, device::InCapture::Record);
  if (!ref.ok()) return ref.status();
  auto pool = ownedPool(memPool);
  if (!pool.ok()) return pool.status();
  return allocate(*ref, **pool, ptr, size);
}

Status cudaFreeAsync(void *devPtr, cudaStream_t hStream) {
  auto ref = device::streamOf(hStream, device::InCapture::Record);
  if (!ref.ok()) return ref.status();
  if (!devPtr) return {};
  if (graph::capturing(*ref)) {
    auto params = graph::FreeParams::of(devPtr);
    return params.ok() ? graph::capture(*ref, *params) : params.status();
  }
  if (auto memory = graph::GraphMemory::at(devPtr)) {
    if (!memory->free()) return {cudaErrorInvalidValue, "the graph that allocates this memory has not been launched"};
    // Its last user may be ahead in the stream.
    auto task = std::make_shared<stream::InlineTask>(ref->context->state(), [memory] {});
    if (const auto known = memory::AllocationTable::process().find(devPtr))
      task->setWork(order::workOn(*ref, devPtr, known->bytes, order::How::Frees));
    ref->enqueue(task);
    return {};
  }
  return freeInOrder(*ref, devPtr);
}

Status cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device) {
  if (!memPool) return cudaErrorInvalidValue;
  auto found = device::find(device);
  if (!found.ok()) return found.status();
  *memPool = handleOf((*found)->defaultPool());
  return {};
}

Status cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device) {
  if (!memPool) return cudaErrorInvalidValue;
  auto found = device::find(device);
  if (!found.ok()) return cudaErrorInvalidValue;  // unlike others, says a GPU
  *memPool = handleOf((*found)->pool());
  return {};
}

Status cudaDeviceSetMemPool(int device, cudaMemPool_t memPool) {
  auto found = device::find(device);
  if (!found.ok()) return found.status();
  auto pool = poolOf(memPool);
  if (!pool.ok()) return pool.status();
  if (!(*pool)->ofDevice() || (*pool)->device() != device || ipc::sharingOf(*pool) == ipc::Sharing::Imported)
    return cudaErrorInvalidValue;
  (*found)->setPool(*pool);
  return {};
}

Status cudaMemGetDefaultMemPool(cudaMemPool_t *memPool, cudaMemLocation *location, cudaMemAllocationType type) {
  if (isDevices(location, type)) return api::cudaDeviceGetDefaultMemPool(memPool, location->id);
  HOSTWARP_TRY(checkHome(memPool, location, type));
  *memPool = handleOf(memory::HomePools::process().defaultPool(*location, type));
  return {};
}

Status cudaMemGetMemPool(cudaMemPool_t *memPool, cudaMemLocation *location, cudaMemAllocationType type) {
  if (isDevices(location, type)) return api::cudaDeviceGetMemPool(memPool, location->id);
  HOSTWARP_TRY(checkHome(memPool, location, type));
  *memPool = handleOf(memory::HomePools::process().current(*location, type));
  return {};
}

Status cudaMemSetMemPool(cudaMemLocation *location, cudaMemAllocationType type, cudaMemPool_t memPool) {
  if (isDevices(location, type)) return api::cudaDeviceSetMemPool(location->id, memPool);
  HOSTWARP_TRY(checkHome(&memPool, location, type));
  auto pool = ownedPool(memPool);
  if (!pool.ok()) return pool.status();
  const cudaMemLocation &home = (*pool)->location();
  const bool belongs = !(*pool)->ofDevice() && (*pool)->type() == type && home.type == location->type &&
                       (home.type != cudaMemLocationTypeDevice || home.id == location->id);
  if (!belongs) return {cudaErrorInvalidValue, "the pool is of another place"};
  memory::HomePools::process().set(*pool);
  return {};
}

Status cudaMemPoolCreate(cudaMemPool_t *memPool, const cudaMemPoolProps *poolProps) {
  if (!memPool || !poolProps) return cudaErrorInvalidValue;
  HOSTWARP_TRY(device::permitted());
  const bool exportable = poolProps->handleTypes == cudaMemHandleTypePosixFileDescriptor;
  if (poolProps->handleTypes != cudaMemHandleTypeNone && !exportable) {
    return {cudaErrorNotSupported, "pools are shared with other processes by file descriptors only"};
  }
  auto pool = makePool(*poolProps);
  if (!pool.ok()) return pool.status();
  if (exportable) ipc::setSharing(*pool, ipc::Sharing::Exportable);
  *memPool = device::poolTable().add(*std::move(pool));
  return {};
}

Status cudaMemPoolDestroy(cudaMemPool_t memPool) {
  auto pool = poolOf(memPool);
  if (!pool.ok()) return pool.status();
  if (isDefault(*pool)) return {cudaErrorInvalidValue, "a device's default pool cannot be destroyed"};
  device::poolTable().take(memPool);
  if (!(*pool)->ofDevice()) memory::HomePools::process().forget(*pool);
  device::Device &device = *device::devices()[static_cast<size_t>((*pool)->device())];
  if (device.pool() == *pool) device.setPool(device.defaultPool());
  return {};  // allocations from it keep the pool alive until they are freed
}

Status cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep) {
  auto pool = ownedPool(memPool);
  if (!pool.ok()) return pool.status();
  HOSTWARP_TRY(graph::refuseUnsafe());
  (*pool)->trimTo(minBytesToKeep);
  return {};
}

Status cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void *value) {
  auto pool = ownedPool(memPool);
  if (!pool.ok()) return pool.status();
  if (!value) return cudaErrorInvalidValue;
  switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      (*pool)->setReusePolicy(attr - cudaMemPoolReuseFollowEventDependencies, *static_cast<int *>(value) != 0);
      return {};
    case cudaMemPoolAttrReleaseThreshold:
      (*pool)->setReleaseThreshold(*static_cast<uint64_t *>(value));
      return {};
    case cudaMemPoolAttrReservedMemHigh:
      if (*static_cast<uint64_t *>(value) != 0) return cudaErrorInvalidValue;
      (*pool)->resetReservedHigh();
      return {};
    case cudaMemPoolAttrUsedMemHigh:
      if (*static_cast<uint64_t *>(value) != 0) return cudaErrorInvalidValue;
      (*pool)->resetUsedHigh();
      return {};
    default:
      return cudaErrorInvalidValue;
  }
}

Status cudaMemPoolGetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void *value) {
  auto pool = ownedPool(memPool);
  if (!pool.ok()) return pool.status();
  if (!value) return cudaErrorInvalidValue;
  const memory::Pool::Statistics statistics = (*pool)->statistics();
  auto give = [value](uint64_t number) {
    *static_cast<uint64_t *>(value) = number;
    return Status();
  };
  switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      *static_cast<int *>(value) = (*pool)->reusePolicy(attr - cudaMemPoolReuseFollowEventDependencies);
      return {};
    case cudaMemPoolAttrReleaseThreshold:
      return give((*pool)->releaseThreshold());
    case cudaMemPoolAttrReservedMemCurrent:
      return give(inChunks(statistics.reserved));
    case cudaMemPoolAttrReservedMemHigh:
      return give(inChunks(statistics.reservedHigh));
    case cudaMemPoolAttrUsedMemCurrent:
      return give(statistics.used);
    case cudaMemPoolAttrUsedMemHigh:
      return give(statistics.usedHigh);
  }
  return cudaErrorInvalidValue;
}

Status cudaMemPoolSetAccess(cudaMemPool_t memPool, const cudaMemAccessDesc *descList, size_t count) {
  auto pool = poolOf(memPool);
  if (!pool.ok()) return pool.status();
  if (count && !descList) return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) HOSTWARP_TRY(setAccess(**pool, descList[i]));
  return {};
}

Status cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t memPool, cudaMemLocation *location) {
  auto pool = poolOf(memPool);
  if (!pool.ok()) return pool.status();
  if (!flags || !location) return cudaErrorInvalidValue;
  if (isHost(*location)) {
    *flags = (*pool)->ofDevice() ? cudaMemAccessFlagsProtNone : cudaMemAccessFlagsProtReadWrite;
    return {};
  }
  if (location->type != cudaMemLocationTypeDevice || !device::find(location->id).ok()) return cudaErrorInvalidValue;
  *flags = static_cast<cudaMemAccessFlags>((*pool)->access(location->id));
  return {};
}

}  // namespace hostwarp::api
