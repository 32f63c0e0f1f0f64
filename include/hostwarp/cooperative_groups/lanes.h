// What groups inside a warp share: exchanging values of any type between the lanes of a mask, and finding lanes by
// rank.
#ifndef HOSTWARP_COOPERATIVE_GROUPS_LANES_H
#define HOSTWARP_COOPERATIVE_GROUPS_LANES_H

#include <string.h>

#include "../builtin_variables.h"
#include "../device_abi.h"
#include "../device_qualifiers.h"

namespace cooperative_groups {
namespace detail {

// laneId() is the calling thread's lane, 0..31.
HOSTWARP_DEVICE unsigned laneId() { return hw_lane_id(); }
HOSTWARP_DEVICE unsigned countBits(unsigned mask) { return static_cast<unsigned>(__builtin_popcount(mask)); }
HOSTWARP_DEVICE unsigned lanesBelow(unsigned lane) { return (1u << lane) - 1u; }

// existingLanes() are the lanes of the calling warp that are threads: the block's last warp may be partial.
HOSTWARP_DEVICE unsigned existingLanes() {
  const hw_thread *self = hw_self();
  const unsigned left = self->blockDim.x * self->blockDim.y * self->blockDim.z - hw_warp_id() * 32u;
  return left >= 32u ? ~0u : lanesBelow(left);
}

// wordOf() is a value as bits, fromWord() the way back.
template <class T>
HOSTWARP_DEVICE unsigned long long wordOf(const T &value) {
  static_assert(sizeof(T) <= 8, "this collective takes values of up to 8 bytes");
  unsigned long long word = 0;
  memcpy(&word, &value, sizeof(T));
  return word;
}
template <class T>
HOSTWARP_DEVICE T fromWord(unsigned long long word) {
  T value;
  memcpy(&value, &word, sizeof(T));
  return value;
}

// rankIn() is the number of lanes of `mask` below the calling one.
HOSTWARP_DEVICE unsigned rankIn(unsigned mask) { return countBits(mask & lanesBelow(laneId())); }

// laneOfRank() is the lane of the rank-th set bit of `mask`; 32 when there is none.
HOSTWARP_DEVICE unsigned laneOfRank(unsigned mask, unsigned rank) {
  for (; rank && mask; --rank) mask &= mask - 1;
  return mask ? static_cast<unsigned>(__builtin_ctz(mask)) : 32u;
}

// exchange() gives the value that lane `source` of `mask` passes, for any trivially copyable type. Every lane of the
// mask takes part; a source outside of the mask gives the caller's own value.
template <class T>
HOSTWARP_DEVICE T exchange(unsigned mask, T value, unsigned source) {
  const bool valid = source < 32u && ((mask >> source) & 1u);
  const unsigned from = valid ? source : laneId();
  constexpr unsigned words = (sizeof(T) + 7) / 8;
  unsigned long long buffer[words] = {};
  memcpy(buffer, &value, sizeof(T));
  for (unsigned i = 0; i < words; ++i) buffer[i] = hw_shuffle(mask, HW_SHFL_IDX, buffer[i], from, 32u, nullptr);
  T result = value;
  memcpy(&result, buffer, sizeof(T));
  return result;
}

}  // namespace detail
}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_LANES_H
