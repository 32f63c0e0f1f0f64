// Memory of the driver API, and what pointers point at.
#include <algorithm>
#include <array>

#include "emu_runtime/device/current.h"
#include "emu_runtime/driver/convert.h"
#include "emu_runtime/memory/allocation_table.h"

namespace hostwarp::driver_api {

namespace {

using memory::Allocation;
using memory::AllocationTable;

cudaMemLocation location(CUmemLocation place) {
  cudaMemLocation result;
  result.type = static_cast<cudaMemLocationType>(place.type);
  result.id = place.id;
  return result;
}

CUmemLocation locationOf(CUdevice device) {
  if (device == CU_DEVICE_CPU) return {CU_MEM_LOCATION_TYPE_HOST, 0};
  return {CU_MEM_LOCATION_TYPE_DEVICE, device};
}

// contextOf() is the CUcontext in which the memory was allocated.
CUcontext contextOf(const Allocation &allocation) {
  device::Device &device = *device::devices()[static_cast<size_t>(allocation.device)];
  if (allocation.context == 0) return device::primaryHandle(device);
  return device::contextTable()
      .findIf([&](const device::ContextEntry &entry) { return entry.made && entry.made->id() == allocation.context; })
      .value_or(nullptr);
}

template <typename Value>
Status store(void *data, Value value) {
  *static_cast<Value *>(data) = value;
  return {};
}

// storeWhether() stores a truth: CUDA's boolean attributes have four bytes.
Status storeWhether(void *data, bool value) { return store(data, unsigned{value}); }

Status answer(void *data, CUpointer_attribute attribute, CUdeviceptr ptr, const Allocation &a) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      // What is allocated in the order of streams belongs to a device.
      return store(data, a.kind == memory::Kind::Pool ? CUcontext{} : contextOf(a));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return store(data,
                   static_cast<unsigned>(a.onDevice() || a.managed() ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return store(data, ptr);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (a.onDevice()) return cudaErrorInvalidValue;
      return store(data, at(ptr));
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      return storeWhether(data, false);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return store(data, static_cast<unsigned long long>(a.start));
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return storeWhether(data, a.managed());
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return store(data, a.device);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return storeWhether(data, a.kind == memory::Kind::Device);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return store(data, static_cast<CUdeviceptr>(a.start));
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return store(data, a.bytes);
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return storeWhether(data, true);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return store(data, a.kind == memory::Kind::Mapped ? 1ULL : 0ULL);
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      return storeWhether(data, false);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return store(data, static_cast<int>(CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE));
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return store(
          data, a.kind == memory::Kind::Pool ? device::poolTable().handleOf(a.pool).value_or(nullptr) : CUmemoryPool{});
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
      return store(data, a.bytes);
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      return store(data, static_cast<CUdeviceptr>(a.start));
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      return store(data, static_cast<unsigned long long>(a.start));
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      return store(data, 0U);
    default:
      return cudaErrorNotSupported;
  }
}

bool isKnown(CUpointer_attribute attribute) {
  return attribute >= CU_POINTER_ATTRIBUTE_CONTEXT && attribute <= CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE;
}

// storeNothing() is the answer for a pointer that CUDA does not know.
Status storeNothing(void *data, CUpointer_attribute attribute) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return store(data, int{CU_DEVICE_INVALID});
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      return storeWhether(data, false);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      return store(data, 0);
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
      return cudaErrorNotSupported;
    default:
      return store(data, uint64_t{0});
  }
}

}  // namespace

Status cuMemGetInfo_v2(size_t *free, size_t *total) { return api::cudaMemGetInfo(free, total); }

Status cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize) {
  return bytesize ? api::cudaMalloc(at(dptr), bytesize) : Status(cudaErrorInvalidValue);
}

