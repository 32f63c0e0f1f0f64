#include "emu_runtime/texture/sampler.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace hostwarp::texture {

namespace {

// Index -1 stands for "outside, give the border colour".
constexpr long long outside = -1;

// floorOf() is what std::floor() calls the C library for on processors of the baseline.
long long floorOf(float value) {
  const auto truncated = static_cast<long long>(value);
  return truncated - (static_cast<float>(truncated) > value);
}

// The filter weight, which is not negative, is a fixed-point number with 8 fractional bits.
float quantiseWeight(float weight) { return static_cast<float>(static_cast<int>(weight * 256.0f + 0.5f)) / 256.0f; }

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
    : levels_(std::move(levels)), description_(description) {
  returnsFloat_ = description_.readMode == cudaReadModeNormalizedFloat || levels_[0].format.isFloat();
  isLinear_ = description_.filterMode == cudaFilterModeLinear && returnsFloat_;
  isRaw_ = description_.readMode != cudaReadModeNormalizedFloat || levels_[0].format.isFloat();
  const Image &image = levels_[0];
  isPlain_ = levels_.size() == 1 && image.depth == 1 && isRaw_ && image.format.channelBytes == 4;
  scale_[0] = description_.normalizedCoords ? static_cast<float>(image.width) : 1.0f;
  scale_[1] = description_.normalizedCoords ? static_cast<float>(image.height) : 1.0f;
  // Wrap and mirror exist for normalised coordinates only; otherwise the hardware clamps.
  for (int axis = 0; axis < 3; ++axis) {
    const cudaTextureAddressMode asked = description_.addressMode[axis];
    const bool needsNormalised = asked == cudaAddressModeWrap || asked == cudaAddressModeMirror;
    mode_[axis] = needsNormalised && !description_.normalizedCoords ? cudaAddressModeClamp : asked;
  }
}

long long Sampler::wrapIndex(long long index, size_t size, int axis) const {
  const long long count = static_cast<long long>(size);
  if (index >= 0 && index < count) return index;
  switch (mode_[axis]) {
    case cudaAddressModeWrap:
      return ((index % count) + count) % count;
    case cudaAddressModeMirror: {
      const long long period = 2 * count, folded = ((index % period) + period) % period;
      return folded < count ? folded : period - 1 - folded;
    }
    case cudaAddressModeBorder:
      return outside;
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
  if (!linear) return {wrapIndex(floorOf(position), size, axis), 0, 0};
  const float shifted = position - 0.5f;
  const long long index = floorOf(shifted);
  return {wrapIndex(index, size, axis), wrapIndex(index + 1, size, axis),
          quantiseWeight(shifted - static_cast<float>(index))};
}

Texel Sampler::border() const {
  Texel border;
  for (int i = 0; i < 4; ++i) {
    if (returnsFloat_)
      border.f[i] = description_.borderColor[i];
    else
      border.u[i] = static_cast<uint32_t>(static_cast<long long>(description_.borderColor[i]));
  }
  return border;
}

Texel Sampler::read(const Image &image, long long x, long long y, long long z) const {
  if ((x | y | z) < 0) return border();
  const std::byte *address = image.at(x, y, z);
  return isRaw_ ? image.format.readRaw(address) : image.format.readNormalised(address, description_.sRGB);
}

Texel Sampler::sampleLevel(const Image &image, Shape shape, float x, float y, float z, int layer) const {
  const bool linear = isLinear_;
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

namespace {

// Quad is the four texels of `channels` floats around a point, and the weights of the right and of the lower ones.
struct Quad {
  const std::byte *first;
  size_t rowBytes;
  float across, down;
};

// mixQuad() does what mix() of mix() does, without taking whole texels through memory.
template <unsigned channels>
void mixQuad(const Quad &quad, Texel &result) {
  const auto value = [&](size_t row, size_t column, unsigned channel) {
    float read;
    std::memcpy(&read, quad.first + row * quad.rowBytes + (column * channels + channel) * sizeof read, sizeof read);
    return read;
  };
  for (unsigned i = 0; i < channels; ++i) {
    const float upper = value(0, 0, i) * (1.0f - quad.across) + value(0, 1, i) * quad.across,
                lower = value(1, 0, i) * (1.0f - quad.across) + value(1, 1, i) * quad.across;
    result.f[i] = upper * (1.0f - quad.down) + lower * quad.down;
  }
  for (unsigned i = channels; i < 4; ++i) result.u[i] = 0;
}

template <unsigned channels>
void copyTexel(const std::byte *texel, Texel &result) {
  std::memcpy(result.u.data(), texel, channels * sizeof(uint32_t));
  for (unsigned i = channels; i < 4; ++i) result.u[i] = 0;
}

template <unsigned channels>
void readQuad(const Quad &quad, Texel &result) {
  if (quad.across == 0 && quad.down == 0) return copyTexel<channels>(quad.first, result);
  mixQuad<channels>(quad, result);
}

}  // namespace

bool Sampler::sampleInside(Shape shape, float x, float y, Texel &result) const {
  if (!isPlain_ || shape != Shape::TwoD) return false;
  const Image &image = levels_[0];
  const float shift = isLinear_ ? 0.5f : 0.0f, margin = 2 * shift;
  x = x * scale_[0] - shift;
  y = y * scale_[1] - shift;
  if (!(x >= 0 && x < static_cast<float>(image.width) - margin)) return false;
  if (!(y >= 0 && y < static_cast<float>(image.height) - margin)) return false;
  const auto left = static_cast<unsigned>(x), top = static_cast<unsigned>(y);
  Quad quad{image.at(left, top, 0), image.rowBytes, 0, 0};
  if (isLinear_) {
    quad.across = quantiseWeight(x - static_cast<float>(left));
    quad.down = quantiseWeight(y - static_cast<float>(top));
    // A neighbour without weight is not to be looked at: it may be infinite.
    if ((quad.across == 0) != (quad.down == 0)) return false;
  }
  if (image.format.channels == 1)
    readQuad<1>(quad, result);
  else if (image.format.channels == 2)
    readQuad<2>(quad, result);
  else
    readQuad<4>(quad, result);
  return true;
}

Texel Sampler::sample(Shape shape, float x, float y, float z, int layer, float lod) const {
  if (levels_.size() == 1) return sampleLevel(levels_[0], shape, x, y, z, layer);
  const float top = static_cast<float>(levels_.size() - 1);
  float level = lod + description_.mipmapLevelBias;
  level = std::clamp(level, description_.minMipmapLevelClamp,
                     std::max(description_.minMipmapLevelClamp, description_.maxMipmapLevelClamp));
  level = std::clamp(level, 0.0f, top);
  if (description_.mipmapFilterMode == cudaFilterModePoint || !returnsFloat_)
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
