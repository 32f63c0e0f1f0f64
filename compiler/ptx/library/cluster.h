// Copies whose destination is the same place in several blocks of a cluster.
#ifndef HOSTWARP_COMPILER_PTX_LIBRARY_CLUSTER_H
#define HOSTWARP_COMPILER_PTX_LIBRARY_CLUSTER_H

#include "compiler/ptx/library/in_flight.h"

extern "C" void *hw_cluster_shared(const void *address, u32 rank) noexcept;
extern "C" void hwptx_mbarrier_complete_tx(u64 *barrier, u32 bytes) noexcept;

// copyToBlocks() begins a copy and calls copy(destination, barrier) for `to` and `barrier`. With a mask of blocks it does
// so for the counterparts of both in each of them, and not for the given ones.
template <class Copy>
HWPTX_WITHIN void copyToBlocks(char *to, u64 *barrier, u32 blocks, const Copy &copy) {
  if (!blocks) {
    tell(HW_ASYNC_TRANSFER, barrier);
    return copy(to, barrier);
  }
  for (; blocks; blocks &= blocks - 1) {
    const u32 rank = u32(__builtin_ctz(blocks));
    u64 *const told = static_cast<u64 *>(hw_cluster_shared(barrier, rank));
    tell(HW_ASYNC_TRANSFER, told);
    copy(static_cast<char *>(hw_cluster_shared(to, rank)), told);
  }
}

#endif  // HOSTWARP_COMPILER_PTX_LIBRARY_CLUSTER_H
