// BC7: eight bc7Modes of endpoints with and without alpha, in up to three subsets.
#include <utility>

#include "emu_runtime/texture/block_bits.h"
#include "emu_runtime/texture/block_codes.h"

namespace hostwarp::texture {

namespace {

struct Bc7Mode {
  unsigned subsets, partitionBits, rotationBits, selectionBits, colourBits, alphaBits;
  bool parityPerEndpoint, parityPerSubset;  // a lowest bit that the channels share
  unsigned indexBits, secondIndexBits;
};

constexpr Bc7Mode bc7Modes[] = {
    {3, 4, 0, 0, 4, 0, true, false, 3, 0},  {2, 6, 0, 0, 6, 0, false, true, 3, 0},
    {3, 6, 0, 0, 5, 0, false, false, 2, 0}, {2, 6, 0, 0, 7, 0, true, false, 2, 0},
    {1, 0, 2, 1, 5, 6, false, false, 2, 3}, {1, 0, 2, 0, 7, 8, false, false, 2, 2},
    {1, 0, 0, 0, 7, 7, true, false, 4, 0},  {2, 6, 0, 0, 5, 5, true, false, 2, 0},
};

using Endpoint = std::array<unsigned, 4>;

struct Bc7Endpoints {
  Endpoint all[6];
};

// widened() repeats a channel's highest bits below it, until it has eight.
unsigned widened(unsigned value, unsigned bits) {
  value <<= 8 - bits;
  return value | value >> bits;
}

Bc7Endpoints readBc7Endpoints(const Bc7Mode &mode, BlockBits &bits) {
  Bc7Endpoints result{};
  const unsigned count = 2 * mode.subsets;
  for (unsigned channel = 0; channel < 4; ++channel) {
    const unsigned width = channel < 3 ? mode.colourBits : mode.alphaBits;
    for (unsigned i = 0; i < count && width; ++i) result.all[i][channel] = bits.take(width);
  }
  const bool parity = mode.parityPerEndpoint || mode.parityPerSubset;
  unsigned parities[6] = {};
  for (unsigned i = 0; i < count; ++i) {
    if (mode.parityPerEndpoint) parities[i] = bits.take(1);
    if (mode.parityPerSubset) parities[i] = i % 2 ? parities[i - 1] : bits.take(1);
  }
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned channel = 0; channel < 4; ++channel) {
      const unsigned width = channel < 3 ? mode.colourBits : mode.alphaBits;
      unsigned &value = result.all[i][channel];
      value = width == 0 ? 255 : parity ? widened(value << 1 | parities[i], width + 1) : widened(value, width);
    }
  }
  return result;
}

unsigned mixed(unsigned first, unsigned second, unsigned weight) {
  return (first * (64 - weight) + second * weight + 32) >> 6;
}

}  // namespace

std::array<float, 4> decodeBc7(const std::byte *block, unsigned texel) {
  BlockBits bits(block);
  unsigned number = 0;
  while (number < 8 && bits.take(1) == 0) ++number;
  if (number == 8) return {0, 0, 0, 0};
  const Bc7Mode &mode = bc7Modes[number];
  const Partition partition{mode.subsets, bits.take(mode.partitionBits)};
  const unsigned rotation = bits.take(mode.rotationBits);
  const bool swapsIndices = bits.take(mode.selectionBits) != 0;
  const Bc7Endpoints endpoints = readBc7Endpoints(mode, bits);

  auto weight = [&](unsigned start, unsigned width) {
    const IndexField field = indexField(partition, texel, width, start);
    return weightOf(bits.at(field.first, field.bits), width);
  };
  const unsigned first = weight(bits.position(), mode.indexBits);
  unsigned colourWeight = first, alphaWeight = first;
  if (mode.secondIndexBits) {
    alphaWeight = weight(bits.position() + 16 * mode.indexBits - 1, mode.secondIndexBits);
    if (swapsIndices) std::swap(colourWeight, alphaWeight);
  }
  const unsigned subset = partition.subsetOf(texel);
  std::array<float, 4> colour;
  for (unsigned channel = 0; channel < 4; ++channel) {
    const unsigned weightHere = channel < 3 ? colourWeight : alphaWeight;
    const unsigned value =
        mixed(endpoints.all[2 * subset][channel], endpoints.all[2 * subset + 1][channel], weightHere);
    colour[channel] = static_cast<float>(value) / 255.0f;
  }
  if (rotation) std::swap(colour[3], colour[rotation - 1]);
  return colour;
}

}  // namespace hostwarp::texture
