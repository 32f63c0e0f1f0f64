// cooperative_groups::inclusive_scan() and exclusive_scan(), and those that continue an atomic [CUDA 4.4.6].
#ifndef HOSTWARP_COOPERATIVE_GROUPS_SCAN_H
#define HOSTWARP_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups {

namespace detail {

// Scanned is what a thread learns from a scan: `inclusive` of itself, `before` of the ranks below it (T() at rank 0),
// `total` of all.
template <class T>
struct Scanned {
  T inclusive, before, total;
};

// scanInWarp() needs a group inside a warp; scanIn() takes any.
template <class Group, class T, class Operator>
HOSTWARP_DEVICE Scanned<T> scanInWarp(const Group &group, T value, Operator &combine) {
  const unsigned rank = static_cast<unsigned>(group.thread_rank()), size = countBits(group.lanes());
  for (unsigned step = 1; step < size; step <<= 1) {
    const T other = group.shfl_up(value, step);
    if (rank >= step) value = combine(other, value);
  }
  const T before = group.shfl_up(value, 1);
  return {value, rank == 0 ? T() : before, group.shfl(value, size - 1)};
}
template <class T, class Operator>
HOSTWARP_DEVICE Scanned<T> scanIn(const coalesced_group &group, T value, Operator &combine) {
  return scanInWarp(group, value, combine);
}
template <unsigned Size, class T, class Operator>
HOSTWARP_DEVICE Scanned<T> scanIn(const Tile<Size, true> &tile, T value, Operator &combine) {
  return scanInWarp(tile, value, combine);
}
template <unsigned Size, class T, class Operator>
HOSTWARP_DEVICE Scanned<T> scanIn(const Tile<Size, false> &tile, T value, Operator &combine) {
  const Tile<32, true> warp(0, 1);
  Scanned<T> result = scanInWarp(warp, value, combine);
  const WarpValues<Size> totals(wordOf(result.total));
  const unsigned mine = tile.thread_rank() / 32;
  T sum = totals.template get<T>(0);
  for (unsigned i = 1; i < Size / 32; ++i) {
    if (i == mine) {
      result.inclusive = combine(sum, result.inclusive);
      result.before = warp.thread_rank() == 0 ? sum : combine(sum, result.before);
    }
    sum = combine(sum, totals.template get<T>(i));
  }
  result.total = sum;
  return result;
}

template <class T, class Operator>
HOSTWARP_DEVICE Scanned<T> scanIn(const thread_block &, T value, Operator &combine) {
  const Tile<32, true> warp(0, 1);
  Scanned<T> result = scanInWarp(warp, value, combine);
  const BlockValues<T> totals(result.total);
  const unsigned mine = thread_block::thread_rank() / 32;
  T sum = totals[0];
  for (unsigned i = 1; i < totals.warps(); ++i) {
    if (i == mine) {
      result.inclusive = combine(sum, result.inclusive);
      result.before = warp.thread_rank() == 0 ? sum : combine(sum, result.before);
    }
    sum = combine(sum, totals[i]);
  }
  result.total = sum;
  return result;
}

// continueFrom() combines the atomic with the group's total and gives all threads what it was.
template <class Group, class Atomic, class T, class Operator>
HOSTWARP_DEVICE T continueFrom(const Group &group, Atomic &atomic, const T &total, Operator &combine) {
  T old = T();
  if (group.thread_rank() == 0) old = updateAtomic(atomic, total, combine);
  return group.shfl(old, 0);
}

}  // namespace detail

// inclusive_scan() gives thread r the combination of the values of ranks 0..r.
template <class Group, class T, class Operator>
HOSTWARP_DEVICE auto inclusive_scan(const Group &group, T &&value, Operator &&combine) ->
    typename detail::Plain<decltype(combine(value, value))>::type {
  return detail::scanIn(group, typename detail::Plain<T>::type(value), combine).inclusive;
}
template <class Group, class T>
HOSTWARP_DEVICE typename detail::Plain<T>::type inclusive_scan(const Group &group, T &&value) {
  return inclusive_scan(group, value, plus<typename detail::Plain<T>::type>());
}

// exclusive_scan() gives thread r the combination of the values of ranks 0..r-1; rank 0 gets T().
template <class Group, class T, class Operator>
HOSTWARP_DEVICE auto exclusive_scan(const Group &group, T &&value, Operator &&combine) ->
    typename detail::Plain<decltype(combine(value, value))>::type {
  return detail::scanIn(group, typename detail::Plain<T>::type(value), combine).before;
}
template <class Group, class T>
HOSTWARP_DEVICE typename detail::Plain<T>::type exclusive_scan(const Group &group, T &&value) {
  return exclusive_scan(group, value, plus<typename detail::Plain<T>::type>());
}

// The updating scans combine an atomic with the group's total; its old value precedes the values of all ranks.
template <class Group, class Atomic, class T, class Operator>
HOSTWARP_DEVICE auto inclusive_scan_update(const Group &group, Atomic &&atomic, T &&value, Operator &&combine) ->
    typename detail::Plain<decltype(combine(value, value))>::type {
  const auto scanned = detail::scanIn(group, typename detail::Plain<T>::type(value), combine);
  return combine(detail::continueFrom(group, atomic, scanned.total, combine), scanned.inclusive);
}
template <class Group, class Atomic, class T>
HOSTWARP_DEVICE typename detail::Plain<T>::type inclusive_scan_update(const Group &group, Atomic &&atomic, T &&value) {
  return inclusive_scan_update(group, atomic, value, plus<typename detail::Plain<T>::type>());
}
// At rank 0, GPUs combine the old value with T() in a group inside a warp.
template <class Group, class Atomic, class T, class Operator>
HOSTWARP_DEVICE auto exclusive_scan_update(const Group &group, Atomic &&atomic, T &&value, Operator &&combine) ->
    typename detail::Plain<decltype(combine(value, value))>::type {
  const auto scanned = detail::scanIn(group, typename detail::Plain<T>::type(value), combine);
  const auto old = detail::continueFrom(group, atomic, scanned.total, combine);
  const bool inOneWarp = group.num_threads() <= 32;
  return group.thread_rank() == 0 && !inOneWarp ? old : combine(old, scanned.before);
}
template <class Group, class Atomic, class T>
HOSTWARP_DEVICE typename detail::Plain<T>::type exclusive_scan_update(const Group &group, Atomic &&atomic, T &&value) {
  return exclusive_scan_update(group, atomic, value, plus<typename detail::Plain<T>::type>());
}

}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_SCAN_H
