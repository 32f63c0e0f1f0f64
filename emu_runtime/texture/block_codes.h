// Block-compressed texels: 4x4 of them in 8 or 16 bytes, the formats BC1 to BC7 of graphics.
#ifndef HOSTWARP_EMU_RUNTIME_TEXTURE_BLOCK_CODES_H
#define HOSTWARP_EMU_RUNTIME_TEXTURE_BLOCK_CODES_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace hostwarp::texture {

enum class BlockCode : uint8_t { None, Bc1, Bc2, Bc3, Bc4, SignedBc4, Bc5, SignedBc5, Bc6h, SignedBc6h, Bc7 };

inline constexpr size_t blockEdge = 4;

inline size_t blockBytes(BlockCode code) {
  return code == BlockCode::Bc1 || code == BlockCode::Bc4 || code == BlockCode::SignedBc4 ? 8 : 16;
}

// decodeTexel() is texel (x, y) of a block, 0 <= x, y < 4. Colours are in [0,1] or [-1,1], but for BC6H, which has
// halfs. Channels that the code lacks are 0, a missing alpha is 1.
std::array<float, 4> decodeTexel(BlockCode code, const std::byte *block, unsigned x, unsigned y);

// For decodeTexel().
std::array<float, 4> decodeBc6h(const std::byte *block, unsigned texel, bool isSigned);
std::array<float, 4> decodeBc7(const std::byte *block, unsigned texel);

}  // namespace hostwarp::texture

#endif  // HOSTWARP_EMU_RUNTIME_TEXTURE_BLOCK_CODES_H
