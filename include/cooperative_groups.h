// Cooperative groups: named sets of threads that synchronise and exchange values [CUDA 4.4].
#ifndef HOSTWARP_COOPERATIVE_GROUPS_H
#define HOSTWARP_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"
#include "hostwarp/cooperative_groups/block.h"
#include "hostwarp/cooperative_groups/cluster.h"
#include "hostwarp/cooperative_groups/tile.h"

namespace cooperative_groups {

// invoke_one() runs the function on one thread of the group; invoke_one_broadcast() gives all its result.
template <class Group, class Function, class... Arguments>
HOSTWARP_DEVICE void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments &&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
HOSTWARP_DEVICE auto invoke_one_broadcast(const Group &group, Function &&function, Arguments &&...arguments)
    -> decltype(function(static_cast<Arguments &&>(arguments)...)) {
  decltype(function(static_cast<Arguments &&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments &&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_H
