// Groups inside a warp: thread_block_tile, coalesced_group and the partitions that make them [CUDA 4.4.2, 4.4.3].
#ifndef HOSTWARP_COOPERATIVE_GROUPS_TILE_H
#define HOSTWARP_COOPERATIVE_GROUPS_TILE_H

#include "block.h"

namespace cooperative_groups {

// coalesced_group: the lanes of one warp named by a mask, ranked in lane order.
class coalesced_group : public thread_group {
 public:
  explicit HOSTWARP_DEVICE coalesced_group(unsigned mask, unsigned metaRank = 0, unsigned metaSize = 1)
      : thread_group(detail::kind_lanes, mask), metaRank_(metaRank), metaSize_(metaSize) {}

  HOSTWARP_DEVICE void sync() const { hw_syncwarp(lanes()); }
  HOSTWARP_DEVICE unsigned size() const { return detail::countBits(lanes()); }
  HOSTWARP_DEVICE unsigned num_threads() const { return size(); }
  HOSTWARP_DEVICE unsigned thread_rank() const { return detail::rankIn(lanes()); }
  HOSTWARP_DEVICE unsigned meta_group_rank() const { return metaRank_; }
  HOSTWARP_DEVICE unsigned meta_group_size() const { return metaSize_; }

  // shfl() gives the value of the thread of that rank; a rank the group does not have gives the caller's own.
  template <class T>
  HOSTWARP_DEVICE T shfl(T value, unsigned rank) const {
    return detail::exchange(lanes(), value, detail::laneOfRank(lanes(), rank));
  }
  template <class T>
  HOSTWARP_DEVICE T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return detail::exchange(lanes(), value, rank < delta ? 32u : detail::laneOfRank(lanes(), rank - delta));
  }
  template <class T>
  HOSTWARP_DEVICE T shfl_down(T value, unsigned delta) const {
    return detail::exchange(lanes(), value, detail::laneOfRank(lanes(), thread_rank() + delta));
  }
  HOSTWARP_DEVICE int any(int predicate) const { return static_cast<int>(hw_vote(lanes(), HW_VOTE_ANY, predicate)); }
  HOSTWARP_DEVICE int all(int predicate) const { return static_cast<int>(hw_vote(lanes(), HW_VOTE_ALL, predicate)); }
  // ballot() has one bit per rank, unlike __ballot_sync, which has one per lane.
  HOSTWARP_DEVICE unsigned ballot(int predicate) const { return pack(hw_vote(lanes(), HW_VOTE_BALLOT, predicate)); }
  template <class T>
  HOSTWARP_DEVICE unsigned match_any(T value) const {
    return pack(hw_match_any(lanes(), bits(value)));
  }
  template <class T>
  HOSTWARP_DEVICE unsigned match_all(T value, int &predicate) const {
    return pack(hw_match_all(lanes(), bits(value), &predicate));
  }

 private:
  template <class T>
  static HOSTWARP_DEVICE unsigned long long bits(T value) {
    static_assert(sizeof(T) <= 8, "match compares values of up to 8 bytes");
    unsigned long long word = 0;
    memcpy(&word, &value, sizeof(T));
    return word;
  }
  HOSTWARP_DEVICE unsigned pack(unsigned laneBits) const {
    unsigned ranks = 0, rank = 0;
    for (unsigned left = lanes(); left; left &= left - 1, ++rank)
      if (laneBits & left & (0u - left)) ranks |= 1u << rank;
    return ranks;
  }
  unsigned metaRank_, metaSize_;
};

HOSTWARP_DEVICE coalesced_group coalesced_threads() { return coalesced_group(hw_activemask()); }

