// Copies whose destination is the same place in several blocks of a cluster.
#ifndef HOSTWARP_COMPILER_PTX_LIBRARY_CLUSTER_H
#define HOSTWARP_COMPILER_PTX_LIBRARY_CLUSTER_H

#include "compiler/ptx/library/interface.h"

extern "C" void *hw_cluster_shared(const void *address, u32 rank) noexcept;
extern "C" void hwptx_mbarrier_complete_tx(u64 *barrier, u32 bytes) noexcept;

// copyToBlocks() calls write(destination) for `to` and then tells the barrier how many bytes have come. With a mask of
// blocks it does so for the counterparts of both in each of them, and not for the given ones.
template <class Write>
static inline void copyToBlocks(char *to, u64 *barrier, u32 bytes, u32 blocks, Write write) {
  if (!blocks) {
    write(to);
    return hwptx_mbarrier_complete_tx(barrier, bytes);
  }
  for (; blocks; blocks &= blocks - 1) {
    const u32 rank = u32(__builtin_ctz(blocks));
    write(static_cast<char *>(hw_cluster_shared(to, rank)));
    hwptx_mbarrier_complete_tx(static_cast<u64 *>(hw_cluster_shared(barrier, rank)), bytes);
  }
}

#endif  // HOSTWARP_COMPILER_PTX_LIBRARY_CLUSTER_H
