// Chapter "unified_memory": where managed memory should be. Host and emulated devices share one memory, so advice and
// prefetches are checked, ordered and remembered, and move nothing.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "device_model/properties.h"
#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/memory/advice.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/stream/operation.h"

namespace hostwarp::api {

namespace {

using memory::Advice;
using memory::AdviceMap;

// isMapped() tells whether the process has memory at all of these addresses.
bool isMapped(const void *address, size_t count) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<uintptr_t>(address);
  const uintptr_t first = start / page * page;
  return count < UINTPTR_MAX - start && msync(reinterpret_cast<void *>(first), start - first + count, MS_ASYNC) == 0;
}

// isSystems(): the range is memory of the system's that the device reaches, as some do [CUDA 4.1.1].
bool isSystems(const void *address, size_t count) {
  auto device = device::currentDevice();
  return address && count && device.ok() && device_model::properties((*device)->model()).pageableMemoryAccess &&
         isMapped(address, count) && !memory::AllocationTable::process().overlaps(address, count);
}

Status checkRange(const void *devPtr, size_t count) {
  if (isSystems(devPtr, count)) return {};
  auto allocation = memory::AllocationTable::process().find(devPtr);
  if (count == 0 || !allocation || !allocation->managed()) {
    return {cudaErrorInvalidValue, "the range is not managed memory"};
  }
  const size_t offset = reinterpret_cast<uintptr_t>(devPtr) - allocation->start;
  return count <= allocation->bytes - offset ? Status() : Status(cudaErrorInvalidValue);
}

Status checkLocation(const cudaMemLocation &location) {
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      return device::find(location.id).status();
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNumaCurrent:
      return {};
    case cudaMemLocationTypeHostNuma:
      return location.id == 0 ? Status() : Status(cudaErrorInvalidValue);
    default:
      return cudaErrorInvalidValue;
  }
}

// checkAdvised(): only preferences and accesses look at the location, and nodes of the host's memory access nothing.
Status checkAdvised(cudaMemoryAdvise advice, const cudaMemLocation &location) {
  const bool accesses = advice == cudaMemAdviseSetAccessedBy || advice == cudaMemAdviseUnsetAccessedBy;
  const bool isNode =
      location.type == cudaMemLocationTypeHostNuma || location.type == cudaMemLocationTypeHostNumaCurrent;
  const bool isKnown =
      cudaMemLocationTypeInvalid < location.type && location.type <= cudaMemLocationTypeHostNumaCurrent;
  if (!isKnown || (accesses && isNode)) return cudaErrorInvalidValue;
  if (!accesses && advice != cudaMemAdviseSetPreferredLocation) return {};
  return checkLocation(location).ok() ? cudaSuccess : cudaErrorInvalidValue;
}

// givenId() is what the attributes of a range say beside the location's type.
int givenId(const cudaMemLocation &location) {
  return location.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : location.id;
}

int idOf(const cudaMemLocation &location) {
  if (location.type == cudaMemLocationTypeInvalid) return cudaInvalidDeviceId;
  return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}

// shared() returns what `get` gives for every part, or `otherwise` when the parts differ.
template <typename Get>
int shared(const std::vector<Advice> &parts, int otherwise, Get get) {
  const int first = get(parts.front());
  const bool same = std::all_of(parts.begin(), parts.end(), [&](const Advice &part) { return get(part) == first; });
  return same ? first : otherwise;
}

// fillAccessedBy() lists the devices that the whole range is advised for, then the host, padded with
// cudaInvalidDeviceId.
Status fillAccessedBy(const std::vector<Advice> &parts, int *out, size_t bytes) {
  if (bytes == 0 || bytes % sizeof(int) != 0) return cudaErrorInvalidValue;
  std::fill_n(out, bytes / sizeof(int), cudaInvalidDeviceId);
  size_t next = 0;
  std::vector<int> wanted(parts.front().accessedBy.begin(), parts.front().accessedBy.end());
  std::ranges::sort(wanted, {}, [](int device) { return static_cast<unsigned>(device); });  // the host's is -1
  for (int device : wanted) {
    const bool everywhere =
        std::all_of(parts.begin(), parts.end(), [&](const Advice &part) { return part.accessedBy.contains(device); });
    if (everywhere && next < bytes / sizeof(int)) out[next++] = device;
  }
  return {};
}

Expected<int> valueOf(cudaMemRangeAttribute attribute, const std::vector<Advice> &parts) {
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      return std::all_of(parts.begin(), parts.end(), [](const Advice &part) { return part.readMostly; }) ? 1 : 0;
    case cudaMemRangeAttributePreferredLocation:
      return shared(parts, cudaInvalidDeviceId, [](const Advice &part) { return idOf(part.preferred); });
    case cudaMemRangeAttributeLastPrefetchLocation:
      return shared(parts, cudaInvalidDeviceId, [](const Advice &part) { return idOf(part.lastPrefetch); });
    case cudaMemRangeAttributePreferredLocationType:
      return shared(parts, cudaMemLocationTypeInvalid, [](const Advice &part) { return int{part.preferred.type}; });
    case cudaMemRangeAttributePreferredLocationId:
      return shared(parts, cudaInvalidDeviceId, [](const Advice &part) { return givenId(part.preferred); });
    case cudaMemRangeAttributeLastPrefetchLocationType:
      return shared(parts, cudaMemLocationTypeInvalid, [](const Advice &part) { return int{part.lastPrefetch.type}; });
    case cudaMemRangeAttributeLastPrefetchLocationId:
      return shared(parts, cudaInvalidDeviceId, [](const Advice &part) { return givenId(part.lastPrefetch); });
    default:
      return cudaErrorInvalidValue;
  }
}