// thread_block_tile<Size, Parent>: `Size` consecutive threads of the parent, Size a power of two up to 32.
template <unsigned Size, class Parent = void>
class thread_block_tile : public thread_group {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "a tile's size is a power of two");
  static_assert(Size <= 32, "tiles of more than 32 threads are not supported yet");

 public:
  HOSTWARP_DEVICE thread_block_tile(unsigned metaRank, unsigned metaSize)
      : thread_group(detail::kind_lanes, tileLanes()), metaRank_(metaRank), metaSize_(metaSize) {}

  HOSTWARP_DEVICE void sync() const { hw_syncwarp(lanes()); }
  static constexpr HOSTWARP_DEVICE unsigned size() { return Size; }
  static constexpr HOSTWARP_DEVICE unsigned num_threads() { return Size; }
  static HOSTWARP_DEVICE unsigned thread_rank() { return detail::laneId() & (Size - 1); }
  HOSTWARP_DEVICE unsigned meta_group_rank() const { return metaRank_; }
  HOSTWARP_DEVICE unsigned meta_group_size() const { return metaSize_; }

  template <class T>
  HOSTWARP_DEVICE T shfl(T value, int rank) const {
    return detail::exchange(lanes(), value, first() + (static_cast<unsigned>(rank) & (Size - 1)));
  }
  template <class T>
  HOSTWARP_DEVICE T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank() + delta;
    return detail::exchange(lanes(), value, rank < Size ? first() + rank : 32u);
  }
  template <class T>
  HOSTWARP_DEVICE T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return detail::exchange(lanes(), value, rank < delta ? 32u : first() + rank - delta);
  }
  template <class T>
  HOSTWARP_DEVICE T shfl_xor(T value, unsigned laneMask) const {
    const unsigned rank = thread_rank() ^ laneMask;
    return detail::exchange(lanes(), value, rank < Size ? first() + rank : 32u);
  }
  HOSTWARP_DEVICE int any(int predicate) const { return static_cast<int>(hw_vote(lanes(), HW_VOTE_ANY, predicate)); }
  HOSTWARP_DEVICE int all(int predicate) const { return static_cast<int>(hw_vote(lanes(), HW_VOTE_ALL, predicate)); }
  HOSTWARP_DEVICE unsigned ballot(int predicate) const {
    return hw_vote(lanes(), HW_VOTE_BALLOT, predicate) >> first();
  }
  template <class T>
  HOSTWARP_DEVICE unsigned match_any(T value) const {
    return asCoalesced().match_any(value);
  }
  template <class T>
  HOSTWARP_DEVICE unsigned match_all(T value, int &predicate) const {
    return asCoalesced().match_all(value, predicate);
  }

  // A tile of a known parent is also a tile of an unnamed one.
  template <class Other>
  HOSTWARP_DEVICE thread_block_tile(const thread_block_tile<Size, Other> &other)
      : thread_block_tile(other.meta_group_rank(), other.meta_group_size()) {}

 private:
  static HOSTWARP_DEVICE unsigned first() { return detail::laneId() & ~(Size - 1); }
  // tileLanes(): the block's last warp may be partial; lanes that do not exist take no part.
  static HOSTWARP_DEVICE unsigned tileLanes() {
    const unsigned all = Size == 32 ? 0xffffffffu : (1u << (Size & 31)) - 1u;
    const unsigned threads = detail::volume(hw_self()->blockDim);
    const unsigned left = threads - hw_self()->warpId * 32u;
    const unsigned existing = left >= 32u ? 0xffffffffu : (1u << left) - 1u;
    return (all << first()) & existing;
  }
  HOSTWARP_DEVICE coalesced_group asCoalesced() const { return coalesced_group(lanes(), metaRank_, metaSize_); }
  unsigned metaRank_, metaSize_;
};

// tiled_partition<Size>() cuts the parent into tiles of Size threads.
template <unsigned Size>
HOSTWARP_DEVICE thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
  return thread_block_tile<Size, thread_block>(thread_block::thread_rank() / Size,
                                               (thread_block::size() + Size - 1) / Size);
}
template <unsigned Size, unsigned ParentSize, class Grand>
HOSTWARP_DEVICE thread_block_tile<Size, thread_block_tile<ParentSize, Grand>> tiled_partition(
    const thread_block_tile<ParentSize, Grand> &parent) {
  static_assert(Size <= ParentSize, "a tile cannot be larger than its parent");
  return thread_block_tile<Size, thread_block_tile<ParentSize, Grand>>(parent.thread_rank() / Size, ParentSize / Size);
}

// subset() makes the group of those threads of `parent` that name the same block of `size` consecutive ranks.
HOSTWARP_DEVICE coalesced_group tiled_partition(const coalesced_group &parent, unsigned size) {
  const unsigned index = parent.thread_rank() / size;
  unsigned mask = 0;
  for (unsigned rank = index * size; rank < (index + 1) * size && rank < parent.size(); ++rank)
    mask |= 1u << detail::laneOfRank(parent.lanes(), rank);
  return coalesced_group(mask, index, (parent.size() + size - 1) / size);
}
template <unsigned Size>
HOSTWARP_DEVICE coalesced_group tiled_partition(const coalesced_group &parent) {
  return tiled_partition(parent, Size);
}
// tiled_partition() of a group of unknown kind: pieces of up to 32 threads.
HOSTWARP_DEVICE thread_group tiled_partition(const thread_group &parent, unsigned size) {
  if (parent.kind() == detail::kind_lanes) return tiled_partition(coalesced_group(parent.lanes()), size);
  const unsigned first = detail::laneId() / size * size;
  const unsigned tile = size >= 32 ? 0xffffffffu : ((1u << size) - 1u) << first;
  const unsigned left = thread_block::size() - hw_self()->warpId * 32u;
  return thread_group(detail::kind_lanes, left >= 32u ? tile : tile & ((1u << left) - 1u));
}

// labeled_partition() groups the threads that pass the same label, binary_partition() those with the same predicate.
template <class Label, class Group>
HOSTWARP_DEVICE coalesced_group labeledPartitionOf(const Group &parent, Label label) {
  return coalesced_group(hw_match_any(parent.lanes(), static_cast<unsigned long long>(label)));
}
template <class Label>
HOSTWARP_DEVICE coalesced_group labeled_partition(const coalesced_group &parent, Label label) {
  return labeledPartitionOf(parent, label);
}
template <class Label, unsigned Size, class Parent>
HOSTWARP_DEVICE coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &parent, Label label) {
  return labeledPartitionOf(parent, label);
}
HOSTWARP_DEVICE coalesced_group binary_partition(const coalesced_group &parent, bool predicate) {
  const unsigned yes = hw_vote(parent.lanes(), HW_VOTE_BALLOT, predicate);
  return coalesced_group(predicate ? yes : parent.lanes() & ~yes, predicate ? 0 : 1, 2);
}
template <unsigned Size, class Parent>
HOSTWARP_DEVICE coalesced_group binary_partition(const thread_block_tile<Size, Parent> &parent, bool predicate) {
  return binary_partition(coalesced_group(parent.lanes()), predicate);
}

}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_TILE_H
