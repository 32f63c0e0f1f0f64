// cooperative_groups::reduce() and the operators it takes [CUDA 4.4.6].
#ifndef HOSTWARP_COOPERATIVE_GROUPS_REDUCE_H
#define HOSTWARP_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"
#include "../hostwarp/cooperative_groups/update.h"

namespace cooperative_groups {

#define HOSTWARP_CG_OPERATOR(name, expression)                                        \
  template <class T = void>                                                           \
  struct name {                                                                       \
    HOSTWARP_DEVICE T operator()(const T &a, const T &b) const { return expression; } \
  };                                                                                  \
  template <>                                                                         \
  struct name<void> {                                                                 \
    template <class T>                                                                \
    HOSTWARP_DEVICE T operator()(const T &a, const T &b) const {                      \
      return expression;                                                              \
    }                                                                                 \
  };
HOSTWARP_CG_OPERATOR(plus, a + b)
HOSTWARP_CG_OPERATOR(less, (b < a ? b : a))
HOSTWARP_CG_OPERATOR(greater, (a < b ? b : a))
HOSTWARP_CG_OPERATOR(bit_and, a &b)
HOSTWARP_CG_OPERATOR(bit_or, a | b)
HOSTWARP_CG_OPERATOR(bit_xor, a ^ b)
#undef HOSTWARP_CG_OPERATOR

namespace detail {

// reduceRanks() combines the values of a group in one warp in a balanced tree over its ranks.
template <class Group, class T, class Operator>
HOSTWARP_DEVICE T reduceRanks(const Group &group, T value, Operator &combine) {
  const unsigned present = countBits(group.lanes());
  for (unsigned step = 1; step < present; step <<= 1) {
    const T other = group.shfl_down(value, step);
    if (group.thread_rank() + step < present) value = combine(value, other);
  }
  return group.shfl(value, 0);
}

template <class T, class Operator>
HOSTWARP_DEVICE T reduceIn(const coalesced_group &group, T value, Operator &combine) {
  return reduceRanks(group, value, combine);
}

// A complete tile adds up floating-point numbers in the order in which GPUs do.
template <unsigned Size, class T, class Operator>
HOSTWARP_DEVICE T reduceIn(const Tile<Size, true> &tile, T value, Operator &combine) {
  if (countBits(tile.lanes()) < Size) return reduceRanks(tile, value, combine);
  for (unsigned distance = Size / 2; distance > 0; distance /= 2)
    value = combine(value, tile.shfl_xor(value, distance));
  return value;
}

template <unsigned Size, class T, class Operator>
HOSTWARP_DEVICE T reduceIn(const Tile<Size, false> &, T value, Operator &combine) {
  const Tile<32, true> warp(0, 1);
  const WarpValues<Size> words(wordOf(reduceIn(warp, value, combine)));
  T values[Size / 32];
  for (unsigned i = 0; i < Size / 32; ++i) values[i] = words.template get<T>(i);
  for (unsigned distance = Size / 64; distance > 0; distance /= 2)
    for (unsigned i = 0; i < distance; ++i) values[i] = combine(values[i], values[i + distance]);
  return values[0];
}

template <class T, class Operator>
HOSTWARP_DEVICE T reduceIn(const thread_block &, T value, Operator &combine) {
  const Tile<32, true> warp(0, 1);
  const BlockValues<T> values(reduceIn(warp, value, combine));
  T sum = values[0];
  for (unsigned i = 1; i < values.warps(); ++i) sum = combine(sum, values[i]);
  return sum;
}

}  // namespace detail

// reduce() combines the values of all threads of the group; each thread gets the result.
template <class Group, class T, class Operator>
HOSTWARP_DEVICE auto reduce(const Group &group, T &&value, Operator &&combine) ->
    typename detail::Plain<decltype(combine(value, value))>::type {
  return detail::reduceIn(group, typename detail::Plain<T>::type(value), combine);
}

// reduce_store_async() stores the result in memory or in an atomic, reduce_update_async() combines an atomic with it.
// Here that is done when the call returns; as on a GPU, other threads may only rely on it after a barrier.
template <class Group, class Destination, class T, class Operator>
HOSTWARP_DEVICE void reduce_store_async(const Group &group, Destination &&destination, T &&value, Operator &&combine) {
  const typename detail::Plain<T>::type result = reduce(group, value, combine);
  if (group.thread_rank() == 0) detail::storeResult(destination, result);
}
template <class Group, class Atomic, class T, class Operator>
HOSTWARP_DEVICE void reduce_update_async(const Group &group, Atomic &&destination, T &&value, Operator &&combine) {
  const typename detail::Plain<T>::type result = reduce(group, value, combine);
  if (group.thread_rank() == 0) detail::updateAtomic(destination, result, combine);
}

}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_REDUCE_H
