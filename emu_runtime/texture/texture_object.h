// Texture and surface objects: what device code reads arrays and memory through [CUDA 5.5].
#ifndef HOSTWARP_EMU_RUNTIME_TEXTURE_TEXTURE_OBJECT_H
#define HOSTWARP_EMU_RUNTIME_TEXTURE_TEXTURE_OBJECT_H

#include <memory>
#include <optional>

#include "emu_runtime/support/status.h"
#include "emu_runtime/texture/array.h"
#include "emu_runtime/texture/sampler.h"
#include "include/surface_types.h"

namespace hostwarp::texture {

// TextureObject is an immutable view of a resource and how to sample it. Surfaces are texture objects without sampler
// settings.
struct TextureObject {
  uint64_t handle = 0;
  cudaResourceDesc resource{};
  cudaTextureDesc sampling{};
  std::optional<cudaResourceViewDesc> view;
  Sampler sampler;
  std::vector<ArrayRef> kept;  // the arrays read through the object
  size_t boundOffset = 0;      // how far behind the resource's start the memory lies that a reference was bound to
};

// makeTexture() and makeSurface() validate the descriptors as CUDA does and return a new object's handle.
Expected<uint64_t> makeTexture(const cudaResourceDesc &resource, const cudaTextureDesc &sampling,
                               const cudaResourceViewDesc *view, size_t boundOffset = 0);
Expected<uint64_t> makeSurface(const cudaResourceDesc &resource);

// findObject() returns the live object behind a handle, null otherwise. Lock-free: device code calls it for each fetch.
// note: as in CUDA, an object must not be destroyed while kernels that use it run.
const TextureObject *findObject(uint64_t handle);
// destroyObject() forgets the object; false when the handle is not live.
bool destroyObject(uint64_t handle);

}  // namespace hostwarp::texture

#endif  // HOSTWARP_EMU_RUNTIME_TEXTURE_TEXTURE_OBJECT_H