Status cuMemAllocPitch_v2(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
                          unsigned ElementSizeBytes) {
  const bool known = ElementSizeBytes == 4 || ElementSizeBytes == 8 || ElementSizeBytes == 16;
  if (!known || !WidthInBytes || !Height) return cudaErrorInvalidValue;
  return api::cudaMallocPitch(at(dptr), pPitch, WidthInBytes, Height);
}

Status cuMemFree_v2(CUdeviceptr dptr) { return api::cudaFree(at(dptr)); }

Status cuMemGetAddressRange_v2(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr) {
  auto allocation = AllocationTable::process().find(at(dptr));
  if (!allocation) return cudaErrorSymbolNotFound;
  if (pbase) *pbase = allocation->start;
  if (psize) *psize = allocation->bytes;
  return {};
}

Status cuMemAllocHost_v2(void **pp, size_t bytesize) { return api::cudaMallocHost(pp, bytesize); }
Status cuMemFreeHost(void *p) { return p ? api::cudaFreeHost(p) : Status(cudaErrorInvalidValue); }
Status cuMemHostAlloc(void **pp, size_t bytesize, unsigned Flags) {
  return bytesize ? api::cudaHostAlloc(pp, bytesize, Flags) : Status(cudaErrorInvalidValue);
}
Status cuMemHostGetDevicePointer_v2(CUdeviceptr *pdptr, void *p, unsigned Flags) {
  return api::cudaHostGetDevicePointer(at(pdptr), p, Flags);
}
Status cuMemHostGetFlags(unsigned *pFlags, void *p) { return api::cudaHostGetFlags(pFlags, p); }
Status cuMemHostRegister_v2(void *p, size_t bytesize, unsigned Flags) {
  return api::cudaHostRegister(p, bytesize, Flags);
}
Status cuMemHostUnregister(void *p) { return api::cudaHostUnregister(p); }
Status cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned flags) {
  return bytesize ? api::cudaMallocManaged(at(dptr), bytesize, flags) : Status(cudaErrorInvalidValue);
}

Status cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation place) {
  return api::cudaMemAdvise(at(devPtr), count, static_cast<cudaMemoryAdvise>(advice), location(place));
}
Status cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device) {
  return driver_api::cuMemAdvise_v2(devPtr, count, advice, locationOf(device));
}
Status cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation place, unsigned flags, CUstream hStream) {
  return api::cudaMemPrefetchAsync(at(devPtr), count, location(place), flags, hStream);
}
Status cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream) {
  return driver_api::cuMemPrefetchAsync_v2(devPtr, count, locationOf(dstDevice), 0, hStream);
}
Status cuMemRangeGetAttribute(void *data, size_t dataSize, CUmem_range_attribute attribute, CUdeviceptr devPtr,
                              size_t count) {
  return api::cudaMemRangeGetAttribute(data, dataSize, static_cast<cudaMemRangeAttribute>(attribute), at(devPtr),
                                       count);
}
Status cuMemRangeGetAttributes(void **data, size_t *dataSizes, CUmem_range_attribute *attributes, size_t numAttributes,
                               CUdeviceptr devPtr, size_t count) {
  return api::cudaMemRangeGetAttributes(data, dataSizes, reinterpret_cast<cudaMemRangeAttribute *>(attributes),
                                        numAttributes, at(devPtr), count);
}

Status cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr) {
  if (!data || !isKnown(attribute)) return cudaErrorInvalidValue;
  auto allocation = AllocationTable::process().find(at(ptr));
  // Which address a device has for it depends on the device.
  if (allocation && attribute == CU_POINTER_ATTRIBUTE_DEVICE_POINTER && !device::boundContext())
    return cudaErrorDeviceUninitialized;
  return allocation ? answer(data, attribute, ptr, *allocation) : Status(cudaErrorInvalidValue);
}

