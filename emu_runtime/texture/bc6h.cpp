// BC6H: colours of halfs, whose endpoints lie scattered over the block and may be differences to the first one.
#include <bit>
#include <cstring>
#include <string_view>

#include "emu_runtime/texture/block_bits.h"
#include "emu_runtime/texture/block_codes.h"

namespace hostwarp::texture {

namespace {

// Layout is where the bits of a mode's fields go, in their order in the block.
struct Layout {
  struct Bit {
    uint8_t channel, endpoint, bit;
  };
  std::array<Bit, 75> bits{};
  unsigned count = 0;

  explicit constexpr Layout(std::string_view fields) {
    while (!fields.empty()) {
      const auto channel = static_cast<uint8_t>(std::string_view("rgb").find(fields[0]));
      const auto endpoint = static_cast<uint8_t>(std::string_view("wxyz").find(fields[1]));
      fields.remove_prefix(2);
      const int first = numberIn(fields);
      int last = first;
      if (fields.starts_with('-')) {
        fields.remove_prefix(1);
        last = numberIn(fields);
      }
      const int step = last < first ? -1 : 1;
      for (int bit = first; bit != last + step; bit += step)
        bits[count++] = {channel, endpoint, static_cast<uint8_t>(bit)};
      if (fields.starts_with(' ')) fields.remove_prefix(1);
    }
  }

 private:
  static constexpr int numberIn(std::string_view &text) {
    int number = 0;
    while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
      number = 10 * number + (text[0] - '0');
      text.remove_prefix(1);
    }
    return number;
  }
};

// Fields are named by channel (r, g, b), endpoint (w, x, y, z) and their bits, the one that comes first in the block
// first: "gy0-3" or "bz4".
struct Bc6hMode {
  unsigned code, codeBits, subsets;
  bool hasDifferences;
  unsigned bits;
  std::array<unsigned, 3> otherBits;  // of the endpoints x, y and z, for each channel
  Layout fields;
};

constexpr Bc6hMode bc6hModes[] = {
    {0,
     2,
     2,
     true,
     10,
     {5, 5, 5},
     Layout("gy4 by4 bz4 rw0-9 gw0-9 bw0-9 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3")},
    {1,
     2,
     2,
     true,
     7,
     {6, 6, 6},
     Layout(
         "gy5 gz4 gz5 rw0-6 bz0 bz1 by4 gw0-6 by5 bz2 gy4 bw0-6 bz3 bz5 bz4 rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 by0-3 ry0-5 "
         "rz0-5")},
    {2,
     5,
     2,
     true,
     11,
     {5, 4, 4},
     Layout("rw0-9 gw0-9 bw0-9 rx0-4 rw10 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-3 bw10 bz1 by0-3 ry0-4 bz2 rz0-4 bz3")},
    {6,
     5,
     2,
     true,
     11,
     {4, 5, 4},
     Layout(
         "rw0-9 gw0-9 bw0-9 rx0-3 rw10 gz4 gy0-3 gx0-4 gw10 gz0-3 bx0-3 bw10 bz1 by0-3 ry0-3 bz0 bz2 rz0-3 gy4 bz3")},
    {10,
     5,
     2,
     true,
     11,
     {4, 4, 5},
     Layout(
         "rw0-9 gw0-9 bw0-9 rx0-3 rw10 by4 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-4 bw10 by0-3 ry0-3 bz1 bz2 rz0-3 bz4 bz3")},
    {14,
     5,
     2,
     true,
     9,
     {5, 5, 5},
     Layout("rw0-8 by4 gw0-8 gy4 bw0-8 bz4 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3")},
    {18,
     5,
     2,
     true,
     8,
     {6, 5, 5},
     Layout("rw0-7 gz4 by4 gw0-7 bz2 gy4 bw0-7 bz3 bz4 rx0-5 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-5 rz0-5")},
    {22,
     5,
     2,
     true,
     8,
     {5, 6, 5},
     Layout(
         "rw0-7 bz0 by4 gw0-7 gy5 gy4 bw0-7 gz5 bz4 rx0-4 gz4 gy0-3 gx0-5 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3")},
    {26,
     5,
     2,
     true,
     8,
     {5, 5, 6},
     Layout(
         "rw0-7 bz1 by4 gw0-7 by5 gy4 bw0-7 bz5 bz4 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-5 by0-3 ry0-4 bz2 rz0-4 bz3")},
    {30,
     5,
     2,
     false,
     6,
     {6, 6, 6},
     Layout(
         "rw0-5 gz4 bz0 bz1 by4 gw0-5 gy5 by5 bz2 gy4 bw0-5 gz5 bz3 bz5 bz4 rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 by0-3 ry0-5 "
         "rz0-5")},
    {3, 5, 1, false, 10, {10, 10, 10}, Layout("rw0-9 gw0-9 bw0-9 rx0-9 gx0-9 bx0-9")},
    {7, 5, 1, true, 11, {9, 9, 9}, Layout("rw0-9 gw0-9 bw0-9 rx0-8 rw10 gx0-8 gw10 bx0-8 bw10")},
    {11, 5, 1, true, 12, {8, 8, 8}, Layout("rw0-9 gw0-9 bw0-9 rx0-7 rw11-10 gx0-7 gw11-10 bx0-7 bw11-10")},
    {15, 5, 1, true, 16, {4, 4, 4}, Layout("rw0-9 gw0-9 bw0-9 rx0-3 rw15-10 gx0-3 gw15-10 bx0-3 bw15-10")},
};

using Bc6hEndpoints = std::array<std::array<int, 4>, 3>;  // of each channel

// readBc6hEndpoints() collects the fields.
Bc6hEndpoints readBc6hEndpoints(const Bc6hMode &mode, BlockBits &bits) {
  Bc6hEndpoints result{};
  for (unsigned i = 0; i < mode.fields.count; ++i) {
    const auto [channel, endpoint, bit] = mode.fields.bits[i];
    result[channel][endpoint] |= static_cast<int>(bits.take(1)) << bit;
  }
  return result;
}

int signExtended(int value, unsigned bits) {
  const int shift = static_cast<int>(32 - bits);
  return static_cast<int>(static_cast<unsigned>(value) << shift) >> shift;
}

// resolve() turns differences into endpoints.
void resolve(Bc6hEndpoints &endpoints, const Bc6hMode &mode, bool isSigned) {
  const int mask = (1 << mode.bits) - 1;
  for (unsigned channel = 0; channel < 3; ++channel) {
    auto &[w, x, y, z] = endpoints[channel];
    if (isSigned) w = signExtended(w, mode.bits);
    for (int *other : {&x, &y, &z}) {
      if (mode.hasDifferences) *other = (w + signExtended(*other, mode.otherBits[channel])) & mask;
      if (isSigned) *other = signExtended(*other, mode.bits);
    }
  }
}

// unquantized() widens an endpoint to 16 bits, or 15 and a sign.
int unquantized(int value, unsigned bits, bool isSigned) {
  if (!isSigned) {
    if (bits >= 15 || value == 0) return value;
    return value == (1 << bits) - 1 ? 0xFFFF : ((value << 15) + 0x4000) >> (bits - 1);
  }
  if (bits >= 16) return value;
  const bool negative = value < 0;
  int magnitude = negative ? -value : value;
  if (magnitude != 0)
    magnitude = magnitude >= (1 << (bits - 1)) - 1 ? 0x7FFF : ((magnitude << 15) + 0x4000) >> (bits - 1);
  return negative ? -magnitude : magnitude;
}

// halfOf() scales to the bits of a half that is finite.
uint16_t halfOf(int value, bool isSigned) {
  if (!isSigned) return static_cast<uint16_t>(value * 31 >> 6);
  return value < 0 ? static_cast<uint16_t>(0x8000 | (-value * 31 >> 5)) : static_cast<uint16_t>(value * 31 >> 5);
}

float widened(uint16_t half) {
  _Float16 value;
  std::memcpy(&value, &half, sizeof value);
  return static_cast<float>(value);
}

}  // namespace

