#include "emu_runtime/digests/digest.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace hostwarp::digests {
namespace {

// Four lanes, so that their multiplications overlap; each takes two words of a block.
constexpr size_t laneCount = 4, laneBytes = 16, blockBytes = laneCount * laneBytes;
// The fractions of square roots of primes.
constexpr std::array<uint64_t, 2 * laneCount> keys = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                                      0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                                      0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

// fold() is both halves of the product, one over the other.
uint64_t fold(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

using Lanes = std::array<uint64_t, laneCount>;

void mix(Lanes &lanes, const char *block) {
  for (size_t i = 0; i < laneCount; ++i) {
    uint64_t words[2];
    std::memcpy(words, block + i * laneBytes, sizeof words);
    // The lane goes on as a sum, too: a factor of zero does not wipe out what came before.
    lanes[i] = std::rotl(lanes[i], 29) + fold(words[0] ^ lanes[i] ^ keys[2 * i], words[1] ^ keys[2 * i + 1]) + words[1];
  }
}

uint64_t finish(const Lanes &lanes, uint64_t length, size_t firstKey) {
  uint64_t result = fold(length ^ keys[firstKey], keys[firstKey + 1]);
  for (size_t i = 0; i < laneCount; ++i)
    result = std::rotl(result, 23) ^ fold(lanes[i] ^ keys[(firstKey + 2 * i + 1) % keys.size()], result | 1);
  return fold(result ^ keys[firstKey + 2], keys[firstKey + 3]);
}

}  // namespace

compare_wire::Digest digestOf(std::string_view bytes) {
  Lanes lanes{keys[0], keys[2], keys[4], keys[6]};
  const uint64_t length = bytes.size();
  for (; bytes.size() >= blockBytes; bytes.remove_prefix(blockBytes)) mix(lanes, bytes.data());
  char rest[blockBytes] = {};
  if (!bytes.empty()) std::memcpy(rest, bytes.data(), bytes.size());
  // Twice: each lane has seen all that the others have.
  mix(lanes, rest);
  for (size_t i = 0; i < laneCount; ++i) lanes[i] += std::rotl(lanes[(i + 1) % laneCount], 17);
  mix(lanes, rest);
  return {finish(lanes, length, 0), finish(lanes, length, 4)};
}

}  // namespace hostwarp::digests
