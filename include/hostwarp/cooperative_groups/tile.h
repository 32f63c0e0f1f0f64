// thread_block_tile: pieces of a block whose size is known to the compiler [CUDA 4.4.4 tiled_partition].
#ifndef HOSTWARP_COOPERATIVE_GROUPS_TILE_H
#define HOSTWARP_COOPERATIVE_GROUPS_TILE_H

#include "coalesced.h"
#include "warps.h"

namespace cooperative_groups {

namespace detail {

// Tile<Size> is what tiles of a size have in common, whatever their parents.
template <unsigned Size, bool inOneWarp = (Size <= 32)>
class Tile : public thread_group {
 public:
  HOSTWARP_DEVICE Tile(unsigned metaRank, unsigned metaSize)
      : thread_group(kind_lanes, tileLanes()), metaRank_(metaRank), metaSize_(metaSize) {}

  HOSTWARP_DEVICE void sync() const { hw_syncwarp(lanes()); }
  static HOSTWARP_DEVICE unsigned thread_rank() { return laneId() & (Size - 1); }
  static constexpr HOSTWARP_DEVICE unsigned size() { return Size; }
  static constexpr HOSTWARP_DEVICE unsigned num_threads() { return Size; }
  HOSTWARP_DEVICE unsigned meta_group_rank() const { return metaRank_; }
  HOSTWARP_DEVICE unsigned meta_group_size() const { return metaSize_; }

  template <class T>
  HOSTWARP_DEVICE T shfl(T value, int rank) const {
    return shuffled(HW_SHFL_IDX, value, static_cast<unsigned>(rank));
  }
  template <class T>
  HOSTWARP_DEVICE T shfl_down(T value, unsigned delta) const {
    return shuffled(HW_SHFL_DOWN, value, delta);
  }
  template <class T>
  HOSTWARP_DEVICE T shfl_up(T value, unsigned delta) const {
    return shuffled(HW_SHFL_UP, value, delta);
  }
  template <class T>
  HOSTWARP_DEVICE T shfl_xor(T value, unsigned laneMask) const {
    return shuffled(HW_SHFL_BFLY, value, laneMask);
  }
  HOSTWARP_DEVICE int any(int predicate) const { return static_cast<int>(hw_vote(lanes(), HW_VOTE_ANY, predicate)); }
  HOSTWARP_DEVICE int all(int predicate) const { return static_cast<int>(hw_vote(lanes(), HW_VOTE_ALL, predicate)); }
  HOSTWARP_DEVICE unsigned ballot(int predicate) const {
    return hw_vote(lanes(), HW_VOTE_BALLOT, predicate) >> first();
  }
  template <class T>
  HOSTWARP_DEVICE unsigned match_any(T value) const {
    return hw_match_any(lanes(), wordOf(value)) >> first();
  }
  template <class T>
  HOSTWARP_DEVICE unsigned match_all(T value, int &predicate) const {
    return hw_match_all(lanes(), wordOf(value), &predicate) >> first();
  }

 private:
  // shuffled() is what a lane gets of a value of any trivially copyable type, which passes in words.
  template <class T>
  HOSTWARP_DEVICE T shuffled(int kind, T value, unsigned operand) const {
    unsigned long long words[(sizeof(T) + 7) / 8] = {};
    memcpy(words, &value, sizeof(T));
    for (unsigned long long &word : words) word = hw_shuffle(lanes(), kind, word, operand, Size, nullptr);
    memcpy(&value, words, sizeof(T));
    return value;
  }
  static HOSTWARP_DEVICE unsigned first() { return laneId() & ~(Size - 1); }
  // tileLanes(): the block's last warp may be partial; lanes that do not exist take no part.
  static HOSTWARP_DEVICE unsigned tileLanes() { return (~0u >> (32 - Size) << first()) & existingLanes(); }
  unsigned metaRank_, metaSize_;
};

// Of several warps: those of a size can meet, and a value of up to 8 bytes can be passed on.
template <unsigned Size>
class Tile<Size, false> {
 public:
  HOSTWARP_DEVICE Tile(unsigned metaRank, unsigned metaSize) : metaRank_(metaRank), metaSize_(metaSize) {}

  HOSTWARP_DEVICE void sync() const { hw_tile_together(Size, nullptr, nullptr); }
  static HOSTWARP_DEVICE unsigned thread_rank() { return hw_linear_thread() & (Size - 1); }
  static constexpr HOSTWARP_DEVICE unsigned size() { return Size; }
  static constexpr HOSTWARP_DEVICE unsigned num_threads() { return Size; }
  HOSTWARP_DEVICE unsigned meta_group_rank() const { return metaRank_; }
  HOSTWARP_DEVICE unsigned meta_group_size() const { return metaSize_; }

  // shfl() gives the value of the thread of that rank, which all threads name.
  template <class T>
  HOSTWARP_DEVICE T shfl(T value, unsigned rank) const {
    const WarpValues<Size> values(wordOf(exchange(existingLanes(), value, rank & 31u)));
    return values.template get<T>(rank / 32 & (Size / 32 - 1));
  }
  HOSTWARP_DEVICE int any(int predicate) const {
    const WarpValues<Size> values(hw_vote(existingLanes(), HW_VOTE_ANY, predicate));
    for (unsigned warp = 0; warp < Size / 32; ++warp)
      if (values.template get<unsigned>(warp)) return 1;
    return 0;
  }
  HOSTWARP_DEVICE int all(int predicate) const { return !any(!predicate); }

 private:
  unsigned metaRank_, metaSize_;
};

}  // namespace detail

// thread_block_tile<Size, Parent>: `Size` consecutive threads of the parent. Tiles of more than 32 threads can do less.
template <unsigned Size, class Parent = void>
class thread_block_tile : public detail::Tile<Size> {
  static_assert(Size > 0 && Size <= 1024 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, ... or 1024 threads");

 public:
  HOSTWARP_DEVICE thread_block_tile(unsigned metaRank, unsigned metaSize) : detail::Tile<Size>(metaRank, metaSize) {}
  // A tile of a known parent is also a tile of an unnamed one.
  template <class Other>
  HOSTWARP_DEVICE thread_block_tile(const thread_block_tile<Size, Other> &other)
      : detail::Tile<Size>(other.meta_group_rank(), other.meta_group_size()) {}
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

// this_thread() is the group of the calling thread alone.
HOSTWARP_DEVICE thread_block_tile<1> this_thread() { return thread_block_tile<1>(0, 1); }

}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_TILE_H