// For pointers CUDA does not know, every answer is zero and none is an error.
Status cuPointerGetAttributes(unsigned numAttributes, CUpointer_attribute *attributes, void **data, CUdeviceptr ptr) {
  if (!attributes || !data) return cudaErrorInvalidValue;
  for (unsigned i = 0; i < numAttributes; ++i) {
    if (!data[i] || !isKnown(attributes[i])) return cudaErrorInvalidValue;
    const Status answered = driver_api::cuPointerGetAttribute(data[i], attributes[i], ptr);
    if (answered.code() == cudaErrorNotSupported) return answered;
    if (!answered.ok()) HOSTWARP_TRY(storeNothing(data[i], attributes[i]));
  }
  return {};
}

// Synchronous copies are synchronous here in any case.
Status cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr) {
  if (!value || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) return cudaErrorInvalidValue;
  return AllocationTable::process().find(at(ptr)) ? Status() : Status(cudaErrorInvalidValue);
}

// Descriptions of memory that comes from elsewhere are the same in both APIs.
static_assert(sizeof(CUDA_EXTERNAL_MEMORY_HANDLE_DESC) == sizeof(cudaExternalMemoryHandleDesc));
static_assert(sizeof(CUDA_EXTERNAL_MEMORY_BUFFER_DESC) == sizeof(cudaExternalMemoryBufferDesc));

Status cuImportExternalMemory(CUexternalMemory *extMem_out, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc) {
  return api::cudaImportExternalMemory(reinterpret_cast<cudaExternalMemory_t *>(extMem_out),
                                       reinterpret_cast<const cudaExternalMemoryHandleDesc *>(memHandleDesc));
}
Status cuExternalMemoryGetMappedBuffer(CUdeviceptr *devPtr, CUexternalMemory extMem,
                                       const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc) {
  return api::cudaExternalMemoryGetMappedBuffer(at(devPtr), reinterpret_cast<cudaExternalMemory_t>(extMem),
                                                reinterpret_cast<const cudaExternalMemoryBufferDesc *>(bufferDesc));
}
Status cuDestroyExternalMemory(CUexternalMemory extMem) {
  return api::cudaDestroyExternalMemory(reinterpret_cast<cudaExternalMemory_t>(extMem));
}

static_assert(sizeof(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC) == sizeof(cudaExternalSemaphoreHandleDesc));

Status cuImportExternalSemaphore(CUexternalSemaphore *extSem_out,
                                 const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *semHandleDesc) {
  return api::cudaImportExternalSemaphore(reinterpret_cast<cudaExternalSemaphore_t *>(extSem_out),
                                          reinterpret_cast<const cudaExternalSemaphoreHandleDesc *>(semHandleDesc));
}
Status cuSignalExternalSemaphoresAsync(const CUexternalSemaphore *extSemArray,
                                       const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray, unsigned numExtSems,
                                       CUstream stream) {
  return api::cudaSignalExternalSemaphoresAsync(
      reinterpret_cast<const cudaExternalSemaphore_t *>(extSemArray),
      reinterpret_cast<const cudaExternalSemaphoreSignalParams *>(paramsArray), numExtSems, stream);
}
Status cuWaitExternalSemaphoresAsync(const CUexternalSemaphore *extSemArray,
                                     const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray, unsigned numExtSems,
                                     CUstream stream) {
  return api::cudaWaitExternalSemaphoresAsync(reinterpret_cast<const cudaExternalSemaphore_t *>(extSemArray),
                                              reinterpret_cast<const cudaExternalSemaphoreWaitParams *>(paramsArray),
                                              numExtSems, stream);
}
Status cuDestroyExternalSemaphore(CUexternalSemaphore extSem) {
  return api::cudaDestroyExternalSemaphore(reinterpret_cast<cudaExternalSemaphore_t>(extSem));
}

Status cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream) {
  return api::cudaMallocAsync(at(dptr), bytesize, hStream);
}
Status cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream) { return api::cudaFreeAsync(at(dptr), hStream); }
Status cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream) {
  return api::cudaMallocFromPoolAsync(at(dptr), bytesize, pool, hStream);
}
Status cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep) {
  return api::cudaMemPoolTrimTo(pool, minBytesToKeep);
}
Status cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value) {
  return api::cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attr), value);
}
Status cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value) {
  return api::cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attr), value);
}

