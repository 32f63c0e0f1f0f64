// Chapter "device": which devices there are, what they are, and the state of the current one.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>

#include "device_model/properties.h"
#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/memory/pages.h"
#include "emu_runtime/texture/limits.h"

namespace hostwarp::api {

namespace {

// Every launch can have any of these; lower numbers run first.
constexpr int leastPriority = 0;

cudaDeviceProp propertiesOf(device::Device &device) {
  cudaDeviceProp properties = device_model::properties(device.model(), device.ordinal());
  properties.totalGlobalMem = device.allocator().budget().limit();
  return properties;
}

std::string pciBusId(device::Device &device) {
  const cudaDeviceProp properties = propertiesOf(device);
  char text[32];
  std::snprintf(text, sizeof(text), "%04x:%02x:%02x.0", properties.pciDomainID, properties.pciBusID,
                properties.pciDeviceID);
  return text;
}

bool validFlags(unsigned flags) {
  return (flags & ~unsigned{cudaDeviceMask}) == 0 && std::popcount(flags & cudaDeviceScheduleMask) <= 1;
}

// matches() counts the wishes of cudaChooseDevice() that a device fulfils.
int matches(const cudaDeviceProp &wish, const cudaDeviceProp &have) {
  int count = 0;
  count += wish.major == 0 || std::pair(have.major, have.minor) >= std::pair(wish.major, wish.minor);
  count += have.totalGlobalMem >= wish.totalGlobalMem;
  count += have.multiProcessorCount >= wish.multiProcessorCount;
  count += wish.name[0] != '\0' && std::strcmp(wish.name, have.name) == 0;
  return count;
}

bool knownLimit(cudaLimit limit) { return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize; }

// peerOf() is the device of this number, and `ofItself` when that is the current one.
Expected<device::Device *> peerOf(int peer, cudaError_t ofItself) {
  auto current = device::currentDevice();
  if (!current.ok()) return current.status();
  auto found = device::find(peer);
  if (!found.ok()) return cudaErrorInvalidDevice;
  return *found == *current ? Expected<device::Device *>(ofItself) : found;
}

}  // namespace

Status cudaGetDeviceCount(int *count) {
  if (!count) return cudaErrorInvalidValue;
  HOSTWARP_TRY(device::permitted());
  *count = static_cast<int>(device::devices().size());
  return *count ? Status() : Status(cudaErrorNoDevice);
}

Status cudaGetDevice(int *device) {
  if (!device) return cudaErrorInvalidValue;
  auto current = device::currentDevice();
  if (!current.ok()) return current.status();
  *device = (*current)->ordinal();
  return {};
}

// The primary context comes into being here, as in CUDA since 12.0. Its errors are those of later calls.
Status cudaSetDevice(int device) {
  HOSTWARP_TRY(device::setCurrentDevice(device));
  (void)(*device::currentDevice())->context();
  return {};
}

Status cudaSetValidDevices(int *device_arr, int len) {
  if (len < 0 || (len > 0 && !device_arr)) return cudaErrorInvalidValue;
  if (len > 0) HOSTWARP_TRY(device::permitted());
  // A device may be in the list twice.
  if (static_cast<size_t>(len) > device::devices().size())
    return {cudaErrorInvalidValue,
            "the list has " + std::to_string(len) + " devices, there are " + std::to_string(device::devices().size())};
  for (int i = 0; i < len; ++i) {
    if (auto found = device::find(device_arr[i]); !found.ok()) return found.status();
  }
  // The list only says which device becomes current when the program names none.
  return len > 0 ? device::setCurrentDevice(device_arr[0]) : Status();
}

Status cudaSetDeviceFlags(unsigned flags) {
  auto current = device::currentDevice();
  if (!current.ok()) return current.status();
  if (!validFlags(flags)) return cudaErrorInvalidValue;
  (*current)->setFlags(flags);
  return {};
}

Status cudaGetDeviceFlags(unsigned *flags) {
  if (!flags) return cudaErrorInvalidValue;
  auto current = device::currentDevice();
  if (!current.ok()) return current.status();
  constexpr unsigned known = cudaDeviceScheduleMask | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;
  *flags = ((*current)->flags() & known) | cudaDeviceMapHost;  // always on with unified addressing
  return {};
}

Status cudaInitDevice(int device, unsigned deviceFlags, unsigned flags) {
  HOSTWARP_TRY(device::permitted());
  auto found = device::find(device);
  if (!found.ok()) return found.status();
  if (flags & cudaInitDeviceFlagsAreValid) {
    if (!validFlags(deviceFlags)) return cudaErrorInvalidValue;
    (*found)->setFlags(deviceFlags);
  }
  return (*found)->context()->status();
}

Status cudaChooseDevice(int *device, const cudaDeviceProp *prop) {
  if (!device || !prop) return cudaErrorInvalidValue;
  if (device::devices().empty()) return cudaErrorNoDevice;
  int best = -1;
  for (const auto &candidate : device::devices()) {
    const int score = matches(*prop, propertiesOf(*candidate));
    if (score > best) {
      best = score;
      *device = candidate->ordinal();
    }
  }
  return {};
}

Status cudaGetDeviceProperties(cudaDeviceProp *prop, int device) {
  if (!prop) return cudaErrorInvalidValue;
  auto found = device::find(device);
  if (!found.ok()) return found.status();
  *prop = propertiesOf(**found);
  return {};
}

Status cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int device) {
  if (!value) return cudaErrorInvalidValue;
  auto found = device::find(device);
  if (!found.ok()) return found.status();
  auto known = device_model::attribute((*found)->model(), attr, device);
  if (!known) return cudaErrorInvalidValue;
  *value = *known;
  return {};
}

