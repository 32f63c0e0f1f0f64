// The texture and surface references of programs written before CUDA 12 [CUDA 3.2.14 in guides up to 11]. On the device
// a reference is a variable that holds the handle of a texture or surface object, 0 while it is not bound.
#include <climits>
#include <cstring>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/module/registry.h"
#include "emu_runtime/texture/texture_object.h"
#include "fibers/mutex.h"

namespace hostwarp::api {

namespace {

using modules::ReferenceKind;
using texture::TextureObject;

constexpr size_t textureAlignment = 512;
Mutex bindingMutex;

// BoundReference is a reference on the current device.
struct BoundReference {
  device::ContextRef context;
  std::shared_ptr<modules::Variable> variable;

  uint64_t &handle() const { return *reinterpret_cast<uint64_t *>(variable->address(context->device().delta())); }
};

Expected<BoundReference> boundReference(const void *reference, ReferenceKind kind) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  const int capability = modules::capabilityOf((*context)->device().model());
  auto variable = modules::Registry::process().variable(reference, capability);
  if (!variable || !variable->storage || variable->reference != kind)
    return kind == ReferenceKind::Texture ? cudaErrorInvalidTexture : cudaErrorInvalidSurface;
  return BoundReference{*context, variable};
}

bool sameView(const TextureObject &a, const TextureObject &b) {
  return a.kept == b.kept && a.boundOffset == b.boundOffset &&
         std::memcmp(&a.resource, &b.resource, sizeof a.resource) == 0 &&
         std::memcmp(&a.sampling, &b.sampling, sizeof a.sampling) == 0;
}

// bind() makes `object` (0: none) what the reference stands for. Kernels launched before still see what was bound
// then, so a reference in use changes only after they have ended.
Status bind(const BoundReference &place, uint64_t object) {
  MutexLock lock(bindingMutex);
  const TextureObject *old = texture::findObject(place.handle());
  const TextureObject *made = texture::findObject(object);
  if (old && made && sameView(*old, *made)) {
    texture::destroyObject(object);
    return {};
  }
  if (old) {
    HOSTWARP_TRY(place.context->synchronize());
    texture::destroyObject(old->handle);
  }
  place.handle() = object;
  return {};
}

cudaTextureDesc samplingOf(const BoundReference &place, const textureReference &reference) {
  cudaTextureDesc sampling;
  std::memset(&sampling, 0, sizeof sampling);
  for (int i = 0; i < 3; ++i) sampling.addressMode[i] = reference.addressMode[i];
  sampling.filterMode = reference.filterMode;
  sampling.readMode = place.variable->normalizedRead ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  sampling.sRGB = reference.sRGB;
  sampling.normalizedCoords = reference.normalized;
  sampling.maxAnisotropy = reference.maxAnisotropy;
  sampling.mipmapFilterMode = reference.mipmapFilterMode;
  sampling.mipmapLevelBias = reference.mipmapLevelBias;
  sampling.minMipmapLevelClamp = reference.minMipmapLevelClamp;
  sampling.maxMipmapLevelClamp = reference.maxMipmapLevelClamp;
  sampling.disableTrilinearOptimization = reference.disableTrilinearOptimization;
  return sampling;
}

cudaResourceDesc resourceOf(cudaResourceType type) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = type;
  return resource;
}

Status bindTexture(const BoundReference &place, const textureReference &reference, const cudaResourceDesc &resource,
                   size_t offset = 0) {
  cudaTextureDesc sampling = samplingOf(place, reference);
  if (resource.resType == cudaResourceTypeLinear) sampling.filterMode = cudaFilterModePoint;  // tex1Dfetch() only
  auto made = texture::makeTexture(resource, sampling, nullptr, offset);
  return made.ok() ? bind(place, *made) : made.status();
}

// Window is device memory as a texture can be bound to it: from an aligned address on, `offset` bytes before the
// program's.
struct Window {
  char *start;
  size_t offset;
  size_t bytes;  // to the end of the allocation
};

Expected<Window> windowAt(const void *pointer, size_t *offset) {
  if (!pointer) return cudaErrorInvalidValue;
  auto allocation = memory::AllocationTable::process().find(pointer);
  if (!allocation) return Status(cudaErrorInvalidValue, "the texture's memory is not device memory");
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const size_t before = address % textureAlignment;
  if (before != 0 && !offset)
    return Status(cudaErrorInvalidValue, "memory that is not aligned for textures needs a place for the offset");
  if (offset) *offset = before;
  auto *start = static_cast<char *>(const_cast<void *>(pointer)) - before;
  return Window{start, before, allocation->bytes - (address - allocation->start) + before};
}

}  // namespace

