// cooperative_groups::memcpy_async(), wait() and wait_prior() [CUDA 4.4.7], with cp.async where memory and alignment
// allow; other shares are copied at once. Each call commits a batch.
#ifndef HOSTWARP_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define HOSTWARP_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

namespace cooperative_groups {

namespace detail {
#if HOSTWARP_CUDA_MODE
// areFollowed(): checks look at asynchronous copies. Else they are done at once.
HOSTWARP_DEVICE bool areFollowed() { return hw_check_async_mode() != 0; }
HOSTWARP_DEVICE void commitCopies() { __pipeline_commit(); }
HOSTWARP_DEVICE void awaitCopies(size_t but) { __pipeline_wait_prior(but); }
// copyPiece() copies up to 16 bytes.
HOSTWARP_DEVICE void copyPiece(char *destination, const char *source, unsigned bytes, bool isAsync) {
  const unsigned long long bits =
      reinterpret_cast<unsigned long long>(destination) | reinterpret_cast<unsigned long long>(source) | bytes;
  if (!isAsync || bits % 4 != 0)
    memcpy(destination, source, bytes);
  else if (bits % 16 == 0)
    __pipeline_memcpy_async(destination, source, 16);
  else
    for (unsigned at = 0; at < bytes; at += 4) __pipeline_memcpy_async(destination + at, source + at, 4);
}
#else
inline bool areFollowed() { return false; }
inline void commitCopies() {}
inline void awaitCopies(size_t) {}
inline void copyPiece(char *destination, const char *source, unsigned bytes, bool) {
  memcpy(destination, source, bytes);
}
#endif

// copyShare() copies the calling thread's part of `bytes`, in pieces of 16 bytes dealt out by rank.
template <class Group>
HOSTWARP_DEVICE void copyShare(const Group &group, void *destination, const void *source, unsigned long long bytes) {
  constexpr unsigned long long piece = 16;
  const unsigned long long rank = group.thread_rank(), threads = group.size();
  const bool isAsync = detail::areFollowed() && __isShared(destination) && __isGlobal(source);
  for (unsigned long long at = rank * piece; at < bytes; at += threads * piece)
    copyPiece(static_cast<char *>(destination) + at, static_cast<const char *>(source) + at,
              static_cast<unsigned>(bytes - at < piece ? bytes - at : piece), isAsync);
  commitCopies();
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

// wait() returns when the group's copies are complete and visible to the whole group, wait_prior<N>() when all but the
// last N batches are.
template <class Group>
HOSTWARP_DEVICE void wait(const Group &group) {
  detail::awaitCopies(0);
  group.sync();
}
template <unsigned Stages, class Group>
HOSTWARP_DEVICE void wait_prior(const Group &group) {
  detail::awaitCopies(Stages);
  group.sync();
}

}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
