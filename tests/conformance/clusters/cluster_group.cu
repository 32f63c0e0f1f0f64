// Thread block clusters: their shape, barrier and distributed shared memory.
#include <cooperative_groups.h>

#include "../check.h"

namespace cg = cooperative_groups;

// Each block writes what it knows of its place: 12 numbers.
__global__ void __cluster_dims__(2, 2, 1) places(unsigned *out) {
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  if (threadIdx.x != 3 || threadIdx.y != 1) return;
  unsigned *place = out + 12 * block;
  place[0] = cluster.block_rank();
  place[1] = cluster.num_blocks();
  place[2] = cluster.block_index().x;
  place[3] = cluster.block_index().y;
  place[4] = cluster.dim_blocks().x;
  place[5] = cluster.dim_blocks().y;
  place[6] = cluster.num_threads();
  place[7] = cluster.thread_rank();
  place[8] = cluster.dim_threads().y;
  place[9] = cluster.thread_index().x;
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(place[10]));
  asm("mov.u32 %0, %%nclusterid.y;" : "=r"(place[11]));
}

void checkPlaces() {
  check::DeviceArray<unsigned> out(12 * 6 * 2);
  places<<<dim3(6, 2), dim3(8, 4)>>>(out.get());
  LAUNCH_OK();
  const std::vector<unsigned> got = out.download();
  for (unsigned y = 0; y < 2; ++y)
    for (unsigned x = 0; x < 6; ++x) {
      const unsigned *place = &got[12 * (x + 6 * y)];
      const unsigned rank = x % 2 + 2 * y;
      const unsigned wanted[] = {rank, 4, x % 2, y, 2, 2, 128, rank * 32 + 11, 8, x % 2 * 8 + 3, x / 2, 1};
      for (int i = 0; i < 12; ++i) CHECK_EQ(place[i], wanted[i]);
    }
}

// A ring: each block reads its right neighbour's shared memory, several times over.
__global__ void ring(int *out, int rounds) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[64];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), size = cluster.num_blocks(), i = threadIdx.x;
  fixed[i] = 1000 * blockIdx.x + i;
  for (int round = 0; round < rounds; ++round) {
    cluster.sync();
    const int *neighbour = cluster.map_shared_rank(fixed, (rank + 1) % size);
    dynamic[i] = neighbour[i];
    cluster.sync();
    fixed[i] = dynamic[i];
  }
  out[blockIdx.x * blockDim.x + i] = fixed[i];
  if (cluster.query_shared_rank(cluster.map_shared_rank(dynamic, size - 1)) != size - 1) out[0] = -1;
  cluster.sync();  // nobody leaves while others read
}

void launchRing(unsigned clusterSize, unsigned blocks, unsigned threads, int rounds) {
  check::DeviceArray<int> out(blocks * threads);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = threads * sizeof(int);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = clusterSize;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA_OK(cudaLaunchKernelEx(&config, ring, out.get(), rounds));
  LAUNCH_OK();
  const std::vector<int> got = out.download();
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned i = 0; i < threads; ++i) {
      const unsigned first = block / clusterSize * clusterSize;
      const unsigned source = first + (block - first + rounds) % clusterSize;
      CHECK_EQ(got[block * threads + i], int(1000 * source + i));
    }
}

// Atomics on another block's shared memory; arrive and wait apart from each other; threads that leave early.
__global__ void __cluster_dims__(4, 1, 1) histogram(int *out) {
  __shared__ int bins[4];
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  cluster.sync();
  int *all = cluster.map_shared_rank(bins, 0);
  atomicAdd(&all[threadIdx.x % 4], 1);
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(std::move(token));
  if (cluster.block_rank() != 0) return;
  if (threadIdx.x < 4) out[blockIdx.x + threadIdx.x] = bins[threadIdx.x];
}

// The same by PTX.
__global__ void __cluster_dims__(2, 1, 1) byPtx(int *out) {
  __shared__ int value;
  unsigned rank, peer, size;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  const unsigned mine = static_cast<unsigned>(__cvta_generic_to_shared(&value));
  if (threadIdx.x == 0) value = 10 + rank;
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(peer) : "r"(mine), "r"(rank ^ 1));
  int got;
  unsigned owner;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(got) : "r"(peer) : "memory");
  asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(owner) : "r"(peer));
  asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
  if (threadIdx.x == 0) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(peer), "r"(got + 100) : "memory");
  asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
  if (threadIdx.x != 0) return;
  out[2 * blockIdx.x] = got * 10 + owner;
  out[2 * blockIdx.x + 1] = value;
}

int main() {
  checkPlaces();
  launchRing(2, 8, 64, 3);
  launchRing(8, 16, 33, 5);
  launchRing(1, 3, 64, 2);
  check::DeviceArray<int> out(16, -1);
  histogram<<<8, 96>>>(out.get());
  LAUNCH_OK();
  for (int i = 0; i < 8; ++i) CHECK_EQ(out.download()[i], 96);
  byPtx<<<4, 32>>>(out.get());
  LAUNCH_OK();
  const std::vector<int> got = out.download();
  for (int block = 0; block < 4; ++block) {
    const int rank = block % 2;
    CHECK_EQ(got[2 * block], (10 + (rank ^ 1)) * 10 + (rank ^ 1));
    CHECK_EQ(got[2 * block + 1], 10 + rank + 100);
  }
  return check::finish();
}
