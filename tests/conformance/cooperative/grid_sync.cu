// A cooperative launch synchronises the whole grid, many times; a grid that cannot be resident is refused.
#include "../check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void relax(int *a, int *b, int n, int rounds) {
  cg::grid_group grid = cg::this_grid();
  for (int r = 0; r < rounds; ++r) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) b[i] = a[(i + 1) % n] + 1;
    grid.sync();
    int *t = a;
    a = b;
    b = t;
  }
}
__global__ void ranks(unsigned long long *sum, int *wrong) {
  cg::grid_group grid = cg::this_grid();
  if (!grid.is_valid() || grid.size() != gridDim.x * blockDim.x || grid.num_blocks() != gridDim.x ||
      grid.block_rank() != blockIdx.x)
    atomicAdd(wrong, 1);
  atomicAdd(sum, (unsigned long long)grid.thread_rank());
  grid.sync();
  if (*(volatile unsigned long long *)sum != grid.size() * (grid.size() - 1) / 2) atomicAdd(wrong, 1);
}

int main() {
  int n = 1000, rounds = 31;
  std::vector<int> start(n);
  for (int i = 0; i < n; ++i) start[i] = i;
  check::DeviceArray<int> a(start), b(n, 0), wrong(1, 0);
  check::DeviceArray<unsigned long long> sum(1, 0ull);
  int *pa = a.get(), *pb = b.get(), *pw = wrong.get();
  void *arguments[] = {&pa, &pb, &n, &rounds};
  CUDA_OK(cudaLaunchCooperativeKernel((const void *)relax, dim3(12), dim3(45), arguments, 0, nullptr));
  LAUNCH_OK();
  const std::vector<int> result = b.download();  // an odd number of rounds ends there
  for (int i = 0; i < n; ++i) CHECK_EQ(result[i], (i + rounds) % n + rounds);

  unsigned long long *ps = sum.get();
  void *rankArguments[] = {&ps, &pw};
  CUDA_OK(cudaLaunchCooperativeKernel((const void *)ranks, dim3(20), dim3(100), rankArguments, 0, nullptr));
  LAUNCH_OK();
  CHECK_EQ(wrong.download()[0], 0);

  cudaDeviceProp p;
  int perMultiprocessor = 0;
  CUDA_OK(cudaGetDeviceProperties(&p, 0));
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, ranks, 1024, 0));
  const int tooMany = perMultiprocessor * p.multiProcessorCount + 1;
  CHECK_EQ(cudaLaunchCooperativeKernel((const void *)ranks, dim3(tooMany), dim3(1024), rankArguments, 0, nullptr),
           cudaErrorCooperativeLaunchTooLarge);
  CHECK_EQ(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
  return check::finish();
}
