// Where the results of group-wide operations go: plain memory, or an atomic that the operation updates.
#ifndef HOSTWARP_COOPERATIVE_GROUPS_UPDATE_H
#define HOSTWARP_COOPERATIVE_GROUPS_UPDATE_H

#include "../device_qualifiers.h"

namespace cooperative_groups {
namespace detail {

// storeResult() stores into `*destination`, or into a cuda::atomic or cuda::atomic_ref.
template <class T>
HOSTWARP_DEVICE void storeResult(T *destination, const T &value) {
  *destination = value;
}
template <class Atomic, class T>
HOSTWARP_DEVICE void storeResult(Atomic &destination, const T &value) {
  destination.store(value);
}

// updateAtomic() makes the atomic's value v `combine(v, value)` and returns v.
template <class Atomic, class T, class Operator>
HOSTWARP_DEVICE T updateAtomic(Atomic &atomic, const T &value, Operator &combine) {
  T old = atomic.load();
  while (!atomic.compare_exchange_weak(old, combine(old, value))) {
  }
  return old;
}

}  // namespace detail
}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_UPDATE_H