void apply(Advice &advice, cudaMemoryAdvise what, const cudaMemLocation &location) {
  switch (what) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      advice.readMostly = what == cudaMemAdviseSetReadMostly;
      break;
    case cudaMemAdviseSetPreferredLocation:
      advice.preferred = location;
      break;
    case cudaMemAdviseUnsetPreferredLocation:
      advice.preferred = Advice{}.preferred;
      break;
    case cudaMemAdviseSetAccessedBy:
      advice.accessedBy.insert(idOf(location));
      break;
    case cudaMemAdviseUnsetAccessedBy:
      advice.accessedBy.erase(idOf(location));
      break;
  }
}

}  // namespace

Status cudaMemPrefetchAsync(const void *devPtr, size_t count, cudaMemLocation location, unsigned flags,
                            cudaStream_t stream) {
  auto ref = device::streamOf(stream);
  if (!ref.ok()) return ref.status();
  if (flags) return cudaErrorInvalidValue;
  HOSTWARP_TRY(checkRange(devPtr, count));
  HOSTWARP_TRY(checkLocation(location));
  // What is remembered is the wish; when the stream comes to it is of no concern [CUDA 4.1.4.3].
  if (!isSystems(devPtr, count))
    AdviceMap::process().update(devPtr, count, [&](Advice &advice) { advice.lastPrefetch = location; });
  ref->enqueue(std::make_shared<stream::Marker>(ref->context->state()));
  return {};
}

Status cudaMemAdvise(const void *devPtr, size_t count, cudaMemoryAdvise advice, cudaMemLocation location) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) return cudaErrorInvalidValue;
  HOSTWARP_TRY(checkRange(devPtr, count));
  HOSTWARP_TRY(checkAdvised(advice, location));
  HOSTWARP_TRY(graph::refuseUnsafe());
  // Nobody says when the system's memory goes, so that nothing can be kept of it.
  if (isSystems(devPtr, count)) return {};
  AdviceMap::process().update(devPtr, count, [&](Advice &part) { apply(part, advice, location); });
  return {};
}

Status cudaMemRangeGetAttribute(void *data, size_t dataSize, cudaMemRangeAttribute attribute, const void *devPtr,
                                size_t count) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  if (!data) return cudaErrorInvalidValue;
  HOSTWARP_TRY(checkRange(devPtr, count));
  const auto parts = AdviceMap::process().partsOf(devPtr, count);
  if (attribute == cudaMemRangeAttributeAccessedBy) return fillAccessedBy(parts, static_cast<int *>(data), dataSize);
  if (dataSize != sizeof(int)) return cudaErrorInvalidValue;
  auto value = valueOf(attribute, parts);
  if (!value.ok()) return value.status();
  *static_cast<int *>(data) = *value;
  return {};
}

Status cudaMemRangeGetAttributes(void **data, size_t *dataSizes, cudaMemRangeAttribute *attributes,
                                 size_t numAttributes, const void *devPtr, size_t count) {
  if (!data || !dataSizes || !attributes || numAttributes == 0) return cudaErrorInvalidValue;
  for (size_t i = 0; i < numAttributes; ++i) {
    HOSTWARP_TRY(api::cudaMemRangeGetAttribute(data[i], dataSizes[i], attributes[i], devPtr, count));
  }
  return {};
}

Status cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length, unsigned flags) {
  auto ref = device::streamOf(stream);
  if (!ref.ok()) return ref.status();
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle) {
    return cudaErrorInvalidValue;
  }
  if (flags == cudaMemAttachSingle && ref->stream->kind() == stream::StreamKind::Legacy)
    return {cudaErrorInvalidValue, "memory cannot be attached to a default stream"};
  auto allocation = memory::AllocationTable::process().find(devPtr);
  if (!allocation || !allocation->managed()) return cudaErrorInvalidValue;
  const bool isWhole = reinterpret_cast<uintptr_t>(devPtr) == allocation->start;
  if (!isWhole || (length != 0 && length != allocation->bytes)) {
    return {cudaErrorInvalidValue, "only a whole allocation of managed memory can be attached"};
  }
  HOSTWARP_TRY(graph::refuseUnsafe());
  // Attachment restricts which stream may use the memory; every device here may use all of it at any time.
  ref->enqueue(std::make_shared<stream::Marker>(ref->context->state()));
  return {};
}

}  // namespace hostwarp::api
