#include "emu_runtime/texture/sampler.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hostwarp::texture {

namespace {

// Index -1 stands for "outside, give the border colour".
constexpr long long outside = -1;

// The filter weight is a fixed-point number with 8 fractional bits.
float quantiseWeight(float weight) { return std::floor(weight * 256.0f + 0.5f) / 256.0f; }

Texel mix(const Texel &a, const Texel &b, float weight) {
  Texel result;
  for (int i = 0; i < 4; ++i) result.f[i] = a.f[i] * (1.0f - weight) + b.f[i] * weight;
  return result;
}

struct CubePoint {
  int face;
  float s, t;
};

// cubePoint() projects a direction onto the face its largest component points at.
CubePoint cubePoint(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  int face;
  float major, s, t;
  if (ax >= ay && ax >= az) {
    face = x >= 0 ? 0 : 1, major = ax, s = x >= 0 ? -z : z, t = -y;
  } else if (ay >= az) {
    face = y >= 0 ? 2 : 3, major = ay, s = x, t = y >= 0 ? z : -z;
  } else {
    face = z >= 0 ? 4 : 5, major = az, s = z >= 0 ? x : -x, t = -y;
  }
  return {face, (s / major + 1.0f) * 0.5f, (t / major + 1.0f) * 0.5f};
}

}  // namespace

Sampler::Sampler(std::vector<Image> levels, const cudaTextureDesc &description)
    : levels_(std::move(levels)), description_(description) {}

bool Sampler::returnsFloat() const {
  return description_.readMode == cudaReadModeNormalizedFloat || levels_[0].format.isFloat();
}

// mode(): wrap and mirror exist for normalised coordinates only; otherwise the hardware clamps.
cudaTextureAddressMode Sampler::mode(int axis) const {
  const cudaTextureAddressMode asked = description_.addressMode[axis];
  const bool needsNormalised = asked == cudaAddressModeWrap || asked == cudaAddressModeMirror;
  return needsNormalised && !description_.normalizedCoords ? cudaAddressModeClamp : asked;
}

long long Sampler::wrapIndex(long long index, size_t size, int axis) const {
  const long long count = static_cast<long long>(size);
  switch (mode(axis)) {
    case cudaAddressModeWrap:
      return ((index % count) + count) % count;
    case cudaAddressModeMirror: {
      const long long period = 2 * count, folded = ((index % period) + period) % period;
      return folded < count ? folded : period - 1 - folded;
    }
    case cudaAddressModeBorder:
      return index < 0 || index >= count ? outside : index;
    case cudaAddressModeClamp:
      break;
  }
  return std::clamp(index, 0LL, count - 1);
}

Sampler::Axis Sampler::locate(float coordinate, size_t size, int axis, bool linear) const {
  if (!std::isfinite(coordinate)) coordinate = 0;
  float position = description_.normalizedCoords ? coordinate * static_cast<float>(size) : coordinate;
  constexpr float farAway = 1e15f;  // keeps the conversion to integers defined
  position = std::clamp(position, -farAway, farAway);
  if (!linear) return {wrapIndex(static_cast<long long>(std::floor(position)), size, axis), 0, 0};
  const float shifted = position - 0.5f, base = std::floor(shifted);
  const auto index = static_cast<long long>(base);
  return {wrapIndex(index, size, axis), wrapIndex(index + 1, size, axis), quantiseWeight(shifted - base)};
}

Texel Sampler::read(const Image &image, long long x, long long y, long long z) const {
  if (x == outside || y == outside || z == outside) {
    Texel border;
    for (int i = 0; i < 4; ++i) {
      if (returnsFloat())
        border.f[i] = description_.borderColor[i];
      else
        border.u[i] = static_cast<uint32_t>(static_cast<long long>(description_.borderColor[i]));
    }
    return border;
  }
  const std::byte *address = image.at(x, y, z);
  return description_.readMode == cudaReadModeNormalizedFloat ? image.format.readNormalised(address, description_.sRGB)
                                                              : image.format.readRaw(address);
}

Texel Sampler::sampleLevel(const Image &image, Shape shape, float x, float y, float z, int layer) const {
  const bool linear = description_.filterMode == cudaFilterModeLinear && returnsFloat();
  const long long layers = static_cast<long long>(image.depth);
  if (shape == Shape::Cube) {
    const CubePoint point = cubePoint(x, y, z);
    x = point.s, y = point.t;
    layer = layer * 6 + point.face;
  }
  const Axis ax = locate(x, image.width, 0, linear);
  const Axis ay = shape == Shape::OneD ? Axis{} : locate(y, image.height, 1, linear);
  const Axis az = shape == Shape::ThreeD ? locate(z, image.depth, 2, linear) : Axis{};
  const long long slice = std::clamp<long long>(layer, 0, layers - 1);
  auto row = [&](long long yi, long long zi) {
    const Texel first = read(image, ax.first, yi, zi);
    return linear && ax.weight > 0 ? mix(first, read(image, ax.second, yi, zi), ax.weight) : first;
  };
  auto plane = [&](long long zi) {
    const Texel first = row(ay.first, zi);
    return linear && ay.weight > 0 ? mix(first, row(ay.second, zi), ay.weight) : first;
  };
  if (shape != Shape::ThreeD) return plane(slice);
  const Texel first = plane(az.first);
  return linear && az.weight > 0 ? mix(first, plane(az.second), az.weight) : first;
}

Texel Sampler::sample(Shape shape, float x, float y, float z, int layer, float lod) const {
  if (levels_.size() == 1) return sampleLevel(levels_[0], shape, x, y, z, layer);
  const float top = static_cast<float>(levels_.size() - 1);
  float level = lod + description_.mipmapLevelBias;
  level = std::clamp(level, description_.minMipmapLevelClamp,
                     std::max(description_.minMipmapLevelClamp, description_.maxMipmapLevelClamp));
  level = std::clamp(level, 0.0f, top);
  if (description_.mipmapFilterMode == cudaFilterModePoint || !returnsFloat())
    return sampleLevel(levels_[static_cast<size_t>(std::lround(level))], shape, x, y, z, layer);
  const auto lower = static_cast<size_t>(level);
  const Texel coarse = sampleLevel(levels_[lower], shape, x, y, z, layer);
  const float weight = quantiseWeight(level - static_cast<float>(lower));
  if (weight == 0) return coarse;
  return mix(coarse, sampleLevel(levels_[lower + 1], shape, x, y, z, layer), weight);
}

Texel Sampler::fetch(long long index) const {
  const Image &image = levels_[0];
  if (index < 0 || index >= static_cast<long long>(image.width)) return Texel{};
  return read(image, index, 0, 0);
}

Texel Sampler::gather(float x, float y, unsigned component) const {
  const Image &image = levels_[0];
  const Axis ax = locate(x, image.width, 0, true), ay = locate(y, image.height, 1, true);
  const unsigned channel = std::min(component, 3u);
  Texel result;
  result.u[0] = read(image, ax.first, ay.second, 0).u[channel];
  result.u[1] = read(image, ax.second, ay.second, 0).u[channel];
  result.u[2] = read(image, ax.second, ay.first, 0).u[channel];
  result.u[3] = read(image, ax.first, ay.first, 0).u[channel];
  return result;
}

}  // namespace hostwarp::texture
