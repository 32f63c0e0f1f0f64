// Chapter "graph", what graphs keep: their memory on a device, and objects of the program.
#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/handles.h"
#include "emu_runtime/graph/memory.h"
#include "emu_runtime/graph/user_object.h"

namespace hostwarp::api {

using namespace graph;  // this file is the chapter's edge

Status cudaDeviceGraphMemTrim(int device) {
  auto found = device::find(device);
  if (!found.ok()) return found.status();
  GraphMemory::trim(**found);
  return {};
}

Status cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attr, void *value) {
  auto found = device::find(device);
  if (!found.ok()) return found.status();
  if (!value) return cudaErrorInvalidValue;
  const GraphMemory::Counters counters = GraphMemory::counters(**found);
  auto give = [value](uint64_t number) {
    *static_cast<uint64_t *>(value) = number;
    return Status();
  };
  switch (attr) {
    case cudaGraphMemAttrUsedMemCurrent:
      return give(counters.used);
    case cudaGraphMemAttrUsedMemHigh:
      return give(counters.usedHigh);
    case cudaGraphMemAttrReservedMemCurrent:
      return give(counters.reserved);
    case cudaGraphMemAttrReservedMemHigh:
      return give(counters.reservedHigh);
  }
  return cudaErrorInvalidValue;
}

Status cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attr, void *value) {
  auto found = device::find(device);
  if (!found.ok()) return found.status();
  if (!value || *static_cast<uint64_t *>(value) != 0) return cudaErrorInvalidValue;  // marks can only be reset
  switch (attr) {
    case cudaGraphMemAttrUsedMemHigh:
      GraphMemory::resetUsedHigh(**found);
      return {};
    case cudaGraphMemAttrReservedMemHigh:
      GraphMemory::resetReservedHigh(**found);
      return {};
    default:
      return cudaErrorInvalidValue;
  }
}

Status cudaUserObjectCreate(cudaUserObject_t *object_out, void *ptr, cudaHostFn_t destroy, unsigned initialRefcount,
                            unsigned flags) {
  HOSTWARP_TRY(device::permitted());
  if (!object_out || !destroy || initialRefcount == 0 || flags != cudaUserObjectNoDestructorSync) {
    return cudaErrorInvalidValue;
  }
  *object_out = UserObject::add(ptr, destroy, initialRefcount);
  return {};
}

Status cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  HOSTWARP_TRY(device::permitted());
  auto found = UserObject::find(object);
  if (!found || count == 0) return cudaErrorInvalidValue;
  found->retain(count);
  return {};
}

Status cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  HOSTWARP_TRY(device::permitted());
  auto found = UserObject::find(object);
  return found && count && found->release(count) ? Status() : Status(cudaErrorInvalidValue);
}

Status cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags) {
  auto owner = graphOf(graph);
  if (!owner.ok()) return owner.status();
  auto found = UserObject::find(object);
  if (!found || count == 0 || (flags & ~unsigned{cudaGraphUserObjectMove})) return cudaErrorInvalidValue;
  if (!(flags & cudaGraphUserObjectMove)) found->retain(count);
  (*owner)->userObjects.adopt(found, count);
  return {};
}

Status cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  auto owner = graphOf(graph);
  if (!owner.ok()) return owner.status();
  auto found = UserObject::find(object);
  return found && count && (*owner)->userObjects.release(found, count) ? Status() : Status(cudaErrorInvalidValue);
}

}  // namespace hostwarp::api
