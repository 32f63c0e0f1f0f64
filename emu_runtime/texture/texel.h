// How one texel lies in memory and what reading it gives.
#ifndef HOSTWARP_EMU_RUNTIME_TEXTURE_TEXEL_H
#define HOSTWARP_EMU_RUNTIME_TEXTURE_TEXEL_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "emu_runtime/texture/block_codes.h"
#include "include/driver_types.h"

namespace hostwarp::texture {

// Texel holds the four channels of a read, as floats when the read converts and as 32-bit integers otherwise. Channels
// that the format lacks are 0.
union Texel {
  std::array<float, 4> f;
  std::array<uint32_t, 4> u;
};

// TexelFormat is a cudaChannelFormatDesc in the form that reading needs: 1, 2 or 4 channels of 8, 16 or 32 bits, or
// blocks of compressed texels.
struct TexelFormat {
  enum class Kind : uint8_t { Signed, Unsigned, Float, Block } kind = Kind::Unsigned;
  uint8_t channels = 1;
  uint8_t channelBytes = 1;
  bool normalised = false;  // read as fractions only
  BlockCode code = BlockCode::None;
  bool sRgb = false;     // read as sRGB only
  bool opaque = false;   // a missing alpha is 1
  uint8_t declared = 0;  // the cudaChannelFormatKind, unless it is one of the plain ones

  // bytes() is the size of an element: a texel, or a block.
  size_t bytes() const { return isBlock() ? blockBytes(code) : static_cast<size_t>(channels) * channelBytes; }
  // edge() is the texels of an element in a row or a column.
  size_t edge() const { return isBlock() ? blockEdge : 1; }
  bool isBlock() const { return kind == Kind::Block; }
  bool isFloat() const { return kind == Kind::Float || code == BlockCode::Bc6h || code == BlockCode::SignedBc6h; }

  // from() translates the descriptor; false when no texture can have it (mixed widths, 3 channels, 64 bits).
  static bool from(const cudaChannelFormatDesc &description, TexelFormat &format);
  // from() translates the format of a view; false for none.
  static bool from(cudaResourceViewFormat view, TexelFormat &format);
  cudaChannelFormatDesc description() const;

  // readRaw() gives integers as they are (sign-extended) and floats as float; half is widened.
  Texel readRaw(const std::byte *address) const {
    if (channelBytes != 4) return readNarrow(address);
    Texel texel{};
    for (unsigned i = 0; i < channels; ++i) std::memcpy(&texel.u[i], address + 4 * i, 4);
    return texel;
  }
  // readBlock() gives texel (x, y) of a block as floats; sRGB decodes the colour channels.
  Texel readBlock(const std::byte *block, size_t x, size_t y, bool asSrgb) const;
  // readNormalised() maps integers to [0,1] or [-1,1]; sRGB decodes the colour channels of 8-bit formats.
  Texel readNormalised(const std::byte *address, bool asSrgb) const;

 private:
  Texel readNarrow(const std::byte *address) const;
};

}  // namespace hostwarp::texture

#endif  // HOSTWARP_EMU_RUNTIME_TEXTURE_TEXEL_H
