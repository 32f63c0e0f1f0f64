// BC1 to BC5: two colours, or two values, and what lies between them.
#include "emu_runtime/texture/block_codes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace hostwarp::texture {

namespace {

using Colour = std::array<float, 4>;

uint64_t wordAt(const std::byte *block) {
  uint64_t word;
  std::memcpy(&word, block, sizeof word);
  return word;
}

// Packed is a colour of 5, 6 and 5 bits.
struct Packed {
  int red, green, blue;
};

Packed unpacked(unsigned bits) {
  const unsigned green = bits >> 5 & 63;
  return {static_cast<int>(bits >> 11 & 31), static_cast<int>(green << 2 | green >> 4), static_cast<int>(bits & 31)};
}

Colour fractions(int red, int green, int blue) {
  return {static_cast<float>(red) / 255.0f, static_cast<float>(green) / 255.0f, static_cast<float>(blue) / 255.0f,
          1.0f};
}

int widened(int value) { return value << 3 | value >> 2; }

// What lies between two colours is computed as NVIDIA's hardware does it: with small factors, and green, which it has
// already widened, in another way.
Colour third(const Packed &near, const Packed &far) {
  const int towards = far.green - near.green;
  return fractions((2 * near.red + far.red) * 22 / 8, (256 * near.green + towards / 4 + 128 + towards * 80) / 256,
                   (2 * near.blue + far.blue) * 22 / 8);
}

Colour middle(const Packed &a, const Packed &b) {
  const int towards = b.green - a.green;
  return fractions((a.red + b.red) * 33 / 8, (256 * a.green + towards / 4 + 128 + towards * 128) / 256,
                   (a.blue + b.blue) * 33 / 8);
}

// colours() decodes the 8 bytes of colours of BC1, whose first colour may be the smaller one, which makes the last
// index transparent, and of BC2 and BC3, where that means nothing.
Colour colours(const std::byte *block, unsigned texel, bool mayBeTransparent) {
  const uint64_t word = wordAt(block);
  const unsigned firstBits = word & 0xFFFF, secondBits = word >> 16 & 0xFFFF;
  const Packed first = unpacked(firstBits), second = unpacked(secondBits);
  const unsigned index = word >> (32 + 2 * texel) & 3;
  if (index < 2) {
    const Packed &end = index == 0 ? first : second;
    return fractions(widened(end.red), end.green, widened(end.blue));
  }
  if (!mayBeTransparent || firstBits > secondBits) return index == 2 ? third(first, second) : third(second, first);
  return index == 2 ? middle(first, second) : Colour{0, 0, 0, 0};
}

// The hardware's weights of the second end, in 257ths for bytes and in 258ths for signed ones.
struct Weights {
  float total;
  std::array<float, 6> ofEight;
  std::array<float, 4> ofSix;
};
constexpr Weights unsignedWeights{257, {36, 72, 113, 144, 185, 221}, {48, 96, 161, 209}};
constexpr Weights signedWeights{258, {36, 72, 114, 144, 186, 222}, {48, 96, 162, 210}};

// endOf() is an end as the hardware widens it, to 16 bits.
float endOf(uint8_t byte, bool isSigned) {
  if (!isSigned) return static_cast<float>(byte * 257);
  const int value = std::max<int>(static_cast<int8_t>(byte), -127), magnitude = std::abs(value);
  const int wide = magnitude << 8 | magnitude << 1 | magnitude >> 6;
  return static_cast<float>(value < 0 ? -wide : wide);
}

// value() decodes the 8 bytes of one channel: eight values from end to end, or six, 0 (or -1) and 1.
float value(const std::byte *block, unsigned texel, bool isSigned) {
  const uint64_t word = wordAt(block);
  const float first = endOf(static_cast<uint8_t>(word), isSigned);
  const float second = endOf(static_cast<uint8_t>(word >> 8), isSigned);
  const float one = isSigned ? 32767.0f : 65535.0f;
  const unsigned index = word >> (16 + 3 * texel) & 7;
  if (index < 2) return (index == 0 ? first : second) / one;
  const bool hasEight = first > second;
  if (!hasEight && index >= 6) return index == 7 ? 1.0f : isSigned ? -1.0f : 0.0f;
  const Weights &weights = isSigned ? signedWeights : unsignedWeights;
  const float weight = hasEight ? weights.ofEight[index - 2] : weights.ofSix[index - 2];
  return std::round((first * (weights.total - weight) + second * weight) / weights.total) / one;
}

}  // namespace

Colour decodeTexel(BlockCode code, const std::byte *block, unsigned x, unsigned y) {
  const unsigned texel = 4 * y + x;
  Colour colour{0, 0, 0, 1};
  switch (code) {
    case BlockCode::None:
      break;
    case BlockCode::Bc1:
      return colours(block, texel, true);
    case BlockCode::Bc2:
      colour = colours(block + 8, texel, false);
      colour[3] = static_cast<float>(wordAt(block) >> (4 * texel) & 15) / 15.0f;
      break;
    case BlockCode::Bc3:
      colour = colours(block + 8, texel, false);
      colour[3] = std::round(value(block, texel, false) * 255.0f) / 255.0f;
      break;
    case BlockCode::Bc4:
    case BlockCode::SignedBc4:
      colour[0] = value(block, texel, code == BlockCode::SignedBc4);
      break;
    case BlockCode::Bc5:
    case BlockCode::SignedBc5:
      colour[0] = value(block, texel, code == BlockCode::SignedBc5);
      colour[1] = value(block + 8, texel, code == BlockCode::SignedBc5);
      break;
    case BlockCode::Bc6h:
    case BlockCode::SignedBc6h:
      return decodeBc6h(block, texel, code == BlockCode::SignedBc6h);
    case BlockCode::Bc7:
      return decodeBc7(block, texel);
  }
  return colour;
}

}  // namespace hostwarp::texture
