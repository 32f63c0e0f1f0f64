// What the block codes BC6H and BC7 have in common: fields of a 128-bit word, weights, and partitions of a block.
#ifndef HOSTWARP_EMU_RUNTIME_TEXTURE_BLOCK_BITS_H
#define HOSTWARP_EMU_RUNTIME_TEXTURE_BLOCK_BITS_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hostwarp::texture {

// BlockBits reads a block's fields one after the other, the lowest bits first.
class BlockBits {
 public:
  explicit BlockBits(const std::byte *block) {
    std::memcpy(&low_, block, 8);
    std::memcpy(&high_, block + 8, 8);
  }

  unsigned take(unsigned count) {
    const unsigned field = at(position_, count);
    position_ += count;
    return field;
  }

  // at() is the field of `count` <= 16 bits from `first` on.
  unsigned at(unsigned first, unsigned count) const {
    const uint64_t word = first >= 64  ? high_ >> (first - 64)
                          : first == 0 ? low_
                                       : low_ >> first | high_ << (64 - first);
    return static_cast<unsigned>(word & ((uint64_t{1} << count) - 1));
  }

  unsigned position() const { return position_; }

 private:
  uint64_t low_, high_;
  unsigned position_ = 0;
};

// weightOf() is the share of the second endpoint, in 64ths, for an index of so many bits.
unsigned weightOf(unsigned index, unsigned bits);

// Partition is a division of a block's texels into subsets.
struct Partition {
  unsigned subsets;
  unsigned number;

  // subsetOf() is the subset of a texel.
  unsigned subsetOf(unsigned texel) const;
  // isAnchor(): the texel's index lacks its highest bit, which is 0.
  bool isAnchor(unsigned texel) const;
};

// IndexField is where a texel's index lies among those of the block, of which the anchors' are a bit shorter.
struct IndexField {
  unsigned first;
  unsigned bits;
};
IndexField indexField(const Partition &partition, unsigned texel, unsigned bits, unsigned start);

}  // namespace hostwarp::texture

#endif  // HOSTWARP_EMU_RUNTIME_TEXTURE_BLOCK_BITS_H
