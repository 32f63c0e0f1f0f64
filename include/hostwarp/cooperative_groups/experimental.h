// The names that tiles of several warps had before CUDA 12.
#ifndef HOSTWARP_COOPERATIVE_GROUPS_EXPERIMENTAL_H
#define HOSTWARP_COOPERATIVE_GROUPS_EXPERIMENTAL_H

#include "tile.h"

namespace cooperative_groups {
namespace experimental {

template <unsigned CommunicationBytes = 8, unsigned MaxBlockSize = 1024>
struct __attribute__((aligned(8))) block_tile_memory {};

template <unsigned CommunicationBytes, unsigned MaxBlockSize>
HOSTWARP_DEVICE thread_block this_thread_block(block_tile_memory<CommunicationBytes, MaxBlockSize> &) {
  return thread_block(detail::Here());
}

using cooperative_groups::thread_block_tile;
using cooperative_groups::tiled_partition;

}  // namespace experimental
}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_EXPERIMENTAL_H
