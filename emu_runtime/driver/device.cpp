// Devices of the driver API.
#include <algorithm>
#include <cstring>
#include <optional>

#include "emu_runtime/device/device.h"
#include "emu_runtime/driver/convert.h"

namespace hostwarp::driver_api {

namespace {

// driverOnly() answers what the runtime has no attribute for.
std::optional<int> driverOnly(CUdevice_attribute attribute) {
  switch (static_cast<int>(attribute)) {
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR:
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
      return 1;
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS:
    case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED:
      return 0;
  }
  return std::nullopt;
}

}  // namespace

Status cuDeviceGet(CUdevice *device, int ordinal) {
  if (!device) return cudaErrorInvalidValue;
  auto found = device::find(ordinal);
  if (!found.ok()) return found.status();
  *device = ordinal;
  return {};
}

Status cuDeviceGetCount(int *count) {
  if (!count) return cudaErrorInvalidValue;
  *count = static_cast<int>(device::devices().size());
  return {};
}

Status cuDeviceGetName(char *name, int len, CUdevice dev) {
  if (!name || len <= 0) return cudaErrorInvalidValue;
  cudaDeviceProp properties;
  HOSTWARP_TRY(api::cudaGetDeviceProperties(&properties, dev));
  const size_t bytes = std::min(static_cast<size_t>(len) - 1, std::strlen(properties.name));
  std::memcpy(name, properties.name, bytes);
  name[bytes] = '\0';
  return {};
}

Status cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev) {
  if (!uuid) return cudaErrorInvalidValue;
  cudaDeviceProp properties;
  HOSTWARP_TRY(api::cudaGetDeviceProperties(&properties, dev));
  *uuid = properties.uuid;
  return {};
}

Status cuDeviceGetUuid(CUuuid *uuid, CUdevice dev) { return driver_api::cuDeviceGetUuid_v2(uuid, dev); }

Status cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev) {
  if (!bytes) return cudaErrorInvalidValue;
  auto found = device::find(dev);
  if (!found.ok()) return found.status();
  *bytes = (*found)->allocator().budget().limit();
  return {};
}

Status cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev) {
  if (!pi) return cudaErrorInvalidValue;
  auto found = device::find(dev);
  if (!found.ok()) return found.status();
  if (auto value = driverOnly(attrib)) {
    *pi = *value;
    return {};
  }
  return api::cudaDeviceGetAttribute(pi, static_cast<cudaDeviceAttr>(attrib), dev);
}

Status cuDeviceGetProperties(CUdevprop *prop, CUdevice dev) {
  if (!prop) return cudaErrorInvalidValue;
  cudaDeviceProp p;
  HOSTWARP_TRY(api::cudaGetDeviceProperties(&p, dev));
  int clockRate = 0;
  HOSTWARP_TRY(api::cudaDeviceGetAttribute(&clockRate, cudaDevAttrClockRate, dev));
  *prop = {p.maxThreadsPerBlock,
           {p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]},
           {p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]},
           static_cast<int>(p.sharedMemPerBlock),
           static_cast<int>(p.totalConstMem),
           p.warpSize,
           static_cast<int>(p.memPitch),
           p.regsPerBlock,
           clockRate,
           static_cast<int>(p.textureAlignment)};
  return {};
}

Status cuDeviceComputeCapability(int *major, int *minor, CUdevice dev) {
  if (!major || !minor) return cudaErrorInvalidValue;
  auto found = device::find(dev);
  if (!found.ok()) return found.status();
  *major = (*found)->model().capability->major;
  *minor = (*found)->model().capability->minor;
  return {};
}

Status cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId) {
  return api::cudaDeviceGetByPCIBusId(dev, pciBusId);
}

Status cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev) {
  return api::cudaDeviceGetPCIBusId(pciBusId, len, dev);
}

