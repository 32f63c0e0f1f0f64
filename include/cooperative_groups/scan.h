// cooperative_groups::inclusive_scan() and exclusive_scan() [CUDA 4.4.4].
#ifndef HOSTWARP_COOPERATIVE_GROUPS_SCAN_H
#define HOSTWARP_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups {

// inclusive_scan() gives thread r the combination of the values of ranks 0..r.
template <class Group, class T, class Operator>
HOSTWARP_DEVICE T inclusive_scan(const Group &group, T value, Operator &&combine) {
  const unsigned rank = static_cast<unsigned>(group.thread_rank()), size = static_cast<unsigned>(group.size());
  for (unsigned step = 1; step < size; step <<= 1) {
    const T other = group.shfl_up(value, step);
    if (rank >= step) value = combine(other, value);
  }
  return value;
}
template <class Group, class T>
HOSTWARP_DEVICE T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

// exclusive_scan() gives thread r the combination of the values of ranks 0..r-1; rank 0 gets T().
template <class Group, class T, class Operator>
HOSTWARP_DEVICE T exclusive_scan(const Group &group, T value, Operator &&combine) {
  const T inclusive = inclusive_scan(group, value, combine);
  const T before = group.shfl_up(inclusive, 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
HOSTWARP_DEVICE T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_SCAN_H