std::array<float, 4> decodeBc6h(const std::byte *block, unsigned texel, bool isSigned) {
  BlockBits bits(block);
  const Bc6hMode *mode = nullptr;
  for (const Bc6hMode &each : bc6hModes)
    if (bits.at(0, each.codeBits) == each.code) mode = &each;
  if (!mode) return {0, 0, 0, 1};
  bits.take(mode->codeBits);
  Bc6hEndpoints endpoints = readBc6hEndpoints(*mode, bits);
  const Partition partition{mode->subsets, mode->subsets == 2 ? bits.take(5) : 0};
  resolve(endpoints, *mode, isSigned);

  const unsigned indexBits = mode->subsets == 2 ? 3 : 4;
  const IndexField field = indexField(partition, texel, indexBits, bits.position());
  const int weight = static_cast<int>(weightOf(bits.at(field.first, field.bits), indexBits));
  const unsigned subset = partition.subsetOf(texel);
  std::array<float, 4> colour{0, 0, 0, 1};
  for (unsigned channel = 0; channel < 3; ++channel) {
    const int first = unquantized(endpoints[channel][2 * subset], mode->bits, isSigned);
    const int second = unquantized(endpoints[channel][2 * subset + 1], mode->bits, isSigned);
    colour[channel] = widened(halfOf((first * (64 - weight) + second * weight + 32) >> 6, isSigned));
  }
  return colour;
}

}  // namespace hostwarp::texture