Status cudaBindTexture(size_t *offset, const textureReference *texref, const void *devPtr,
                       const cudaChannelFormatDesc *desc, size_t size) {
  auto place = boundReference(texref, ReferenceKind::Texture);
  if (!place.ok()) return place.status();
  if (!desc) return cudaErrorInvalidValue;
  auto window = windowAt(devPtr, offset);
  if (!window.ok()) return window.status();
  cudaResourceDesc resource = resourceOf(cudaResourceTypeLinear);
  resource.res.linear.devPtr = window->start;
  resource.res.linear.desc = *desc;
  resource.res.linear.sizeInBytes = size >= window->bytes - window->offset ? window->bytes : size + window->offset;
  return bindTexture(*place, *texref, resource, window->offset);
}

Status cudaBindTexture2D(size_t *offset, const textureReference *texref, const void *devPtr,
                         const cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch) {
  auto place = boundReference(texref, ReferenceKind::Texture);
  if (!place.ok()) return place.status();
  if (!desc) return cudaErrorInvalidValue;
  auto window = windowAt(devPtr, offset);
  if (!window.ok()) return window.status();
  const size_t texel = static_cast<size_t>(desc->x + desc->y + desc->z + desc->w) / 8;
  if (width == 0 || height == 0 || texel == 0) return cudaErrorInvalidValue;
  if (pitch < width * texel) return cudaErrorInvalidPitchValue;
  cudaResourceDesc resource = resourceOf(cudaResourceTypePitch2D);
  resource.res.pitch2D.devPtr = window->start;
  resource.res.pitch2D.desc = *desc;
  resource.res.pitch2D.width = width + window->offset / texel;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  return bindTexture(*place, *texref, resource, window->offset);
}

Status cudaBindTextureToArray(const textureReference *texref, cudaArray_const_t array,
                              const cudaChannelFormatDesc *desc) {
  auto place = boundReference(texref, ReferenceKind::Texture);
  if (!place.ok()) return place.status();
  if (!array || !desc) return cudaErrorInvalidValue;
  cudaResourceDesc resource = resourceOf(cudaResourceTypeArray);
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return bindTexture(*place, *texref, resource);
}

Status cudaBindTextureToMipmappedArray(const textureReference *texref, cudaMipmappedArray_const_t mipmappedArray,
                                       const cudaChannelFormatDesc *desc) {
  auto place = boundReference(texref, ReferenceKind::Texture);
  if (!place.ok()) return place.status();
  if (!mipmappedArray || !desc) return cudaErrorInvalidValue;
  cudaResourceDesc resource = resourceOf(cudaResourceTypeMipmappedArray);
  resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(mipmappedArray);
  return bindTexture(*place, *texref, resource);
}

Status cudaUnbindTexture(const textureReference *texref) {
  auto place = boundReference(texref, ReferenceKind::Texture);
  return place.ok() ? bind(*place, 0) : place.status();
}

Status cudaGetTextureAlignmentOffset(size_t *offset, const textureReference *texref) {
  auto place = boundReference(texref, ReferenceKind::Texture);
  if (!place.ok()) return place.status();
  if (!offset) return cudaErrorInvalidValue;
  const TextureObject *bound = texture::findObject(place->handle());
  if (!bound) return cudaErrorInvalidTextureBinding;
  *offset = bound->boundOffset;
  return {};
}

Status cudaGetTextureReference(const textureReference **texref, const void *symbol) {
  if (!texref) return cudaErrorInvalidValue;
  auto place = boundReference(symbol, ReferenceKind::Texture);
  if (!place.ok()) return place.status();
  *texref = static_cast<const textureReference *>(place->variable->hostVariable);
  return {};
}

Status cudaBindSurfaceToArray(const surfaceReference *surfref, cudaArray_const_t array,
                              const cudaChannelFormatDesc *desc) {
  auto place = boundReference(surfref, ReferenceKind::Surface);
  if (!place.ok()) return place.status();
  if (!array || !desc) return cudaErrorInvalidValue;
  cudaResourceDesc resource = resourceOf(cudaResourceTypeArray);
  resource.res.array.array = const_cast<cudaArray_t>(array);
  auto made = texture::makeSurface(resource);
  return made.ok() ? bind(*place, *made) : made.status();
}

Status cudaGetSurfaceReference(const surfaceReference **surfref, const void *symbol) {
  if (!surfref) return cudaErrorInvalidValue;
  auto place = boundReference(symbol, ReferenceKind::Surface);
  if (!place.ok()) return place.status();
  *surfref = static_cast<const surfaceReference *>(place->variable->hostVariable);
  return {};
}

}  // namespace hostwarp::api
