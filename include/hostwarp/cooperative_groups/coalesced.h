// coalesced_group: lanes of one warp that a mask names [CUDA 4.4.3 coalesced_threads].
#ifndef HOSTWARP_COOPERATIVE_GROUPS_COALESCED_H
#define HOSTWARP_COOPERATIVE_GROUPS_COALESCED_H

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
    return pack(hw_match_any(lanes(), detail::wordOf(value)));
  }
  template <class T>
  HOSTWARP_DEVICE unsigned match_all(T value, int &predicate) const {
    return pack(hw_match_all(lanes(), detail::wordOf(value), &predicate));
  }

 private:
  HOSTWARP_DEVICE unsigned pack(unsigned laneBits) const {
    unsigned ranks = 0, rank = 0;
    for (unsigned left = lanes(); left; left &= left - 1, ++rank)
      if (laneBits & left & (0u - left)) ranks |= 1u << rank;
    return ranks;
  }
  unsigned metaRank_, metaSize_;
};

HOSTWARP_DEVICE coalesced_group coalesced_threads() { return coalesced_group(hw_activemask()); }

}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_COALESCED_H