Status cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) { return api::cudaDeviceSetMemPool(dev, pool); }
Status cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev) { return api::cudaDeviceGetMemPool(pool, dev); }
Status cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice dev) {
  return api::cudaDeviceGetDefaultMemPool(pool, dev);
}

Status cuDeviceGetExecAffinitySupport(int *pi, CUexecAffinityType type, CUdevice dev) {
  if (!pi || type != CU_EXEC_AFFINITY_TYPE_SM_COUNT) return cudaErrorInvalidValue;
  auto found = device::find(dev);
  if (!found.ok()) return found.status();
  *pi = 0;
  return {};
}

Status cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev) {
  return api::cudaDeviceCanAccessPeer(canAccessPeer, dev, peerDev);
}

Status cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice, CUdevice dstDevice) {
  return api::cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attrib), srcDevice, dstDevice);
}

Status cuDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements, CUarray_format format, unsigned numChannels,
                                          CUdevice dev) {
  auto channels = channelsOf({format, numChannels});
  if (!channels.ok()) return channels.status();
  return api::cudaDeviceGetTexture1DLinearMaxWidth(maxWidthInElements, &*channels, dev);
}

static_assert(CU_ATOMIC_OPERATION_MAX == cudaAtomicOperationFloatMax + 1);

Status cuDeviceGetHostAtomicCapabilities(unsigned *capabilities, const CUatomicOperation *operations, unsigned count,
                                         CUdevice dev) {
  return api::cudaDeviceGetHostAtomicCapabilities(capabilities, as<const cudaAtomicOperation>(operations), count, dev);
}
Status cuDeviceGetP2PAtomicCapabilities(unsigned *capabilities, const CUatomicOperation *operations, unsigned count,
                                        CUdevice srcDevice, CUdevice dstDevice) {
  return api::cudaDeviceGetP2PAtomicCapabilities(capabilities, as<const cudaAtomicOperation>(operations), count,
                                                 srcDevice, dstDevice);
}
Status cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target, CUflushGPUDirectRDMAWritesScope scope) {
  return api::cudaDeviceFlushGPUDirectRDMAWrites(static_cast<cudaFlushGPUDirectRDMAWritesTarget>(target),
                                                 static_cast<cudaFlushGPUDirectRDMAWritesScope>(scope));
}

// Handles and notices are the same in both APIs.
Status cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback callbackFunc, void *userData,
                                         CUasyncCallbackHandle *callback) {
  return api::cudaDeviceRegisterAsyncNotification(device, reinterpret_cast<cudaAsyncCallback>(callbackFunc), userData,
                                                  reinterpret_cast<cudaAsyncCallbackHandle_t *>(callback));
}
Status cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle callback) {
  return api::cudaDeviceUnregisterAsyncNotification(device, reinterpret_cast<cudaAsyncCallbackHandle_t>(callback));
}

Status cuLogsRegisterCallback(CUlogsCallback callbackFunc, void *userData, CUlogsCallbackHandle *callback_out) {
  return api::cudaLogsRegisterCallback(reinterpret_cast<cudaLogsCallback_t>(callbackFunc), userData,
                                       reinterpret_cast<cudaLogsCallbackHandle *>(callback_out));
}
Status cuLogsUnregisterCallback(CUlogsCallbackHandle callback) {
  return api::cudaLogsUnregisterCallback(reinterpret_cast<cudaLogsCallbackHandle>(callback));
}
Status cuLogsCurrent(CUlogIterator *iterator_out, unsigned flags) { return api::cudaLogsCurrent(iterator_out, flags); }
Status cuLogsDumpToFile(CUlogIterator *iterator, const char *pathToFile, unsigned flags) {
  return api::cudaLogsDumpToFile(iterator, pathToFile, flags);
}
Status cuLogsDumpToMemory(CUlogIterator *iterator, char *buffer, size_t *size, unsigned flags) {
  return api::cudaLogsDumpToMemory(iterator, buffer, size, flags);
}

}  // namespace hostwarp::driver_api
