// thread_group, thread_block and grid_group [CUDA 4.4.2].
#ifndef HOSTWARP_COOPERATIVE_GROUPS_BLOCK_H
#define HOSTWARP_COOPERATIVE_GROUPS_BLOCK_H

#include "../../vector_types.h"
#include "lanes.h"

namespace cooperative_groups {

namespace detail {
// What thread_group::get_type() returns.
enum group_kind { kind_lanes = 1, kind_grid = 3, kind_block = 4, kind_cluster = 6 };
// Here says that a group is the one that the calling thread is in: programs make none from nothing.
struct Here {};
HOSTWARP_DEVICE dim3 toDim3(hw_dim3 d) { return dim3(d.x, d.y, d.z); }
HOSTWARP_DEVICE unsigned volume(hw_dim3 d) { return d.x * d.y * d.z; }
HOSTWARP_DEVICE unsigned special(int which) { return static_cast<unsigned>(hw_special_register(which)); }
// specialTriple() reads three special registers, of which x is the first.
HOSTWARP_DEVICE dim3 specialTriple(int x) { return dim3(special(x), special(x + 1), special(x + 2)); }
HOSTWARP_DEVICE unsigned long long blockRank() {
  const hw_thread *self = hw_self();
  return self->blockIdx.x +
         static_cast<unsigned long long>(self->gridDim.x) *
             (self->blockIdx.y + static_cast<unsigned long long>(self->gridDim.y) * self->blockIdx.z);
}
}  // namespace detail

// thread_group is any group whose kind is known only when the program runs.
class thread_group {
 public:
  HOSTWARP_DEVICE thread_group(detail::group_kind kind, unsigned mask) : kind_(kind), mask_(mask) {}

  HOSTWARP_DEVICE void sync() const {
    if (kind_ == detail::kind_block) return hw_barrier(0, 0);
    if (kind_ == detail::kind_grid) return hw_grid_sync();
    if (kind_ == detail::kind_cluster) {
      hw_cluster_arrive();
      return hw_cluster_wait();
    }
    hw_syncwarp(mask_);
  }
  HOSTWARP_DEVICE unsigned long long size() const {
    if (kind_ == detail::kind_lanes) return detail::countBits(mask_);
    const unsigned block = detail::volume(hw_self()->blockDim);
    if (kind_ == detail::kind_block) return block;
    if (kind_ == detail::kind_cluster) return block * hw_special_register(HW_SREG_CLUSTER_NCTARANK);
    return static_cast<unsigned long long>(block) * detail::volume(hw_self()->gridDim);
  }
  HOSTWARP_DEVICE unsigned long long num_threads() const { return size(); }
  HOSTWARP_DEVICE unsigned long long thread_rank() const {
    if (kind_ == detail::kind_lanes) return detail::rankIn(mask_);
    const unsigned long long inBlock = hw_linear_thread();
    if (kind_ == detail::kind_block) return inBlock;
    if (kind_ == detail::kind_cluster)
      return hw_special_register(HW_SREG_CLUSTER_CTARANK) * detail::volume(hw_self()->blockDim) + inBlock;
    return detail::blockRank() * detail::volume(hw_self()->blockDim) + inBlock;
  }
  HOSTWARP_DEVICE unsigned get_type() const { return kind_; }

  // lanes() is the group's mask of lanes; meaningful for groups inside a warp.
  HOSTWARP_DEVICE unsigned lanes() const { return mask_; }
  HOSTWARP_DEVICE detail::group_kind kind() const { return kind_; }

 private:
  detail::group_kind kind_;
  unsigned mask_;
};

// thread_block: all threads of the calling thread's block; sync() is __syncthreads().
class thread_block : public thread_group {
 public:
  struct arrival_token {};

  HOSTWARP_DEVICE explicit thread_block(detail::Here) : thread_group(detail::kind_block, 0) {}
  static HOSTWARP_DEVICE void sync() { hw_barrier(0, 0); }
  // Whoever waits has to wait for everybody's arrival; being stricter, and waiting for everybody's wait, is allowed.
  static HOSTWARP_DEVICE arrival_token barrier_arrive() { return arrival_token(); }
  static HOSTWARP_DEVICE void barrier_wait(arrival_token &&) { hw_barrier(0, 0); }
  static HOSTWARP_DEVICE unsigned size() { return detail::volume(hw_self()->blockDim); }
  static HOSTWARP_DEVICE unsigned num_threads() { return size(); }
  static HOSTWARP_DEVICE unsigned thread_rank() { return hw_linear_thread(); }
  static HOSTWARP_DEVICE dim3 group_index() { return detail::toDim3(hw_self()->blockIdx); }
  static HOSTWARP_DEVICE dim3 thread_index() { return threadIdx; }
  static HOSTWARP_DEVICE dim3 group_dim() { return detail::toDim3(hw_self()->blockDim); }
  static HOSTWARP_DEVICE dim3 dim_threads() { return group_dim(); }
};

// grid_group: all threads of the grid. sync() needs a cooperative launch.
class grid_group : public thread_group {
 public:
  typedef unsigned arrival_token;