// The structures of pools are the same in both APIs.
static_assert(sizeof(CUmemAccessDesc) == sizeof(cudaMemAccessDesc));
static_assert(sizeof(CUmemPoolProps) == sizeof(cudaMemPoolProps));

Status cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count) {
  return api::cudaMemPoolSetAccess(pool, reinterpret_cast<const cudaMemAccessDesc *>(map), count);
}
Status cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool, CUmemLocation *location) {
  return api::cudaMemPoolGetAccess(reinterpret_cast<cudaMemAccessFlags *>(flags), memPool,
                                   reinterpret_cast<cudaMemLocation *>(location));
}
Status cuMemGetDefaultMemPool(CUmemoryPool *pool_out, CUmemLocation *location, CUmemAllocationType type) {
  return api::cudaMemGetDefaultMemPool(pool_out, reinterpret_cast<cudaMemLocation *>(location),
                                       static_cast<cudaMemAllocationType>(type));
}
Status cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type) {
  return api::cudaMemGetMemPool(pool, reinterpret_cast<cudaMemLocation *>(location),
                                static_cast<cudaMemAllocationType>(type));
}
Status cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool) {
  return api::cudaMemSetMemPool(reinterpret_cast<cudaMemLocation *>(location), static_cast<cudaMemAllocationType>(type),
                                pool);
}
Status cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps) {
  return api::cudaMemPoolCreate(pool, reinterpret_cast<const cudaMemPoolProps *>(poolProps));
}
Status cuMemPoolDestroy(CUmemoryPool pool) { return api::cudaMemPoolDestroy(pool); }

// --- Memory and events of several processes ---

Status cuMemPoolExportToShareableHandle(void *handle_out, CUmemoryPool pool, CUmemAllocationHandleType handleType,
                                        unsigned long long flags) {
  return api::cudaMemPoolExportToShareableHandle(handle_out, pool, static_cast<cudaMemAllocationHandleType>(handleType),
                                                 static_cast<unsigned>(flags));
}
Status cuMemPoolImportFromShareableHandle(CUmemoryPool *pool_out, void *handle, CUmemAllocationHandleType handleType,
                                          unsigned long long flags) {
  return api::cudaMemPoolImportFromShareableHandle(
      pool_out, handle, static_cast<cudaMemAllocationHandleType>(handleType), static_cast<unsigned>(flags));
}
Status cuMemPoolExportPointer(CUmemPoolPtrExportData *shareData_out, CUdeviceptr ptr) {
  return api::cudaMemPoolExportPointer(as<cudaMemPoolPtrExportData>(shareData_out), at(ptr));
}
Status cuMemPoolImportPointer(CUdeviceptr *ptr_out, CUmemoryPool pool, CUmemPoolPtrExportData *shareData) {
  return api::cudaMemPoolImportPointer(at(ptr_out), pool, as<cudaMemPoolPtrExportData>(shareData));
}

Status cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event) {
  return api::cudaIpcGetEventHandle(as<cudaIpcEventHandle_t>(pHandle), event);
}
Status cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle) {
  return api::cudaIpcOpenEventHandle(phEvent, *as<cudaIpcEventHandle_t>(&handle));
}
Status cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr) {
  return api::cudaIpcGetMemHandle(as<cudaIpcMemHandle_t>(pHandle), at(dptr));
}
Status cuIpcOpenMemHandle_v2(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned Flags) {
  return api::cudaIpcOpenMemHandle(at(pdptr), *as<cudaIpcMemHandle_t>(&handle), Flags);
}
Status cuIpcCloseMemHandle(CUdeviceptr dptr) { return api::cudaIpcCloseMemHandle(at(dptr)); }

}  // namespace hostwarp::driver_api
