#include "emu_runtime/texture/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "include/hostwarp/texture_view.h"

namespace hostwarp::texture {

namespace {

// Index -1 stands for "outside, give the border colour".
constexpr long long outside = -1;

// toFixed() is the value with `bits` fractional bits, rounded down. (std::floor() is a call of the C library on
// processors of the baseline.)
long long toFixed(double value, int bits) {
  const double scaled = value * static_cast<double>(1LL << bits);
  const auto truncated = static_cast<long long>(scaled);
  return truncated - (static_cast<double>(truncated) > scaled);
}

// Place is a coordinate in texels: which one, and for linear filtering the weight of the next, in 256ths. The
// arithmetic is that of a GPU: normalised coordinates have 21 fractional bits, weights 8.
struct Place {
  long long texel;
  float weight;
};

// pre: the coordinate is not NaN and lies within a trillion.
Place placeOf(float coordinate, size_t size, bool normalised, bool linear) {
  double position = coordinate;
  if (normalised) position = static_cast<double>(toFixed(position, 21)) * static_cast<double>(size) / (1 << 21);
  if (!linear) return {toFixed(position, 0), 0};
  const long long fixed = toFixed(position + 1.0 / 512, 8) - 128;
  return {fixed >> 8, static_cast<float>(fixed & 255) / 256.0f};
}

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

Texel colourOf(const cudaTextureDesc &description) {
  Texel border;
  for (int i = 0; i < 4; ++i) border.f[i] = description.borderColor[i];
  return border;
}

}  // namespace

Sampler::Sampler(std::vector<Image> levels, const cudaTextureDesc &description, bool readsIntegers)
    : levels_(std::move(levels)), description_(description) {
  const TexelFormat &format = levels_[0].format;
  isRaw_ = !format.isBlock() && (readsIntegers || format.isFloat() || format.channelBytes == 4);
  returnsFloat_ = !isRaw_ || format.isFloat();
  isLinear_ = description_.filterMode == cudaFilterModeLinear && returnsFloat_;
  // Wrap and mirror exist for normalised coordinates only; otherwise the hardware clamps.
  for (int axis = 0; axis < 3; ++axis) {
    const cudaTextureAddressMode asked = description_.addressMode[axis];
    const bool needsNormalised = asked == cudaAddressModeWrap || asked == cudaAddressModeMirror;
    mode_[axis] = needsNormalised && !description_.normalizedCoords ? cudaAddressModeClamp : asked;
  }
  view_ = makeView();
}

// formOfView() is HW_TEXEL_OTHER for what device code cannot read by itself.
hw_texel_form Sampler::formOfView() const {
  const TexelFormat &format = levels_[0].format;
  if (format.isBlock()) return HW_TEXEL_OTHER;
  if (isRaw_ && format.channelBytes == 4) return HW_TEXEL_32;
  if (format.isFloat()) return HW_TEXEL_OTHER;
  if (isRaw_) return format.channelBytes == 2 ? HW_TEXEL_16 : HW_TEXEL_8;
  const bool isPlainByte = format.channelBytes == 1 && format.kind == TexelFormat::Kind::Unsigned && !description_.sRGB;
  return isPlainByte ? HW_TEXEL_UNORM_8 : HW_TEXEL_OTHER;
}

hw_texture_view Sampler::makeView() const {
  constexpr size_t longest = std::numeric_limits<int>::max();
  const Image &image = levels_[0];
  hw_texture_view view = {};
  if (levels_.size() > 1 || image.depth > 1 || image.width > longest || image.height > longest) return view;
  view.data = reinterpret_cast<const char *>(image.data);
  view.rowBytes = image.rowBytes;
  view.width = static_cast<uint32_t>(image.width);
  view.height = static_cast<uint32_t>(image.height);
  view.form = formOfView();
  view.channels = image.format.channels;
  if (description_.normalizedCoords) view.flags |= HW_TEXTURE_NORMALISED;
  if (isLinear_) view.flags |= HW_TEXTURE_LINEAR;
  if (mode_[0] == cudaAddressModeClamp) view.flags |= HW_TEXTURE_CLAMPS_X;
  if (mode_[1] == cudaAddressModeClamp) view.flags |= HW_TEXTURE_CLAMPS_Y;
  return view;
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
  if (std::isnan(coordinate)) coordinate = 0;
  constexpr float farAway = 1e12f;  // keeps the conversion to integers defined
  const Place place = placeOf(std::clamp(coordinate, -farAway, farAway), size, description_.normalizedCoords, linear);
  if (!linear) return {wrapIndex(place.texel, size, axis), 0, 0};
  return {wrapIndex(place.texel, size, axis), wrapIndex(place.texel + 1, size, axis), place.weight};
}

// border() is the border colour as a texel of the format could hold it: integers have the bits of the float that was
// given, normalised ones the nearest value, of two the smaller. What the format lacks is zero.
Texel Sampler::border() const {
  const TexelFormat &format = levels_[0].format;
  if (format.isBlock()) return colourOf(description_);
  std::array<std::byte, 16> bytes{};
  for (unsigned i = 0; i < format.channels; ++i) {
    const float colour = description_.borderColor[i];
    if (format.isFloat()) continue;
    auto bits = std::bit_cast<int32_t>(colour);
    if (!isRaw_) {
      const bool isSigned = format.kind == TexelFormat::Kind::Signed;
      const double largest = static_cast<double>((1LL << (format.channelBytes * 8 - isSigned)) - 1);
      bits = static_cast<int32_t>(std::ceil(std::clamp<double>(colour, isSigned ? -1 : 0, 1) * largest - 0.5));
    }
    std::memcpy(&bytes[i * format.channelBytes], &bits, format.channelBytes);
  }
  if (!isRaw_) return format.readNormalised(bytes.data(), description_.sRGB);
  if (!format.isFloat()) return format.readRaw(bytes.data());
  Texel colour = colourOf(description_);
  std::fill(colour.f.begin() + format.channels, colour.f.end(), 0.0f);
  return colour;
}

Texel Sampler::read(const Image &image, long long x, long long y, long long z) const {
  if ((x | y | z) < 0) return border();
  const std::byte *address = image.at(x, y, z);
  if (isRaw_) return image.format.readRaw(address);
  if (image.format.isBlock()) return image.format.readBlock(address, x % blockEdge, y % blockEdge, description_.sRGB);
  return image.format.readNormalised(address, description_.sRGB);
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
  // A linear texture without layers is an image of one row, of which a border may be seen.
  const bool isRow = shape == Shape::OneD && image.depth == 1;
  const Axis ay = isRow ? locate(0, 1, 1, linear) : shape == Shape::OneD ? Axis{} : locate(y, image.height, 1, linear);
  const Axis az = shape == Shape::ThreeD ? locate(z, image.depth, 2, linear) : Axis{};
  // A negative layer is a very large one.
  const long long slice = std::min<long long>(static_cast<unsigned>(layer), layers - 1);
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

bool Sampler::sampleInside(Shape shape, float x, float y, hw_texel &result) const {
  if (shape != Shape::TwoD || view_.form != HW_TEXEL_32) return false;
  if (view_.channels == 1) return texture_detail::sampleView<HW_TEXEL_32, 1>(view_, x, y, result);
  if (view_.channels == 2) return texture_detail::sampleView<HW_TEXEL_32, 2>(view_, x, y, result);
  return texture_detail::sampleView<HW_TEXEL_32, 4>(view_, x, y, result);
}

Texel Sampler::sample(Shape shape, float x, float y, float z, int layer, float lod) const {
  if (levels_.size() == 1) return sampleLevel(levels_[0], shape, x, y, z, layer);
  const auto top = static_cast<long long>(levels_.size() - 1) * 256;
  const long long lowest = toFixed(description_.minMipmapLevelClamp, 8),
                  highest = std::max(lowest, toFixed(description_.maxMipmapLevelClamp, 8));
  const auto towardsZero = [](float detail) { return static_cast<long long>(detail * 256.0f); };
  long long level =
      towardsZero(std::isnan(lod) ? 0 : std::clamp(lod, -1e3f, 1e3f)) + towardsZero(description_.mipmapLevelBias);
  level = std::clamp(std::clamp(level, lowest, highest), 0LL, top);
  if (description_.mipmapFilterMode == cudaFilterModePoint || !returnsFloat_)
    return sampleLevel(levels_[static_cast<size_t>((level + 128) >> 8)], shape, x, y, z, layer);
  const auto lower = static_cast<size_t>(level >> 8);
  const Texel coarse = sampleLevel(levels_[lower], shape, x, y, z, layer);
  const float weight = static_cast<float>(level & 255) / 256.0f;
  if (weight == 0) return coarse;
  return mix(coarse, sampleLevel(levels_[lower + 1], shape, x, y, z, layer), weight);
}

Texel Sampler::fetch(long long index) const {
  const Image &image = levels_[0];
  if (index < 0 || index >= static_cast<long long>(image.width)) return Texel{};
  return read(image, index, 0, 0);
}

Texel Sampler::load(long long x, long long y, long long z, long long level) const {
  const auto isInside = [](long long index, size_t count) {
    return index >= 0 && index < static_cast<long long>(count);
  };
  if (!isInside(level, levels_.size())) return Texel{};
  const Image &image = levels_[static_cast<size_t>(level)];
  if (!isInside(x, image.width) || !isInside(y, image.height) || !isInside(z, image.depth)) return Texel{};
  return read(image, x, y, z);
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
