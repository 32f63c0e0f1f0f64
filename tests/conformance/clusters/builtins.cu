// The cluster functions that need no cooperative groups, with clusters and without.
#include "../check.h"

__device__ unsigned word(dim3 d) { return d.x * 100 + d.y * 10 + d.z; }

__device__ void describe(unsigned *result) {
  const unsigned values[] = {__clusterDimIsSpecified(),
                             __clusterSizeInBlocks(),
                             word(__clusterDim()),
                             word(__clusterIdx()),
                             word(__clusterRelativeBlockIdx()),
                             __clusterRelativeBlockRank(),
                             word(__clusterGridDimInClusters())};
  for (int i = 0; i < 7; ++i) result[(blockIdx.y * gridDim.x + blockIdx.x) * 7 + i] = values[i];
}

// Each block leaves its number with its neighbour.
__global__ void __cluster_dims__(2, 1, 1) pairs(unsigned *result, unsigned *left) {
  __shared__ unsigned mine;
  const unsigned rank = __clusterRelativeBlockRank(), block = blockIdx.y * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0) describe(result);
  auto *theirs = static_cast<unsigned *>(__cluster_map_shared_rank(&mine, 1 - rank));
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  if (threadIdx.x == 0) *theirs = block + 10 * __cluster_query_shared_rank(theirs);
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  if (threadIdx.x == 0) left[block] = mine;
  __cluster_barrier_arrive_relaxed();
  __cluster_barrier_wait();
}
__global__ void plain(unsigned *result) { describe(result); }

int main() {
  check::DeviceArray<unsigned> result(8 * 7, 0u), left(8, 0u);
  pairs<<<dim3(4, 2), 32>>>(result.get(), left.get());
  LAUNCH_OK();
  std::vector<unsigned> values = result.download();
  const std::vector<unsigned> numbers = left.download();
  for (unsigned block = 0; block < 8; ++block) {
    const unsigned x = block % 4, y = block / 4, rank = x % 2;
    const unsigned expected[] = {1, 2, 211, x / 2 * 100 + y * 10, rank * 100, rank, 221};
    for (int i = 0; i < 7; ++i) CHECK_EQ(values[block * 7 + i], expected[i]);
    CHECK_EQ(numbers[block], (block ^ 1) + 10 * rank);
  }
  plain<<<dim3(2, 1), 1>>>(result.get());
  LAUNCH_OK();
  values = result.download();
  for (unsigned block = 0; block < 2; ++block) {
    const unsigned expected[] = {0, 1, 111, block * 100, 0, 0, 211};
    for (int i = 0; i < 7; ++i) CHECK_EQ(values[block * 7 + i], expected[i]);
  }
  return check::finish();
}