Status cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attr, int srcDevice, int dstDevice) {
  if (!value) return cudaErrorInvalidValue;
  if (!device::find(srcDevice).ok() || !device::find(dstDevice).ok() || srcDevice == dstDevice) {
    return cudaErrorInvalidDevice;
  }
  switch (attr) {
    case cudaDevP2PAttrPerformanceRank:
    case cudaDevP2PAttrOnlyPartialNativeAtomicSupported:
      *value = 0;
      return {};
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrNativeAtomicSupported:
    case cudaDevP2PAttrCudaArrayAccessSupported:
      *value = 1;
      return {};
  }
  return cudaErrorInvalidValue;
}

Status cudaDeviceGetPCIBusId(char *id, int len, int device) {
  if (!id || len <= 0) return cudaErrorInvalidValue;
  auto found = device::find(device);
  if (!found.ok()) return found.status();
  const std::string text = pciBusId(**found);
  if (text.size() >= static_cast<size_t>(len)) return cudaErrorInvalidValue;
  std::memcpy(id, text.c_str(), text.size() + 1);
  return {};
}

Status cudaDeviceGetByPCIBusId(int *device, const char *id) {
  if (!device || !id) return cudaErrorInvalidValue;
  // Programs leave out the domain or the function.
  unsigned domain = 0, bus = 0, slot = 0;
  if (std::sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3) {
    domain = 0;
    if (std::sscanf(id, "%x:%x", &bus, &slot) != 2) return cudaErrorInvalidValue;
  }
  for (const auto &candidate : device::devices()) {
    const cudaDeviceProp have = propertiesOf(*candidate);
    if (static_cast<unsigned>(have.pciDomainID) == domain && static_cast<unsigned>(have.pciBusID) == bus &&
        static_cast<unsigned>(have.pciDeviceID) == slot) {
      *device = candidate->ordinal();
      return {};
    }
  }
  return cudaErrorInvalidDevice;
}

