#include "emu_runtime/texture/limits.h"

#include <algorithm>
#include <array>

#include "device_model/properties.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/device/device.h"

namespace hostwarp::texture {

namespace {

using Most = std::array<int, 3>;  // width, height, depth or layers

constexpr unsigned knownFlags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather | cudaArrayColorAttachment;

bool fits(const cudaExtent &extent, const Most &most) {
  auto within = [](size_t size, int limit) { return size <= static_cast<size_t>(limit); };
  return within(extent.width, most[0]) && within(extent.height, most[1]) && within(extent.depth, most[2]);
}

bool fitsTexture(const cudaExtent &extent, unsigned flags, const cudaDeviceProp &p) {
  const bool layered = flags & cudaArrayLayered;
  if (flags & cudaArrayCubemap) {
    const int side = layered ? p.maxTextureCubemapLayered[0] : p.maxTextureCubemap;
    return fits(extent, {side, side, layered ? p.maxTextureCubemapLayered[1] : 6});
  }
  if (flags & cudaArrayTextureGather) return fits(extent, {p.maxTexture2DGather[0], p.maxTexture2DGather[1], 0});
  if (layered && extent.height == 0) return fits(extent, {p.maxTexture1DLayered[0], 0, p.maxTexture1DLayered[1]});
  if (layered) return fits(extent, {p.maxTexture2DLayered[0], p.maxTexture2DLayered[1], p.maxTexture2DLayered[2]});
  if (extent.depth > 0)
    return fits(extent, {p.maxTexture3D[0], p.maxTexture3D[1], p.maxTexture3D[2]}) ||
           fits(extent, {p.maxTexture3DAlt[0], p.maxTexture3DAlt[1], p.maxTexture3DAlt[2]});
  return extent.height > 0 ? fits(extent, {p.maxTexture2D[0], p.maxTexture2D[1], 0})
                           : fits(extent, {p.maxTexture1D, 0, 0});
}

bool fitsSurface(const cudaExtent &extent, unsigned flags, const cudaDeviceProp &p) {
  const bool layered = flags & cudaArrayLayered;
  if (flags & cudaArrayCubemap) {
    const int side = layered ? p.maxSurfaceCubemapLayered[0] : p.maxSurfaceCubemap;
    return fits(extent, {side, side, layered ? p.maxSurfaceCubemapLayered[1] : 6});
  }
  if (layered && extent.height == 0) return fits(extent, {p.maxSurface1DLayered[0], 0, p.maxSurface1DLayered[1]});
  if (layered) return fits(extent, {p.maxSurface2DLayered[0], p.maxSurface2DLayered[1], p.maxSurface2DLayered[2]});
  if (extent.depth > 0) return fits(extent, {p.maxSurface3D[0], p.maxSurface3D[1], p.maxSurface3D[2]});
  return extent.height > 0 ? fits(extent, {p.maxSurface2D[0], p.maxSurface2D[1], 0})
                           : fits(extent, {p.maxSurface1D, 0, 0});
}

Status checkCube(const cudaExtent &extent, unsigned flags) {
  if (!(flags & cudaArrayCubemap)) return {};
  const bool layers = flags & cudaArrayLayered ? extent.depth % 6 == 0 && extent.depth > 0 : extent.depth == 6;
  if (extent.width != extent.height || !layers)
    return Status(cudaErrorInvalidValue, "a cubemap is square and has six faces per layer");
  return {};
}

Expected<cudaDeviceProp> currentProperties() {
  auto device = device::currentDevice();
  if (!device.ok()) return device.status();
  return device_model::properties((*device)->model());
}

Status checkAligned(void *start, const cudaDeviceProp &p) {
  if (reinterpret_cast<uintptr_t>(start) % p.textureAlignment != 0)
    return {cudaErrorInvalidValue, "a texture's memory begins at a multiple of cudaDeviceProp::textureAlignment"};
  return {};
}

Status checkPitched(const cudaResourceDesc &description, const cudaDeviceProp &p) {
  const auto &from = description.res.pitch2D;
  HOSTWARP_TRY(checkAligned(from.devPtr, p));
  if (from.pitchInBytes % p.texturePitchAlignment != 0)
    return {cudaErrorInvalidValue, "a texture's pitch is a multiple of cudaDeviceProp::texturePitchAlignment"};
  const bool fits = from.width <= static_cast<size_t>(p.maxTexture2DLinear[0]) &&
                    from.height <= static_cast<size_t>(p.maxTexture2DLinear[1]) &&
                    from.pitchInBytes <= static_cast<size_t>(p.maxTexture2DLinear[2]);
  return fits ? Status() : Status(cudaErrorInvalidValue, "a texture exceeds cudaDeviceProp::maxTexture2DLinear");
}

size_t bytesOf(const cudaChannelFormatDesc &format) {
  return static_cast<size_t>(int64_t{format.x} + format.y + format.z + format.w) / 8;
}

}  // namespace

size_t longestLinear(size_t ofLargest, size_t texelBytes) {
  return 16 * ofLargest / std::clamp<size_t>(texelBytes, 4, 16);
}

Status checkArray(const cudaExtent &extent, unsigned flags) {
  if (flags & ~(knownFlags | cudaArraySparse | cudaArrayDeferredMapping)) return cudaErrorInvalidValue;
  if (flags & (cudaArraySparse | cudaArrayDeferredMapping))
    return Status(cudaErrorNotSupported,
                  "arrays have their memory from the beginning: no sparse ones, none mapped later");
  HOSTWARP_TRY(checkCube(extent, flags));
  if ((flags & cudaArrayLayered) && extent.depth == 0)
    return {cudaErrorInvalidValue, "a layered array has at least one layer"};
  const bool isPlane = extent.height > 0 && extent.depth == 0;
  if ((flags & cudaArrayTextureGather) && !isPlane)
    return {cudaErrorInvalidValue, "gathers are for arrays of two dimensions"};
  if (extent.depth > 0 && extent.height == 0 && !(flags & cudaArrayLayered))
    return {cudaErrorInvalidValue, "an array with a depth has a height, too, if it is not layered"};
  auto p = currentProperties();
  if (!p.ok()) return p.status();
  const bool asSurface = !(flags & cudaArraySurfaceLoadStore) || fitsSurface(extent, flags, *p);
  if (fitsTexture(extent, flags, *p) && asSurface) return {};
  return {cudaErrorInvalidValue, "the device has no arrays of this kind that are so large"};
}

Status checkMipmapped(const cudaExtent &extent, unsigned flags) {
  HOSTWARP_TRY(checkArray(extent, flags));
  if (extent.depth > 0) return {};
  auto p = currentProperties();
  if (!p.ok()) return p.status();
  const bool inside = extent.height == 0 ? fits(extent, {p->maxTexture1DMipmap, 0, 0})
                                         : fits(extent, {p->maxTexture2DMipmap[0], p->maxTexture2DMipmap[1], 0});
  return inside ? Status() : Status(cudaErrorInvalidValue, "the device has no mipmapped arrays that are so large");
}

Status checkTexture(const cudaResourceDesc &description) {
  auto p = currentProperties();
  if (!p.ok()) return p.status();
  if (description.resType == cudaResourceTypeLinear) {
    const auto &from = description.res.linear;
    const size_t bytes = bytesOf(from.desc);
    HOSTWARP_TRY(checkAligned(from.devPtr, *p));
    if (bytes && from.sizeInBytes / bytes > longestLinear(static_cast<size_t>(p->maxTexture1DLinear), bytes))
      return {cudaErrorInvalidValue, "linear memory is longer than cudaDeviceGetTexture1DLinearMaxWidth()"};
    return {};
  }
  if (description.resType == cudaResourceTypePitch2D) return checkPitched(description, *p);
  return {};
}

}  // namespace hostwarp::texture
