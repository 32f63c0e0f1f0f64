// cooperative_groups::reduce() and the operators it takes [CUDA 4.4.4].
#ifndef HOSTWARP_COOPERATIVE_GROUPS_REDUCE_H
#define HOSTWARP_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define HOSTWARP_CG_OPERATOR(name, expression)                                  \
  template <class T = void>                                                     \
  struct name {                                                                 \
    HOSTWARP_DEVICE T operator()(const T &a, const T &b) const { return expression; } \
  };                                                                            \
  template <>                                                                   \
  struct name<void> {                                                           \
    template <class T>                                                          \
    HOSTWARP_DEVICE T operator()(const T &a, const T &b) const {                \
      return expression;                                                        \
    }                                                                           \
  };
HOSTWARP_CG_OPERATOR(plus, a + b)
HOSTWARP_CG_OPERATOR(less, (b < a ? b : a))
HOSTWARP_CG_OPERATOR(greater, (a < b ? b : a))
HOSTWARP_CG_OPERATOR(bit_and, a &b)
HOSTWARP_CG_OPERATOR(bit_or, a | b)
HOSTWARP_CG_OPERATOR(bit_xor, a ^ b)
#undef HOSTWARP_CG_OPERATOR

// reduce() combines the values of all threads of the group; each thread gets the result. The order of combination is a
// balanced tree over ranks, the same at every run.
template <unsigned Size, class Parent, class T, class Operator>
HOSTWARP_DEVICE T reduce(const thread_block_tile<Size, Parent> &group, T value, Operator &&combine) {
  const unsigned present = detail::countBits(group.lanes());
  for (unsigned step = 1; step < Size; step <<= 1) {
    const T other = group.shfl_down(value, step);
    if (group.thread_rank() + step < present) value = combine(value, other);
  }
  return group.shfl(value, 0);
}
template <class T, class Operator>
HOSTWARP_DEVICE T reduce(const coalesced_group &group, T value, Operator &&combine) {
  for (unsigned step = 1; step < group.size(); step <<= 1) {
    const T other = group.shfl_down(value, step);
    if (group.thread_rank() + step < group.size()) value = combine(value, other);
  }
  return group.shfl(value, 0);
}

}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_REDUCE_H