  HOSTWARP_DEVICE explicit grid_group(detail::Here) : thread_group(detail::kind_grid, 0) {}
  HOSTWARP_DEVICE bool is_valid() const { return hw_grid_is_cooperative() != 0; }
  HOSTWARP_DEVICE void sync() const { hw_grid_sync(); }
  HOSTWARP_DEVICE arrival_token barrier_arrive() const {
    hw_grid_arrive();
    return 0;
  }
  HOSTWARP_DEVICE void barrier_wait(arrival_token &&) const { hw_grid_wait(); }
  static HOSTWARP_DEVICE unsigned long long size() {
    return static_cast<unsigned long long>(detail::volume(hw_self()->blockDim)) * num_blocks();
  }
  static HOSTWARP_DEVICE unsigned long long num_threads() { return size(); }
  static HOSTWARP_DEVICE unsigned long long thread_rank() {
    return detail::blockRank() * detail::volume(hw_self()->blockDim) + hw_linear_thread();
  }
  static HOSTWARP_DEVICE dim3 group_dim() { return detail::toDim3(hw_self()->gridDim); }
  static HOSTWARP_DEVICE dim3 dim_blocks() { return group_dim(); }
  static HOSTWARP_DEVICE unsigned long long num_blocks() {
    const hw_dim3 grid = hw_self()->gridDim;
    return static_cast<unsigned long long>(grid.x) * grid.y * grid.z;
  }
  static HOSTWARP_DEVICE dim3 block_index() { return detail::toDim3(hw_self()->blockIdx); }
  static HOSTWARP_DEVICE unsigned long long block_rank() { return detail::blockRank(); }
  static HOSTWARP_DEVICE dim3 dim_threads() {
    const hw_thread *self = hw_self();
    return dim3(self->gridDim.x * self->blockDim.x, self->gridDim.y * self->blockDim.y,
                self->gridDim.z * self->blockDim.z);
  }
  static HOSTWARP_DEVICE dim3 thread_index() {
    const hw_thread *self = hw_self();
    return dim3(self->blockIdx.x * self->blockDim.x + threadIdx.x, self->blockIdx.y * self->blockDim.y + threadIdx.y,
                self->blockIdx.z * self->blockDim.z + threadIdx.z);
  }

  static HOSTWARP_DEVICE dim3 dim_clusters() { return detail::specialTriple(HW_SREG_NCLUSTERID_X); }
  static HOSTWARP_DEVICE unsigned long long num_clusters() {
    const dim3 clusters = dim_clusters();
    return static_cast<unsigned long long>(clusters.x) * clusters.y * clusters.z;
  }
  static HOSTWARP_DEVICE dim3 cluster_index() { return detail::specialTriple(HW_SREG_CLUSTERID_X); }
  static HOSTWARP_DEVICE unsigned long long cluster_rank() {
    const dim3 index = cluster_index(), clusters = dim_clusters();
    return index.x + static_cast<unsigned long long>(clusters.x) *
                         (index.y + static_cast<unsigned long long>(clusters.y) * index.z);
  }
};

HOSTWARP_DEVICE thread_block this_thread_block() { return thread_block(detail::Here()); }

// block_tile_memory<> is what tiles of more than 32 threads communicate through on GPUs before compute capability 8.0.
// Here, as on later GPUs, nothing of it is used.
template <unsigned MaxBlockSize = 1024>
struct __attribute__((aligned(8))) block_tile_memory {};
template <unsigned MaxBlockSize>
HOSTWARP_DEVICE thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return thread_block(detail::Here());
}
HOSTWARP_DEVICE grid_group this_grid() { return grid_group(detail::Here()); }

template <class Group>
HOSTWARP_DEVICE void sync(const Group &group) {
  group.sync();
}
template <class Group>
HOSTWARP_DEVICE auto thread_rank(const Group &group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group>
HOSTWARP_DEVICE auto group_size(const Group &group) -> decltype(group.size()) {
  return group.size();
}

}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_BLOCK_H
