#include "emu_runtime/texture/texture_object.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "fibers/mutex.h"

namespace hostwarp::texture {

namespace {

// A handle is a slot number and the slot's generation, so a stale handle never finds a later object.
constexpr unsigned slotBits = 20;
constexpr size_t slotCount = size_t{1} << slotBits;

std::array<std::atomic<const TextureObject *>, slotCount> slots;
Mutex slotsMutex;
uint64_t nextSlot HOSTWARP_GUARDED_BY(slotsMutex) = 1;  // the upper bits are the generation

// Retired is an object that the host has destroyed and kernels may still use.
struct Retired {
  uint64_t handle;
  std::vector<stream::OperationRef> users;
};
std::vector<Retired> retired HOSTWARP_GUARDED_BY(slotsMutex);

void freeSlot(uint64_t handle) { delete slots[handle % slotCount].exchange(nullptr, std::memory_order_acq_rel); }

void dropUnusedLocked() HOSTWARP_REQUIRES(slotsMutex) {
  std::erase_if(retired, [](const Retired &object) {
    const bool unused = std::ranges::all_of(object.users, [](const auto &user) { return user->done(); });
    if (unused) freeSlot(object.handle);
    return unused;
  });
}

Expected<uint64_t> store(std::unique_ptr<TextureObject> object) {
  MutexLock lock(slotsMutex);
  dropUnusedLocked();
  for (size_t tried = 0; tried < slotCount; ++tried) {
    const uint64_t handle = nextSlot++;
    auto &slot = slots[handle % slotCount];
    if (handle % slotCount == 0 || slot.load(std::memory_order_relaxed)) continue;
    object->handle = handle;
    slot.store(object.release(), std::memory_order_release);
    return handle;
  }
  return Status(cudaErrorMemoryAllocation, "more than a million texture and surface objects are alive");
}

struct Resource {
  std::vector<Image> levels;
  std::vector<ArrayRef> kept;
};

Expected<Resource> arrayResource(cudaArray_t handle) {
  ArrayRef array = findArray(handle);
  if (!array) return Status(cudaErrorInvalidResourceHandle, "the resource names no live array");
  return Resource{{array->image()}, {array}};
}

Expected<Resource> mipmapResource(cudaMipmappedArray_t handle) {
  auto mipmapped = findMipmapped(handle);
  if (!mipmapped) return Status(cudaErrorInvalidResourceHandle, "the resource names no live mipmapped array");
  Resource resource;
  for (const ArrayRef &level : mipmapped->levels) resource.levels.push_back(level->image());
  resource.kept = mipmapped->levels;
  return resource;
}

Expected<Resource> memoryResource(void *data, const cudaChannelFormatDesc &description, size_t width, size_t height,
                                  size_t pitch) {
  Image image;
  if (!TexelFormat::from(description, image.format) || image.format.isBlock())
    return Status(cudaErrorInvalidChannelDescriptor, "memory without an array holds texels of 1, 2 or 4 channels");
  constexpr size_t textureAlignment = 512;
  if (!data || reinterpret_cast<uintptr_t>(data) % textureAlignment % image.format.bytes())
    return cudaErrorInvalidValue;
  image.data = static_cast<std::byte *>(data);
  image.width = width;
  image.height = height;
  image.rowBytes = pitch;
  image.sliceBytes = pitch * height;
  return Resource{{image}, {}};
}

Expected<Resource> resolve(const cudaResourceDesc &description) {
  const auto &from = description.res;
  switch (description.resType) {
    case cudaResourceTypeArray:
      return arrayResource(from.array.array);
    case cudaResourceTypeMipmappedArray:
      return mipmapResource(from.mipmap.mipmap);
    case cudaResourceTypeLinear: {
      TexelFormat format;
      if (!TexelFormat::from(from.linear.desc, format)) return cudaErrorInvalidChannelDescriptor;
      const size_t width = from.linear.sizeInBytes / format.bytes();
      return memoryResource(from.linear.devPtr, from.linear.desc, width, 1, from.linear.sizeInBytes);
    }
    case cudaResourceTypePitch2D:
      return memoryResource(from.pitch2D.devPtr, from.pitch2D.desc, from.pitch2D.width, from.pitch2D.height,
                            from.pitch2D.pitchInBytes);
  }
  return cudaErrorInvalidValue;
}

Status checkSampling(const cudaTextureDesc &sampling, const TexelFormat &format) {
  if (format.normalised && sampling.readMode != cudaReadModeNormalizedFloat)
    return Status(cudaErrorInvalidNormSetting, "a normalised format is read with cudaReadModeNormalizedFloat");
  if (format.sRgb && !sampling.sRGB)
    return Status(cudaErrorInvalidValue, "an sRGB format is read with cudaTextureDesc::sRGB");
  const bool integers = !format.isFloat() && (sampling.readMode == cudaReadModeElementType || format.channelBytes == 4);
  const bool knownMipFilter =
      sampling.mipmapFilterMode == cudaFilterModePoint || sampling.mipmapFilterMode == cudaFilterModeLinear;
  if (sampling.filterMode == cudaFilterModeLinear && integers)
    return Status(cudaErrorInvalidFilterSetting, "linear filtering needs floats: use cudaReadModeNormalizedFloat");
  if (sampling.readMode == cudaReadModeNormalizedFloat && (format.channelBytes == 4 || format.isFloat()))
    return Status(cudaErrorInvalidNormSetting, "only integers of 8 and 16 bits are read as normalised floats");
  const bool knownFilter = sampling.filterMode == cudaFilterModePoint || sampling.filterMode == cudaFilterModeLinear;
  const auto unknownMode = [](cudaTextureAddressMode mode) {
    return mode < cudaAddressModeWrap || mode > cudaAddressModeBorder;
  };
  if (!knownFilter || !knownMipFilter || std::ranges::any_of(sampling.addressMode, unknownMode))
    return cudaErrorInvalidValue;
  return {};
}

// reinterpret() makes the elements of an image texels, or blocks of them, of another format.
void reinterpret(Image &image, const TexelFormat &format) {
  image.format = format;
  image.width *= format.edge();
  image.height *= format.edge();
}

// isViewable(): elements of the array are as large as those of the view's format; blocks are stored as integers.
bool isViewable(const TexelFormat &stored, const TexelFormat &format) {
  const bool asBlocks = stored.kind == TexelFormat::Kind::Unsigned && stored.channelBytes == 4;
  return format.bytes() == stored.bytes() && !stored.isBlock() && (!format.isBlock() || asBlocks);
}

// restrictLayers() leaves those that the view names; the last one need not be there.
Status restrictLayers(const cudaResourceViewDesc &view, const Array &array, Image &image) {
  if (!(array.flags() & cudaArrayLayered)) {
    const bool none = view.firstLayer == 0 && view.lastLayer == 0;
    return none ? Status() : Status(cudaErrorInvalidValue, "an array without layers has no view of some");
  }
  if (view.firstLayer > view.lastLayer || view.firstLayer >= image.depth)
    return {cudaErrorInvalidValue, "the view's layers are not there"};
  image.data += view.firstLayer * image.sliceBytes;
  image.depth = std::min<size_t>(view.lastLayer + size_t{1}, image.depth) - view.firstLayer;
  return {};
}

// restrictLevels() leaves those that the view names; the last one need not be there.
Status restrictLevels(const cudaResourceViewDesc &view, std::vector<Image> &levels) {
  const size_t first = view.firstMipmapLevel, last = view.lastMipmapLevel;
  const bool mipmapped = levels.size() > 1 || last == 0;
  if (first > last || first >= levels.size() || !mipmapped)
    return {cudaErrorInvalidValue, "the view's levels are not there"};
  levels.erase(levels.begin() + static_cast<ptrdiff_t>(std::min(last + 1, levels.size())), levels.end());
  levels.erase(levels.begin(), levels.begin() + static_cast<ptrdiff_t>(first));
  return {};
}

// applyView() reads an array as the view describes it: its elements in another format, and some of its levels and
// layers.
Status applyView(const cudaResourceViewDesc &view, Resource &resource) {
  const Array &array = *resource.kept[0];
  const cudaExtent extent = array.extent();
  TexelFormat format;
  if (!TexelFormat::from(view.format, format) || !isViewable(resource.levels[0].format, format))
    return {cudaErrorInvalidValue, "a view has a format whose elements are as large as those of the array"};
  const bool sameSize = view.width == extent.width * format.edge() && view.height == extent.height * format.edge() &&
                        view.depth == extent.depth;
  if (!sameSize) return {cudaErrorInvalidValue, "a view is as large as its array"};
  HOSTWARP_TRY(restrictLevels(view, resource.levels));
  for (Image &image : resource.levels) {
    HOSTWARP_TRY(restrictLayers(view, array, image));
    reinterpret(image, format);
  }
  return {};
}

// Of wide integers there are no fractions, so that views of them give fractions of narrow ones in any case.
bool readsIntegers(const TexelFormat &stored, const cudaTextureDesc &sampling) {
  return !stored.isFloat() && stored.channelBytes < 4 && sampling.readMode == cudaReadModeElementType;
}

}  // namespace

Expected<uint64_t> makeTexture(const cudaResourceDesc &description, const cudaTextureDesc &sampling,
                               const cudaResourceViewDesc *view, size_t boundOffset) {
  Expected<Resource> resource = resolve(description);
  if (!resource.ok()) return resource.status();
  HOSTWARP_TRY(checkSampling(sampling, resource->levels[0].format));
  const bool isCube = !resource->kept.empty() && (resource->kept[0]->flags() & cudaArrayCubemap);
  if (sampling.seamlessCubemap && !isCube) return Status(cudaErrorInvalidValue, "only cubemaps are seamless");
  const bool asIntegers = readsIntegers(resource->levels[0].format, sampling);
  // Memory without an array has no views; they are ignored.
  if (view && !resource->kept.empty()) HOSTWARP_TRY(applyView(*view, *resource));
  auto object = std::make_unique<TextureObject>(description, sampling,
                                                Sampler(std::move(resource->levels), sampling, asIntegers));
  if (view) object->view = *view;
  object->kept = std::move(resource->kept);
  object->boundOffset = boundOffset;
  return store(std::move(object));
}

Expected<uint64_t> makeSurface(const cudaResourceDesc &description) {
  if (description.resType != cudaResourceTypeArray)
    return Status(cudaErrorInvalidValue, "a surface is made from an array");
  Expected<Resource> resource = resolve(description);
  if (!resource.ok()) return resource.status();
  if (resource->levels[0].format.isBlock())
    return Status(cudaErrorInvalidValue, "compressed blocks cannot be a surface");
  auto object =
      std::make_unique<TextureObject>(description, cudaTextureDesc{}, Sampler(std::move(resource->levels), {}, true));
  object->kept = std::move(resource->kept);
  return store(std::move(object));
}

const TextureObject *findForKernel(uint64_t handle) {
  const TextureObject *object = slots[handle % slotCount].load(std::memory_order_acquire);
  return object && object->handle == handle ? object : nullptr;
}

const TextureObject *findObject(uint64_t handle) {
  const TextureObject *object = findForKernel(handle);
  return object && !object->isDestroyed.load(std::memory_order_acquire) ? object : nullptr;
}

bool destroyObject(uint64_t handle, std::vector<stream::OperationRef> pending) {
  MutexLock lock(slotsMutex);
  const TextureObject *object = findObject(handle);
  if (!object) return false;
  object->isDestroyed.store(true, std::memory_order_release);
  retired.push_back({handle, std::move(pending)});
  dropUnusedLocked();
  return true;
}

void dropUnused() {
  MutexLock lock(slotsMutex);
  dropUnusedLocked();
}

}  // namespace hostwarp::texture
