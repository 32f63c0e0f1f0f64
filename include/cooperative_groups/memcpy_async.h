// cooperative_groups::memcpy_async(), wait() and wait_prior() [CUDA 4.4.5]. The copy is complete when the call returns;
// as on a GPU, other threads may only rely on it after wait().
#ifndef HOSTWARP_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define HOSTWARP_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

namespace detail {
// copyShare() copies the calling thread's part of `bytes`, in pieces of 16 bytes dealt out by rank.
template <class Group>
HOSTWARP_DEVICE void copyShare(const Group &group, void *destination, const void *source, unsigned long long bytes) {
  constexpr unsigned long long piece = 16;
  for (unsigned long long at = group.thread_rank() * piece; at < bytes; at += group.size() * piece)
    memcpy(static_cast<char *>(destination) + at, static_cast<const char *>(source) + at,
           bytes - at < piece ? bytes - at : piece);
}
}  // namespace detail

// memcpy_async() copies `bytes` bytes, or the smaller of two counts of elements, with all threads of the group.
template <class Group, class T, class Bytes>
HOSTWARP_DEVICE void memcpy_async(const Group &group, T *destination, const T *source, const Bytes &bytes) {
  detail::copyShare(group, destination, source, static_cast<unsigned long long>(static_cast<size_t>(bytes)));
}
template <class Group, class T, class DestinationCount, class SourceCount>
HOSTWARP_DEVICE void memcpy_async(const Group &group, T *destination, const DestinationCount &destinationCount,
                                  const T *source, const SourceCount &sourceCount) {
  const size_t to = static_cast<size_t>(destinationCount), from = static_cast<size_t>(sourceCount);
  detail::copyShare(group, destination, source, (to < from ? to : from) * sizeof(T));
}

// wait() returns when the group's copies are complete and visible to the whole group.
template <class Group>
HOSTWARP_DEVICE void wait(const Group &group) {
  group.sync();
}
template <unsigned Stages, class Group>
HOSTWARP_DEVICE void wait_prior(const Group &group) {
  group.sync();
}

}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
