#include "emu_runtime/texture/texel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace hostwarp::texture {

namespace {

template <class T>
T load(const std::byte *address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

float halfToFloat(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 31u, fraction = bits & 1023u;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

int32_t loadSigned(const std::byte *address, unsigned bytes) {
  if (bytes == 1) return load<int8_t>(address);
  return bytes == 2 ? load<int16_t>(address) : load<int32_t>(address);
}

uint32_t loadUnsigned(const std::byte *address, unsigned bytes) {
  if (bytes == 1) return load<uint8_t>(address);
  return bytes == 2 ? load<uint16_t>(address) : load<uint32_t>(address);
}

float loadFloat(const std::byte *address, unsigned bytes) {
  return bytes == 2 ? halfToFloat(load<uint16_t>(address)) : load<float>(address);
}

float decodeSrgb(float value) { return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f); }

struct NamedKind {
  cudaChannelFormatDesc description;
  TexelFormat format;
};

// namedKinds() are the kinds of channels whose name says all of the format.
constexpr NamedKind namedKinds[] = {
#define HOSTWARP_CHANNEL_KIND(name, driverName, x, y, z, w, kind, normalised, code, srgb)                        \
  {{x, y, z, w, cudaChannelFormatKind##name},                                                                    \
   {TexelFormat::Kind::kind, static_cast<uint8_t>((x != 0) + (y != 0) + (z != 0) + (w != 0)), x / 8, normalised, \
    BlockCode::code, srgb, BlockCode::code != BlockCode::None, cudaChannelFormatKind##name}},
#include "emu_runtime/texture/texel_formats.def"
};

bool isSame(const cudaChannelFormatDesc &a, const cudaChannelFormatDesc &b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w && a.f == b.f;
}

}  // namespace

bool TexelFormat::from(cudaResourceViewFormat view, TexelFormat &format) {
  switch (view) {
    case cudaResViewFormatNone:
      break;
#define HOSTWARP_VIEW(name, kind, channels, bytes)     \
  case cudaResViewFormat##name:                        \
    format = TexelFormat{Kind::kind, channels, bytes}; \
    return true;
#define HOSTWARP_BLOCK_VIEW(name, code)                              \
  case cudaResViewFormat##name:                                      \
    format = TexelFormat{Kind::Block, 4, 1, false, BlockCode::code}; \
    return true;
#include "emu_runtime/texture/texel_formats.def"
  }
  return false;
}

bool TexelFormat::from(const cudaChannelFormatDesc &description, TexelFormat &format) {
  for (const NamedKind &named : namedKinds) {
    if (!isSame(named.description, description)) continue;
    format = named.format;
    return true;
  }
  const int widths[4] = {description.x, description.y, description.z, description.w};
  int channels = 0;
  while (channels < 4 && widths[channels] > 0) ++channels;
  const bool contiguous = std::all_of(widths + channels, widths + 4, [](int width) { return width == 0; });
  const bool equal = std::all_of(widths, widths + channels, [&](int width) { return width == widths[0]; });
  if (!contiguous || !equal || (channels != 1 && channels != 2 && channels != 4)) return false;
  if (widths[0] != 8 && widths[0] != 16 && widths[0] != 32) return false;
  if (description.f == cudaChannelFormatKindFloat && widths[0] == 8) return false;
  format = TexelFormat{};
  format.channels = static_cast<uint8_t>(channels);
  format.channelBytes = static_cast<uint8_t>(widths[0] / 8);
  if (description.f == cudaChannelFormatKindFloat)
    format.kind = Kind::Float;
  else if (description.f == cudaChannelFormatKindSigned)
    format.kind = Kind::Signed;
  else if (description.f == cudaChannelFormatKindUnsigned)
    format.kind = Kind::Unsigned;
  else
    return false;
  return true;
}

cudaChannelFormatDesc TexelFormat::description() const {
  for (const NamedKind &named : namedKinds)
    if (declared == named.description.f) return named.description;
  const int width = channelBytes * 8;
  const cudaChannelFormatKind kinds[] = {cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned,
                                         cudaChannelFormatKindFloat};
  return {width, channels > 1 ? width : 0, channels > 2 ? width : 0, channels > 3 ? width : 0,
          kinds[static_cast<int>(kind)]};
}

Texel TexelFormat::readNarrow(const std::byte *address) const {
  Texel texel{};
  for (unsigned i = 0; i < channels; ++i, address += channelBytes) {
    if (kind == Kind::Float)
      texel.f[i] = loadFloat(address, channelBytes);
    else if (kind == Kind::Signed)
      texel.u[i] = static_cast<uint32_t>(loadSigned(address, channelBytes));
    else
      texel.u[i] = loadUnsigned(address, channelBytes);
  }
  return texel;
}

Texel TexelFormat::readBlock(const std::byte *block, size_t x, size_t y, bool asSrgb) const {
  Texel texel;
  texel.f = decodeTexel(code, block, static_cast<unsigned>(x), static_cast<unsigned>(y));
  const bool hasAlpha =
      code == BlockCode::Bc1 || code == BlockCode::Bc2 || code == BlockCode::Bc3 || code == BlockCode::Bc7;
  if (!hasAlpha) texel.f[3] = opaque ? 1.0f : 0.0f;
  for (unsigned i = 0; asSrgb && hasAlpha && i < 3; ++i) texel.f[i] = decodeSrgb(texel.f[i]);
  return texel;
}

// Only the red channel of formats with one or two is sRGB to the hardware.
Texel TexelFormat::readNormalised(const std::byte *address, bool asSrgb) const {
  if (isFloat()) return readRaw(address);
  Texel texel{};
  const double largest = std::ldexp(1.0, channelBytes * 8 - (kind == Kind::Signed ? 1 : 0)) - 1.0;
  for (unsigned i = 0; i < channels; ++i, address += channelBytes) {
    const double value = kind == Kind::Signed ? std::max(-1.0, loadSigned(address, channelBytes) / largest)
                                              : loadUnsigned(address, channelBytes) / largest;
    texel.f[i] = static_cast<float>(value);
    const bool isColour = channels == 4 ? i < 3 : i == 0;
    if (asSrgb && channelBytes == 1 && kind == Kind::Unsigned && isColour) texel.f[i] = decodeSrgb(texel.f[i]);
  }
  return texel;
}

}  // namespace hostwarp::texture
