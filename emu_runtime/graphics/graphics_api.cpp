// Chapter "interop", graphics: buffers and images of OpenGL in kernels [CUDA 4.16 interoperability].
#include <utility>
#include <vector>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/device/handle_table.h"
#include "emu_runtime/graphics/resource.h"

namespace hostwarp::api {

namespace {

using graphics::ResourceRef;
using ResourceTable = device::HandleTable<cudaGraphicsResource_t, ResourceRef>;

ResourceTable &resources() {
  static auto *table = new ResourceTable;
  return *table;
}

// mapFlag() tells that the flags say at most one thing of who looks at a resource.
bool mapFlag(unsigned flags) {
  return flags == cudaGraphicsMapFlagsNone || flags == cudaGraphicsMapFlagsReadOnly ||
         flags == cudaGraphicsMapFlagsWriteDiscard;
}

// registered() gives out a resource's handle.
Status registered(cudaGraphicsResource_t *out, Expected<ResourceRef> resource) {
  if (!resource.ok()) return resource.status();
  *out = resources().add(*std::move(resource));
  return {};
}

// resourcesOf() finds the resources of a list, which all have to be mapped or all not.
Expected<std::vector<ResourceRef>> resourcesOf(int count, const cudaGraphicsResource_t *list, bool mapped) {
  if (count <= 0 || !list) return cudaErrorInvalidValue;
  std::vector<ResourceRef> found;
  for (int i = 0; i < count; ++i) {
    auto resource = resources().find(list[i]);
    if (!resource) return cudaErrorInvalidResourceHandle;
    if ((*resource)->mapped() != mapped) return mapped ? cudaErrorNotMapped : cudaErrorAlreadyMapped;
    for (const ResourceRef &other : found)
      if (other == *resource) return Status(cudaErrorInvalidValue, "a resource is in the list twice");
    found.push_back(*std::move(resource));
  }
  return found;
}

Expected<ResourceRef> mapped(cudaGraphicsResource_t handle) {
  HOSTWARP_TRY(device::permitted());
  auto resource = resources().find(handle);
  if (!resource) return cudaErrorInvalidResourceHandle;
  if (!(*resource)->mapped()) return cudaErrorNotMapped;
  return *std::move(resource);
}

}  // namespace

Status cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t *resource, unsigned buffer, unsigned flags) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  if (!resource || !mapFlag(flags)) return cudaErrorInvalidValue;
  auto gl = graphics::openGl();
  return gl.ok() ? registered(resource, graphics::bufferResource(**gl, buffer, flags)) : gl.status();
}

Status cudaGraphicsGLRegisterImage(cudaGraphicsResource_t *resource, unsigned image, unsigned target, unsigned flags) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  constexpr unsigned ofArrays = cudaGraphicsRegisterFlagsSurfaceLoadStore | cudaGraphicsRegisterFlagsTextureGather;
  if (!resource || !mapFlag(flags & ~ofArrays)) return cudaErrorInvalidValue;
  auto gl = graphics::openGl();
  return gl.ok() ? registered(resource, graphics::imageResource(**gl, image, target, flags)) : gl.status();
}

// A resource that is mapped loses what kernels have written.
Status cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource) {
  HOSTWARP_TRY(device::permitted());
  return resources().take(resource) ? Status() : Status(cudaErrorInvalidResourceHandle);
}

Status cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned flags) {
  HOSTWARP_TRY(device::permitted());
  auto found = resources().find(resource);
  if (!found) return cudaErrorInvalidResourceHandle;
  if (!mapFlag(flags)) return cudaErrorInvalidValue;
  if ((*found)->mapped()) return cudaErrorAlreadyMapped;
  (*found)->setFlags(flags);
  return {};
}

Status cudaGraphicsMapResources(int count, cudaGraphicsResource_t *list, cudaStream_t stream) {
  auto target = device::streamOf(stream);
  if (!target.ok()) return target.status();
  auto found = resourcesOf(count, list, false);
  if (!found.ok()) return found.status();
  auto gl = graphics::openGl();
  if (!gl.ok()) return gl.status();
  for (size_t i = 0; i < found->size(); ++i) {
    Status status = (*found)[i]->map(**gl);
    if (status.ok()) continue;
    while (i-- > 0) (*found)[i]->unmap(**gl);
    return status;
  }
  return {};
}

// OpenGL comes after all that the stream holds.
Status cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *list, cudaStream_t stream) {
  auto target = device::streamOf(stream);
  if (!target.ok()) return target.status();
  auto found = resourcesOf(count, list, true);
  if (!found.ok()) return found.status();
  auto gl = graphics::openGl();
  if (!gl.ok()) return gl.status();
  target->context->streams().wait(*target->stream);
  HOSTWARP_TRY(target->context->status());
  for (const ResourceRef &each : *found) each->unmap(**gl);
  return {};
}

Status cudaGraphicsResourceGetMappedPointer(void **devPtr, size_t *size, cudaGraphicsResource_t resource) {
  if (!devPtr) return cudaErrorInvalidValue;
  auto found = mapped(resource);
  if (!found.ok()) return found.status();
  auto memory = (*found)->memory();
  if (!memory.ok()) return memory.status();
  *devPtr = memory->data;
  if (size) *size = memory->bytes;
  return {};
}

Status cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array, cudaGraphicsResource_t resource, unsigned arrayIndex,
                                             unsigned mipLevel) {
  if (!array) return cudaErrorInvalidValue;
  auto found = mapped(resource);
  if (!found.ok()) return found.status();
  auto image = (*found)->array();
  if (!image.ok()) return image.status();
  if (arrayIndex || mipLevel) return {cudaErrorInvalidValue, "of an image, the first level is shared"};
  *array = *image;
  return {};
}

Status cudaGLGetDevices(unsigned *pCudaDeviceCount, int *pCudaDevices, unsigned cudaDeviceCount, int deviceList) {
  HOSTWARP_TRY(device::permitted());
  const bool known = deviceList >= 1 && deviceList <= 3;  // cudaGLDeviceList
  if (!pCudaDeviceCount || (cudaDeviceCount && !pCudaDevices) || !known) return cudaErrorInvalidValue;
  if (auto gl = graphics::openGl(); !gl.ok()) return gl.status();
  // OpenGL draws on the CPU, which is where all devices are.
  const auto devices = static_cast<unsigned>(device::devices().size());
  *pCudaDeviceCount = devices;
  for (unsigned i = 0; i < devices && i < cudaDeviceCount; ++i) pCudaDevices[i] = static_cast<int>(i);
  return {};
}

}  // namespace hostwarp::api
