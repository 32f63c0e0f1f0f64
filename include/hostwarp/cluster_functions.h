// What device code asks of its cluster without cooperative groups. A launch without cluster dimensions has clusters of
// one block.
#ifndef HOSTWARP_CLUSTER_FUNCTIONS_H
#define HOSTWARP_CLUSTER_FUNCTIONS_H

#include "../vector_types.h"
#include "device_abi.h"
#include "device_qualifiers.h"

HOSTWARP_DEVICE void __cluster_barrier_arrive() { hw_cluster_arrive(); }
// The barrier orders memory in any case.
HOSTWARP_DEVICE void __cluster_barrier_arrive_relaxed() { hw_cluster_arrive(); }
HOSTWARP_DEVICE void __cluster_barrier_wait() { hw_cluster_wait(); }

HOSTWARP_DEVICE unsigned __clusterDimIsSpecified() {
  return static_cast<unsigned>(hw_special_register(HW_SREG_IS_EXPLICIT_CLUSTER));
}
HOSTWARP_DEVICE unsigned __clusterRelativeBlockRank() {
  return static_cast<unsigned>(hw_special_register(HW_SREG_CLUSTER_CTARANK));
}
HOSTWARP_DEVICE unsigned __clusterSizeInBlocks() {
  return static_cast<unsigned>(hw_special_register(HW_SREG_CLUSTER_NCTARANK));
}
#define HOSTWARP_TRIPLE(name, x)                                                                                    \
  HOSTWARP_DEVICE dim3 name() {                                                                                     \
    return dim3(static_cast<unsigned>(hw_special_register(x)), static_cast<unsigned>(hw_special_register((x) + 1)), \
                static_cast<unsigned>(hw_special_register((x) + 2)));                                               \
  }
HOSTWARP_TRIPLE(__clusterDim, HW_SREG_CLUSTER_NCTAID_X)
HOSTWARP_TRIPLE(__clusterRelativeBlockIdx, HW_SREG_CLUSTER_CTAID_X)
HOSTWARP_TRIPLE(__clusterIdx, HW_SREG_CLUSTERID_X)
HOSTWARP_TRIPLE(__clusterGridDimInClusters, HW_SREG_NCLUSTERID_X)
#undef HOSTWARP_TRIPLE

HOSTWARP_DEVICE void *__cluster_map_shared_rank(const void *address, unsigned rank) {
  return hw_cluster_shared(address, rank);
}
HOSTWARP_DEVICE unsigned __cluster_query_shared_rank(const void *address) { return hw_cluster_rank(address); }

#endif  // HOSTWARP_CLUSTER_FUNCTIONS_H
