// grid_group and cluster_group: indices, ranks, split barriers; what is_valid() says without a cooperative launch.
#include "../check.h"

#include <cooperative_groups.h>

#include <utility>

namespace cg = cooperative_groups;

__device__ void expect(bool condition, int line, int *wrong) {
  if (!condition && atomicAdd(wrong, 1) < 10) printf("line %d\n", line);
}
#define EXPECT(condition) expect(condition, __LINE__, wrong)
#define SAME(a, b) EXPECT((a).x == (b).x && (a).y == (b).y && (a).z == (b).z)

__global__ void __cluster_dims__(2, 1, 1) indices(bool cooperative, int *wrong) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  EXPECT(grid.is_valid() == cooperative);
  const dim3 all(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  const dim3 mine(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                  blockIdx.z * blockDim.z + threadIdx.z);
  SAME(grid.dim_threads(), all);
  SAME(grid.thread_index(), mine);
  SAME(grid.dim_blocks(), gridDim);
  SAME(grid.group_dim(), gridDim);
  SAME(grid.block_index(), blockIdx);
  const unsigned blockRank = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  EXPECT(grid.block_rank() == blockRank && grid.num_blocks() == gridDim.x * gridDim.y * gridDim.z);
  EXPECT(grid.thread_rank() == blockRank * block.size() + block.thread_rank());
  EXPECT(grid.num_threads() == grid.size() && grid.size() == grid.num_blocks() * block.num_threads());
  SAME(grid.dim_clusters(), dim3(gridDim.x / 2, gridDim.y, gridDim.z));
  SAME(grid.cluster_index(), dim3(blockIdx.x / 2, blockIdx.y, blockIdx.z));
  EXPECT(grid.num_clusters() == grid.num_blocks() / 2);
  EXPECT(grid.cluster_rank() == blockIdx.x / 2 + gridDim.x / 2 * (blockIdx.y + gridDim.y * blockIdx.z));
  SAME(block.group_index(), blockIdx);
  SAME(block.thread_index(), threadIdx);
  SAME(block.dim_threads(), blockDim);
  EXPECT(cg::thread_rank(block) == block.thread_rank() && cg::group_size(block) == block.size());
  const cg::thread_group generic = block;
  EXPECT(generic.size() == block.size() && generic.thread_rank() == block.thread_rank());
  const cg::cluster_group cluster = cg::this_cluster();
  EXPECT(cluster.num_blocks() == 2 && cluster.block_rank() == blockIdx.x % 2);
}

// Arrival does not wait: between it and the wait, thread 0 of block 0 waits for a thread that has passed the barrier.
__global__ void split(volatile int *flag, int *values, int *wrong) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned self = unsigned(grid.thread_rank()), all = unsigned(grid.size());
  for (int round = 0; round < 4; ++round) {
    values[self] = round;
    cg::grid_group::arrival_token token = grid.barrier_arrive();
    const int own = values[self] * 2;
    grid.barrier_wait(std::move(token));
    EXPECT(values[(self + 77) % all] * 2 == own);
    cg::sync(grid);
  }
  if (blockIdx.x == 0) {
    auto token = grid.barrier_arrive();
    while (threadIdx.x == 0 && *flag == 0) {
    }
    grid.barrier_wait(std::move(token));
  } else {
    if (blockIdx.x == 1 && threadIdx.x == 0) {
      *flag = 1;
      __threadfence();
    }
    auto token = grid.barrier_arrive();
    grid.barrier_wait(std::move(token));
  }
  EXPECT(*flag == 1);
}

__global__ void blockTokens(int *wrong) {
  __shared__ int values[128];
  const cg::thread_block block = cg::this_thread_block();
  for (int round = 0; round < 5; ++round) {
    values[threadIdx.x] = round + int(threadIdx.x);
    cg::thread_block::arrival_token token = block.barrier_arrive();
    const int next = (threadIdx.x + 1) % blockDim.x;
    block.barrier_wait(std::move(token));
    EXPECT(values[next] == round + next);
    block.sync();
  }
}

int main() {
  check::DeviceArray<int> wrong(1, 0), flag(1, 0), values(4 * 64, 0);
  indices<<<dim3(4, 3, 2), dim3(8, 4, 2)>>>(false, wrong.get());
  LAUNCH_OK();
  volatile int *flagPointer = flag.get();
  int *valuesPointer = values.get(), *wrongPointer = wrong.get();
  void *arguments[] = {&flagPointer, &valuesPointer, &wrongPointer};
  CUDA_OK(cudaLaunchCooperativeKernel((void *)split, dim3(4), dim3(64), arguments, 0, nullptr));
  LAUNCH_OK();
  blockTokens<<<2, 100>>>(wrong.get());
  LAUNCH_OK();
  CHECK_EQ(wrong.download()[0], 0);
  return check::finish();
}
