// Races beside other barriers than the block's own: of a cluster, of the grid, and in memory.
// options: -arch=sm_90
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>

#include "pairs.h"

namespace cg = cooperative_groups;

// A block reads another's shared memory before it is written.
// finds: race: cluster.sync()
__global__ void __cluster_dims__(2) racy_cluster(int *out) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = cluster.block_rank();                          // HERE
  __syncthreads();
  const int *theirs = cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
  if (threadIdx.x == 0) out[blockIdx.x] = *theirs;                            // HERE
  cluster.sync();
}
__global__ void __cluster_dims__(2) fixed_cluster(int *out) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = cluster.block_rank();
  cluster.sync();
  const int *theirs = cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
  if (threadIdx.x == 0) out[blockIdx.x] = *theirs;
  cluster.sync();
}

// Written between the two halves of the cluster's barrier.
// finds: race: cluster.sync()
__global__ void __cluster_dims__(2) racy_halves(int *out) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  auto token = cluster.barrier_arrive();
  if (threadIdx.x == 0) mine = cluster.block_rank();  // HERE
  cluster.barrier_wait(static_cast<decltype(token) &&>(token));
  const int *theirs = cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
  if (threadIdx.x == 0) out[blockIdx.x] = *theirs;  // HERE
  cluster.sync();
}
__global__ void __cluster_dims__(2) fixed_halves(int *out) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = cluster.block_rank();
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(static_cast<decltype(token) &&>(token));
  const int *theirs = cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
  if (threadIdx.x == 0) out[blockIdx.x] = *theirs;
  cluster.sync();
}

// finds: race: blocks run in any order
__global__ void racy_grid(int *out) {
  out[1024 + blockIdx.x] = blockIdx.x;                                 // HERE
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = out[1024 + (blockIdx.x + 1) % gridDim.x];  // HERE
  cg::this_grid().sync();
}
__global__ void fixed_grid(int *out) {
  out[1024 + blockIdx.x] = blockIdx.x;
  cg::this_grid().sync();
  if (threadIdx.x == 0) out[blockIdx.x] = out[1024 + (blockIdx.x + 1) % gridDim.x];
}

// Tiles of two warps wait for their own threads only.
// finds: race: __syncthreads()
__global__ void racy_tiles(int *out) {
  __shared__ int values[128];
  __shared__ cg::block_tile_memory<128> memory;
  auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  values[threadIdx.x] = threadIdx.x;  // HERE
  tile.sync();
  out[threadIdx.x] = values[127 - threadIdx.x];  // HERE
}
__global__ void fixed_tiles(int *out) {
  __shared__ int values[128];
  __shared__ cg::block_tile_memory<128> memory;
  auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  values[threadIdx.x] = threadIdx.x;
  tile.sync();
  out[threadIdx.x] = values[threadIdx.x ^ 63];
}

// finds: race: __syncthreads()
__global__ void racy_mbarrier(int *out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int values[64];
  if (threadIdx.x == 0) __mbarrier_init(&barrier, 64);
  __syncthreads();
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  values[threadIdx.x] = threadIdx.x;  // HERE
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  out[threadIdx.x] = values[63 - threadIdx.x];  // HERE
}
__global__ void fixed_mbarrier(int *out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int values[64];
  if (threadIdx.x == 0) __mbarrier_init(&barrier, 64);
  __syncthreads();
  values[threadIdx.x] = threadIdx.x;
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  out[threadIdx.x] = values[63 - threadIdx.x];
}

// finds: race: __syncwarp()
__global__ void racy_coalesced(int *out) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;  // HERE
  if (threadIdx.x & 1) {
    cg::coalesced_group odd = cg::coalesced_threads();
    odd.sync();
    out[threadIdx.x] = values[threadIdx.x - 1];  // HERE
  }
  __syncwarp();
}
__global__ void fixed_coalesced(int *out) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;
  if (threadIdx.x & 1) {
    cg::coalesced_group odd = cg::coalesced_threads();
    odd.sync();
    out[threadIdx.x] = values[32 - threadIdx.x];
  }
  __syncwarp();
}

template <class Kernel>
void launchTogether(Kernel *kernel) {
  int *out = memory();
  void *arguments[] = {&out};
  cudaLaunchCooperativeKernel(reinterpret_cast<void *>(kernel), dim3(4), dim3(64), arguments, 0, nullptr);
  cudaDeviceSynchronize();
}

int main() {
  PAIR(cluster, 4, 64);
  PAIR(halves, 4, 64);
  launchTogether(racy_grid);
  launchTogether(fixed_grid);
  PAIR(tiles, 1, 128);
  PAIR(mbarrier, 1, 64);
  PAIR(coalesced, 1, 32);
  return finish();
}