Status cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements, const cudaChannelFormatDesc *fmtDesc,
                                            int device) {
  if (!maxWidthInElements || !fmtDesc) return cudaErrorInvalidValue;
  auto found = device::find(device);
  if (!found.ok()) return found.status();
  const int64_t bits = int64_t{fmtDesc->x} + fmtDesc->y + fmtDesc->z + fmtDesc->w;
  const auto ofLargest = static_cast<size_t>((*found)->model().capability->texture1DLinear);
  *maxWidthInElements = texture::longestLinear(ofLargest, static_cast<size_t>(std::max(bits, int64_t{0})) / 8);
  return {};
}

Status cudaDeviceReset() {
  auto current = device::currentDevice();
  if (!current.ok()) return current.status();
  (*current)->reset();
  return {};
}

Status cudaDeviceSynchronize() {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  HOSTWARP_TRY(graph::refuseWait(*context));
  return (*context)->synchronize();
}

Status cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  HOSTWARP_TRY(graph::refuseUnsafe());
  auto largest = device_model::largestLimit((*context)->device().model(), limit);
  if (!largest) return knownLimit(limit) ? cudaErrorUnsupportedLimit : cudaErrorInvalidValue;
  if (value > *largest) return cudaErrorInvalidValue;
  value = device_model::settledLimit((*context)->device().model(), limit, value);
  if (limit == cudaLimitMallocHeapSize && !(*context)->heap().setSize(value)) {
    return {cudaErrorInvalidValue, "the size of the device heap cannot change once a kernel has used it"};
  }
  (*context)->limits().set(limit, value);
  return {};
}

Status cudaDeviceGetLimit(size_t *pValue, cudaLimit limit) {
  if (!pValue) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  if (!device_model::largestLimit((*context)->device().model(), limit))
    return knownLimit(limit) ? cudaErrorUnsupportedLimit : cudaErrorInvalidValue;
  *pValue = (*context)->limits().get(limit);
  return {};
}

Status cudaDeviceGetCacheConfig(cudaFuncCache *pCacheConfig) {
  if (!pCacheConfig) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  *pCacheConfig = static_cast<cudaFuncCache>((*context)->cacheConfig.load());
  return {};
}

Status cudaDeviceSetCacheConfig(cudaFuncCache cacheConfig) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  if (cacheConfig < cudaFuncCachePreferNone || cacheConfig > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
  (*context)->cacheConfig = cacheConfig;
  return {};
}

Status cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *pConfig) {
  if (!pConfig) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  *pConfig = cudaSharedMemBankSizeFourByte;  // the only width since compute capability 5.0
  return {};
}

Status cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  const bool known = config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
  return known ? Status() : Status(cudaErrorInvalidValue);
}

Status cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  if (least) *least = leastPriority;
  if (greatest) *greatest = device::greatestPriority;
  return {};
}

Status cudaCtxResetPersistingL2Cache() {
  auto context = device::currentContext();
  return context.ok() ? Status() : context.status();  // there is no such cache
}

Status cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice) {
  if (!canAccessPeer) return cudaErrorInvalidValue;
  if (!device::find(device).ok() || !device::find(peerDevice).ok()) return cudaErrorInvalidDevice;
  *canAccessPeer = device != peerDevice;
  return {};
}

Status cudaDeviceEnablePeerAccess(int peerDevice, unsigned flags) {
  auto peer = peerOf(peerDevice, cudaErrorPeerAccessUnsupported);
  if (!peer.ok()) return peer.status();
  if (flags) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  return context.ok() ? (*context)->enablePeer(peerDevice) : context.status();
}

Status cudaDeviceDisablePeerAccess(int peerDevice) {
  auto peer = peerOf(peerDevice, cudaErrorPeerAccessNotEnabled);
  if (!peer.ok()) return peer.status();
  auto context = device::currentContext();
  return context.ok() ? (*context)->disablePeer(peerDevice) : context.status();
}

Status cudaDriverGetVersion(int *driverVersion) {
  if (!driverVersion) return cudaErrorInvalidValue;
  *driverVersion = CUDART_VERSION;
  return {};
}

Status cudaRuntimeGetVersion(int *runtimeVersion) { return api::cudaDriverGetVersion(runtimeVersion); }

}  // namespace hostwarp::api
