// invoke_one() and invoke_one_broadcast() [CUDA 4.4.6].
#ifndef HOSTWARP_COOPERATIVE_GROUPS_INVOKE_H
#define HOSTWARP_COOPERATIVE_GROUPS_INVOKE_H

#include "partition.h"

namespace cooperative_groups {

namespace detail {
template <class T>
struct Plain {
  typedef T type;
};
template <class T>
struct Plain<const T> : Plain<T> {};
template <class T>
struct Plain<T &> : Plain<T> {};
template <class T>
struct Plain<T &&> : Plain<T> {};
}  // namespace detail

// invoke_one() runs the function on the thread of rank 0; invoke_one_broadcast() gives all threads its result.
template <class Group, class Function, class... Arguments>
HOSTWARP_DEVICE void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
  if (group.thread_rank() == 0) static_cast<Function &&>(function)(static_cast<Arguments &&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
HOSTWARP_DEVICE auto invoke_one_broadcast(const Group &group, Function &&function, Arguments &&...arguments) ->
    typename detail::Plain<decltype(function(static_cast<Arguments &&>(arguments)...))>::type {
  typename detail::Plain<decltype(function(static_cast<Arguments &&>(arguments)...))>::type result{};
  if (group.thread_rank() == 0) result = static_cast<Function &&>(function)(static_cast<Arguments &&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_INVOKE_H
