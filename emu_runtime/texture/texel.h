// How one texel lies in memory and what reading it gives.
#ifndef HOSTWARP_EMU_RUNTIME_TEXTURE_TEXEL_H
#define HOSTWARP_EMU_RUNTIME_TEXTURE_TEXEL_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "include/driver_types.h"

namespace hostwarp::texture {

// Texel holds the four channels of a read, as floats when the read converts and as 32-bit integers otherwise. Channels
// that the format lacks are 0.
union Texel {
  std::array<float, 4> f;
  std::array<uint32_t, 4> u;
};

// TexelFormat is a cudaChannelFormatDesc in the form that reading needs: 1, 2 or 4 channels of 8, 16 or 32 bits.
struct TexelFormat {
  enum class Kind : uint8_t { Signed, Unsigned, Float } kind = Kind::Unsigned;
  uint8_t channels = 1;
  uint8_t channelBytes = 1;

  size_t bytes() const { return static_cast<size_t>(channels) * channelBytes; }
  bool isFloat() const { return kind == Kind::Float; }

  // from() translates the descriptor; false when no texture can have it (mixed widths, 3 channels, 64 bits).
  static bool from(const cudaChannelFormatDesc &description, TexelFormat &format);
  cudaChannelFormatDesc description() const;

  // readRaw() gives integers as they are (sign-extended) and floats as float; half is widened.
  Texel readRaw(const std::byte *address) const {
    if (channelBytes != 4) return readNarrow(address);
    Texel texel{};
    for (unsigned i = 0; i < channels; ++i) std::memcpy(&texel.u[i], address + 4 * i, 4);
    return texel;
  }
  // readNormalised() maps integers to [0,1] or [-1,1]; sRGB decodes the colour channels of 8-bit formats.
  Texel readNormalised(const std::byte *address, bool sRgb) const;

 private:
  Texel readNarrow(const std::byte *address) const;
};

}  // namespace hostwarp::texture

#endif  // HOSTWARP_EMU_RUNTIME_TEXTURE_TEXEL_H
