// cluster_group: the blocks of a thread block cluster [CUDA 4.4.2 cluster group].
#ifndef HOSTWARP_COOPERATIVE_GROUPS_CLUSTER_H
#define HOSTWARP_COOPERATIVE_GROUPS_CLUSTER_H

#include "block.h"

namespace cooperative_groups {

// cluster_group: all threads of the calling thread's cluster, which is one block unless the launch says otherwise.
class cluster_group : public thread_group {
 public:
  struct arrival_token {};

  HOSTWARP_DEVICE explicit cluster_group(detail::Here) : thread_group(detail::kind_cluster, 0) {}

  static HOSTWARP_DEVICE void sync() {
    hw_cluster_arrive();
    hw_cluster_wait();
  }
  static HOSTWARP_DEVICE arrival_token barrier_arrive() {
    hw_cluster_arrive();
    return arrival_token();
  }
  static HOSTWARP_DEVICE void barrier_wait() { hw_cluster_wait(); }
  static HOSTWARP_DEVICE void barrier_wait(arrival_token &&) { hw_cluster_wait(); }

  // query_shared_rank() tells whose shared memory an address lies in; map_shared_rank() gives the same place in the
  // shared memory of another block.
  static HOSTWARP_DEVICE unsigned query_shared_rank(const void *address) { return hw_cluster_rank(address); }
  template <class T>
  static HOSTWARP_DEVICE T *map_shared_rank(T *address, int rank) {
    return static_cast<T *>(hw_cluster_shared(address, static_cast<unsigned>(rank)));
  }

  static HOSTWARP_DEVICE dim3 block_index() { return detail::specialTriple(HW_SREG_CLUSTER_CTAID_X); }
  static HOSTWARP_DEVICE unsigned block_rank() { return detail::special(HW_SREG_CLUSTER_CTARANK); }
  static HOSTWARP_DEVICE dim3 dim_blocks() { return detail::specialTriple(HW_SREG_CLUSTER_NCTAID_X); }
  static HOSTWARP_DEVICE unsigned num_blocks() { return detail::special(HW_SREG_CLUSTER_NCTARANK); }
  static HOSTWARP_DEVICE dim3 thread_index() {
    const dim3 block = block_index();
    const hw_thread *self = hw_self();
    return dim3(block.x * self->blockDim.x + threadIdx.x, block.y * self->blockDim.y + threadIdx.y,
                block.z * self->blockDim.z + threadIdx.z);
  }
  static HOSTWARP_DEVICE unsigned thread_rank() {
    return block_rank() * detail::volume(hw_self()->blockDim) + hw_linear_thread();
  }
  static HOSTWARP_DEVICE dim3 dim_threads() {
    const dim3 extent = dim_blocks();
    const hw_dim3 threads = hw_self()->blockDim;
    return dim3(extent.x * threads.x, extent.y * threads.y, extent.z * threads.z);
  }
  static HOSTWARP_DEVICE unsigned num_threads() { return num_blocks() * detail::volume(hw_self()->blockDim); }
  static HOSTWARP_DEVICE unsigned size() { return num_threads(); }
};

HOSTWARP_DEVICE cluster_group this_cluster() { return cluster_group(detail::Here()); }

}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_CLUSTER_H
