// cooperative_groups::reduce() and the scans take a whole block, as the guide of CUDA 13.1 shows; the headers of 13.0,
// and so hostwarp's, refused it. stride_partition() is another name of that guide.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

struct Pair {
  double sum;
  long long count;
};

__global__ void collect(int *wrong) {
  const cg::thread_block block = cg::this_thread_block();
  const int rank = static_cast<int>(block.thread_rank()), size = static_cast<int>(block.size());
  const auto join = [](Pair a, Pair b) { return Pair{a.sum + b.sum, a.count + b.count}; };
  const Pair pair = cg::reduce(block, Pair{0.5 * rank, 1}, join);
  const bool right =
      cg::reduce(block, rank, cg::plus<int>()) == size * (size - 1) / 2 &&
      cg::reduce(block, rank + 1, cg::less<int>()) == 1 && cg::reduce(block, rank, cg::greater<int>()) == size - 1 &&
      cg::exclusive_scan(block, rank, cg::plus<int>()) == rank * (rank - 1) / 2 &&
      cg::inclusive_scan(block, 1) == rank + 1 && pair.count == size && pair.sum == 0.25 * size * (size - 1);
  if (!right) atomicAdd(wrong, 1);
}

__global__ void deal(int *wrong) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned lane = warp.thread_rank();
  const cg::coalesced_group four = cg::stride_partition<4>(warp);
  bool right = four.size() == 4 && four.thread_rank() == lane / 8 && four.meta_group_rank() == lane % 8 &&
               four.meta_group_size() == 8 && cg::reduce(four, lane, cg::plus<unsigned>()) == 4 * (lane % 8) + 48;
  if (lane < 10) {
    const cg::coalesced_group uneven = cg::stride_partition(cg::coalesced_threads(), 4);
    right &= uneven.size() == (lane % 3 == 0 ? 4 : 3) && uneven.thread_rank() == lane / 3 &&
             uneven.meta_group_size() == 3 && uneven.shfl(lane, 1) == lane % 3 + 3;
  }
  if (!right) atomicAdd(wrong, 1);
}

int main() {
  int *wrong;
  cudaMallocManaged(&wrong, sizeof *wrong);
  *wrong = 0;
  for (dim3 block : {dim3(1), dim3(31), dim3(33), dim3(7, 5, 3), dim3(256), dim3(1024)}) collect<<<2, block>>>(wrong);
  deal<<<2, 64>>>(wrong);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess || *wrong != 0) return std::printf("%s, %d wrong\n", cudaGetErrorName(error), *wrong), 1;
  std::puts("PASS");
}
