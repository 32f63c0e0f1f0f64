// Partitions whose pieces are known only when the program runs [CUDA 4.4.4].
#ifndef HOSTWARP_COOPERATIVE_GROUPS_PARTITION_H
#define HOSTWARP_COOPERATIVE_GROUPS_PARTITION_H

#include "tile.h"

namespace cooperative_groups {

namespace detail {

HOSTWARP_DEVICE void checkTileSize(unsigned size) {
  if (size == 0 || size > 32 || (size & (size - 1))) hw_trap();
}

HOSTWARP_DEVICE coalesced_group splitByPredicate(unsigned parent, bool predicate) {
  const unsigned yes = hw_vote(parent, HW_VOTE_BALLOT, predicate), no = parent & ~yes;
  if (!yes || !no) return coalesced_group(parent, 0, 1);
  return coalesced_group(predicate ? yes : no, predicate, 2);
}

// splitByLabel() numbers the groups by their first lanes.
HOSTWARP_DEVICE coalesced_group splitByLabel(unsigned parent, unsigned long long label) {
  const unsigned mine = hw_match_any(parent, label);
  const unsigned first = mine & (0u - mine);
  const unsigned leaders = hw_vote(parent, HW_VOTE_BALLOT, first == 1u << laneId());
  return coalesced_group(mine, countBits(leaders & (first - 1)), countBits(leaders));
}

// Label is how a label is compared: two values of bool, or the bits of an integer or pointer.
template <class T>
struct Label {
  static HOSTWARP_DEVICE coalesced_group split(unsigned parent, T label) {
    return splitByLabel(parent, static_cast<unsigned long long>(label));
  }
};
template <>
struct Label<bool> {
  static HOSTWARP_DEVICE coalesced_group split(unsigned parent, bool label) { return splitByPredicate(parent, label); }
};
template <class T>
struct Label<T *> {
  static HOSTWARP_DEVICE coalesced_group split(unsigned parent, T *label) {
    return splitByLabel(parent, reinterpret_cast<unsigned long long>(label));
  }
};

}  // namespace detail

// tiled_partition() with a size that is no constant: tiles of up to 32 threads.
HOSTWARP_DEVICE coalesced_group tiled_partition(const coalesced_group &parent, unsigned size) {
  detail::checkTileSize(size);
  if (parent.size() <= size) return parent;
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
HOSTWARP_DEVICE thread_group tiled_partition(const thread_group &parent, unsigned size) {
  detail::checkTileSize(size);
  if (parent.kind() == detail::kind_lanes) return tiled_partition(coalesced_group(parent.lanes()), size);
  const unsigned first = detail::laneId() / size * size;
  return thread_group(detail::kind_lanes, (~0u >> (32 - size) << first) & detail::existingLanes());
}

// stride_partition() deals the threads out to groups of up to `size` in turn. Tiles of up to 32 threads and coalesced
// groups can be partitioned so: the pieces of a block would lie across its warps.
HOSTWARP_DEVICE coalesced_group stride_partition(const coalesced_group &parent, unsigned size) {
  detail::checkTileSize(size);
  const unsigned count = (parent.size() + size - 1) / size, index = parent.thread_rank() % count;
  unsigned mask = 0;
  for (unsigned rank = index; rank < parent.size(); rank += count)
    mask |= 1u << detail::laneOfRank(parent.lanes(), rank);
  return coalesced_group(mask, index, count);
}
template <unsigned Size>
HOSTWARP_DEVICE coalesced_group stride_partition(const coalesced_group &parent) {
  return stride_partition(parent, Size);
}
template <unsigned Size, unsigned ParentSize, class Parent>
HOSTWARP_DEVICE coalesced_group stride_partition(const thread_block_tile<ParentSize, Parent> &parent) {
  static_assert(ParentSize <= 32, "only tiles of up to 32 threads can be partitioned by strides");
  return stride_partition(coalesced_group(parent.lanes()), Size);
}
template <unsigned Size>
HOSTWARP_DEVICE void stride_partition(const thread_block &) = delete;

// labeled_partition() groups the threads that pass the same label, binary_partition() those with the same predicate.
template <class Label>
HOSTWARP_DEVICE coalesced_group labeled_partition(const coalesced_group &parent, Label label) {
  return detail::Label<Label>::split(parent.lanes(), label);
}
template <class Label, unsigned Size, class Parent>
HOSTWARP_DEVICE coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &parent, Label label) {
  static_assert(Size <= 32, "only tiles of up to 32 threads can be partitioned by labels");
  return detail::Label<Label>::split(parent.lanes(), label);
}
HOSTWARP_DEVICE coalesced_group binary_partition(const coalesced_group &parent, bool predicate) {
  return detail::splitByPredicate(parent.lanes(), predicate);
}
template <unsigned Size, class Parent>
HOSTWARP_DEVICE coalesced_group binary_partition(const thread_block_tile<Size, Parent> &parent, bool predicate) {
  static_assert(Size <= 32, "only tiles of up to 32 threads can be partitioned by a predicate");
  return detail::splitByPredicate(parent.lanes(), predicate);
}

}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_PARTITION_H
