// The device ABI's texture and surface functions.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "emu_runtime/abi/exports.h"
#include "emu_runtime/texture/texture_object.h"
#include "fibers/engine.h"
#include "include/hostwarp/device_abi.h"

namespace {

using namespace hostwarp::texture;
namespace fibers = hostwarp::fibers;

const TextureObject &require(uint64_t handle) {
  const TextureObject *object = findForKernel(handle);
  if (handle == 0)
    fibers::failCurrentGrid(fibers::Fault::IllegalAddress, "a texture or surface that is bound to nothing");
  if (!object)
    fibers::failCurrentGrid(fibers::Fault::IllegalAddress,
                            "texture or surface object " + std::to_string(handle) + " does not exist (any more)");
  return *object;
}

void store(const Texel &texel, hw_texel *result) { std::memcpy(result->bits, texel.u.data(), sizeof result->bits); }

// clampTo() brings an index into [0, count - 1].
long long clampTo(long long index, long long count) { return std::clamp(index, 0LL, count - 1); }

}  // namespace

HOSTWARP_ABI const hw_texture_view *hw_texture_view_of(uint64_t object) noexcept {
  static constexpr hw_texture_view unknown = {};
  const TextureObject *found = findForKernel(object);
  return found ? &found->sampler.view() : &unknown;
}

HOSTWARP_ABI void hw_texture_sample(uint64_t object, const hw_texture_point *point, hw_texel *result) noexcept {
  const Sampler &sampler = require(object).sampler;
  const auto shape = static_cast<Shape>(point->shape);
  if (sampler.sampleInside(shape, point->x, point->y, *result)) return;
  store(sampler.sample(shape, point->x, point->y, point->z, point->layer, point->lod), result);
}

HOSTWARP_ABI void hw_texture_fetch(uint64_t object, int32_t index, hw_texel *result) noexcept {
  store(require(object).sampler.fetch(index), result);
}

HOSTWARP_ABI void hw_texture_load(uint64_t object, const hw_texture_place *place, hw_texel *result) noexcept {
  store(require(object).sampler.load(place->x, place->y, place->z, place->level), result);
}

HOSTWARP_ABI void hw_texture_gather(uint64_t object, float x, float y, uint32_t component, hw_texel *result) noexcept {
  store(require(object).sampler.gather(x, y, component), result);
}

HOSTWARP_ABI float hw_texture_lod(uint64_t object, const float *derivatives) noexcept {
  const TextureObject &texture = require(object);
  const Image &image = texture.sampler.level(0);
  const bool normalised = texture.sampling.normalizedCoords;
  const float size[3] = {normalised ? static_cast<float>(image.width) : 1.0f,
                         normalised ? static_cast<float>(image.height) : 1.0f,
                         normalised ? static_cast<float>(image.depth) : 1.0f};
  float longest = 0;
  for (const float *d : {derivatives, derivatives + 3})
    longest = std::max(longest, std::hypot(d[0] * size[0], d[1] * size[1], d[2] * size[2]));
  return longest > 0 ? std::log2(longest) : 0.0f;
}

HOSTWARP_ABI void *hw_surface_address(uint64_t object, int32_t x, int32_t y, int32_t z, uint32_t bytes,
                                      int32_t boundary) noexcept {
  const Image &image = require(object).sampler.level(0);
  const long long rowBytes = static_cast<long long>(image.lineBytes());
  const long long height = static_cast<long long>(image.height), depth = static_cast<long long>(image.depth);
  long long column = x, row = y, slice = z;
  const bool inside =
      column >= 0 && column + bytes <= rowBytes && row >= 0 && row < height && slice >= 0 && slice < depth;
  if (!inside && boundary == cudaBoundaryModeZero) return nullptr;
  if (!inside && boundary == cudaBoundaryModeTrap)
    fibers::failCurrentGrid(fibers::Fault::IllegalAddress, "surface access outside of the surface: byte column " +
                                                               std::to_string(x) + ", row " + std::to_string(y) +
                                                               ", slice " + std::to_string(z));
  if (column + bytes > rowBytes) column = rowBytes - bytes;
  return image.at(0, clampTo(row, height), clampTo(slice, depth)) + std::max(column, 0LL);
}
