// Texture and surface objects: what device code reads arrays and memory through [CUDA 5.5].
#ifndef HOSTWARP_EMU_RUNTIME_TEXTURE_TEXTURE_OBJECT_H
#define HOSTWARP_EMU_RUNTIME_TEXTURE_TEXTURE_OBJECT_H

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "emu_runtime/stream/operation.h"
#include "emu_runtime/support/status.h"
#include "emu_runtime/texture/array.h"
#include "emu_runtime/texture/sampler.h"
#include "include/surface_types.h"

namespace hostwarp::texture {

// TextureObject is an immutable view of a resource and how to sample it. Surfaces are texture objects without sampler
// settings.
struct TextureObject {
  TextureObject(const cudaResourceDesc &resource, const cudaTextureDesc &sampling, Sampler sampler)
      : resource(resource), sampling(sampling), sampler(std::move(sampler)) {}

  uint64_t handle = 0;
  cudaResourceDesc resource;
  cudaTextureDesc sampling;
  std::optional<cudaResourceViewDesc> view;
  Sampler sampler;
  std::vector<ArrayRef> kept;  // the arrays read through the object
  mutable std::atomic<bool> isDestroyed{false};
  size_t boundOffset = 0;  // how far behind the resource's start the memory lies that a reference was bound to
};

// makeTexture() and makeSurface() validate the descriptors as CUDA does and return a new object's handle.
Expected<uint64_t> makeTexture(const cudaResourceDesc &resource, const cudaTextureDesc &sampling,
                               const cudaResourceViewDesc *view, size_t boundOffset = 0);
Expected<uint64_t> makeSurface(const cudaResourceDesc &resource);

// findObject() returns the live object behind a handle, null otherwise. findForKernel() also finds one that the host
// has destroyed while work was under way that may use it, and that was enqueued before: hardware keeps an object's
// description until another takes its place, and programs destroy right after a launch. Both are lock-free: device code
// calls for each fetch.
const TextureObject *findObject(uint64_t handle);
const TextureObject *findForKernel(uint64_t handle);
// destroyObject() forgets the object; false when the handle is not live. `pending` is the work that may still use it.
bool destroyObject(uint64_t handle, std::vector<stream::OperationRef> pending = {});
// dropUnused() frees destroyed objects whose work has ended. It happens by and by; whoever frees arrays may hurry it.
void dropUnused();

}  // namespace hostwarp::texture

#endif  // HOSTWARP_EMU_RUNTIME_TEXTURE_TEXTURE_OBJECT_H
