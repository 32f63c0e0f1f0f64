// cuda::ptx and cuda::device::experimental: bulk and tensor copies, asynchronous stores, mbarriers.
// options: -lcuda
// needs: cuda/ptx cuda/barrier
// cccl: 3.0
#include "../check.h"

#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

#include <numeric>
#include <utility>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
namespace cde = cuda::device::experimental;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int width = 16, height = 8;

// Doubles a tile of a matrix, with the barrier as an object.
__global__ void withBarrier(const __grid_constant__ CUtensorMap map, int x, int y) {
  __shared__ alignas(128) int tile[height][width];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(&tile, &map, x, y, barrier);
    token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  for (int i = threadIdx.x; i < width * height; i += blockDim.x) tile[i / width][i % width] *= 2;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_shared_to_global(&map, x, y, &tile);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}

// A run of integers there and back.
__global__ void withRuns(const int *data, int *copy) {
  __shared__ alignas(16) int run[256];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_global_to_shared(run, data, sizeof run, barrier);
    token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof run);
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  for (int i = threadIdx.x; i < 256; i += blockDim.x) run[i] += 1;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_shared_to_global(copy, run, sizeof run);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}

// The same with cuda::ptx alone: a ring of two blocks that add to each other.
__global__ void __cluster_dims__(2, 1, 1) withPtx(const __grid_constant__ CUtensorMap map, int *out) {
  __shared__ alignas(128) int tile[height * width];
  __shared__ int sums[4];
  __shared__ uint64_t loaded, signalled;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned other = cluster.block_rank() ^ 1;
  if (threadIdx.x < 4) sums[threadIdx.x] = 100;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&loaded, 1);
    ptx::mbarrier_init(&signalled, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &signalled, 24);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &loaded, sizeof tile);
    const int corner[] = {int(cluster.block_rank()) * 16, 2};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, corner, &loaded);
  }
  cluster.sync();
  while (!ptx::mbarrier_try_wait_parity(&loaded, 0)) {
  }
  if (threadIdx.x == 0) {
    int *theirs = cluster.map_shared_rank(sums, int(other));
    uint64_t *theirBarrier = cluster.map_shared_rank(&signalled, int(other));
    const int pair[] = {tile[0], tile[1]};
    ptx::st_async(theirs, pair, theirBarrier);
    ptx::red_async(ptx::op_add, theirs + 2, tile[2], theirBarrier);
    ptx::red_async(ptx::op_max, theirs + 3, tile[3], theirBarrier);
    ptx::red_async(ptx::op_add, theirs + 2, 1, theirBarrier);
    ptx::red_async(ptx::op_min, theirs + 3, 1000000, theirBarrier);
  }
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &signalled, 0)) {
  }
  if (threadIdx.x < 4) out[blockIdx.x * 4 + threadIdx.x] = sums[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    const int corner[] = {int(cluster.block_rank()) * 16, 2};
    ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_add, &map, corner, tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
  cluster.sync();
}

static CUtensorMap encode(int *memory) {
  CUtensorMap map;
  const cuuint64_t size[] = {64, 20}, strides[] = {256};
  const cuuint32_t box[] = {width, height}, steps[] = {1, 1};
  CHECK_EQ(int(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, memory, size, strides, box, steps,
                                      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)),
           int(CUDA_SUCCESS));
  return map;
}

int main() {
  std::vector<int> values(64 * 20);
  std::iota(values.begin(), values.end(), 0);
  check::DeviceArray<int> matrix(values), copy(256, 0), out(8, 0);
  const CUtensorMap map = encode(matrix.get());
  withBarrier<<<1, 64>>>(map, 12, 15);
  LAUNCH_OK();
  for (int y = 15; y < 20; ++y)
    for (int x = 12; x < 28; ++x) values[size_t(y * 64 + x)] *= 2;
  CHECK(matrix.download() == values);
  withRuns<<<1, 96>>>(matrix.get(), copy.get());
  LAUNCH_OK();
  for (int i = 0; i < 256; ++i) CHECK_EQ(copy.download()[size_t(i)], i + 1);
  withPtx<<<2, 32>>>(map, out.get());
  LAUNCH_OK();
  const std::vector<int> host = out.download();
  for (int block = 0; block < 2; ++block) {
    const int first = 128 + (block ^ 1) * 16;
    CHECK_EQ(host[size_t(block * 4)], first);
    CHECK_EQ(host[size_t(block * 4 + 1)], first + 1);
    CHECK_EQ(host[size_t(block * 4 + 2)], 100 + first + 2 + 1);
    CHECK_EQ(host[size_t(block * 4 + 3)], first + 3);
  }
  for (int y = 2; y < 10; ++y)
    for (int x = 0; x < 32; ++x) values[size_t(y * 64 + x)] *= 2;
  CHECK(matrix.download() == values);
  return check::finish();
}
