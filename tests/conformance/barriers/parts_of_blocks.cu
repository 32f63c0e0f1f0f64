// Waits for parts of a block and for other blocks, with threads that have ended, warps that are not full, and
// reductions.
#include "../check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Thirds of the block, of whole warps, count odd numbers among themselves; each goes through as many turns as it likes.
__global__ void countInThirds(const int *in, int *out) {
  const int third = threadIdx.x / 64;
  int sum = 0;
  for (int turn = 0; turn <= third; ++turn) {
    const int odd = (in[threadIdx.x] + turn) & 1;
    unsigned count;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; bar.red.popc.u32 %0, %2, 64, p; }"
                 : "=r"(count)
                 : "r"(odd), "r"(third + 3)
                 : "memory");
    sum += count;
  }
  out[threadIdx.x] = sum;
}

// The last threads of the block, which fill no warp, end before the others wait for each other.
__global__ void endBeforeGrid(int *sums, int *out, int ended) {
  const int live = blockDim.x - ended;
  if (threadIdx.x >= live) return;
  atomicAdd(&sums[blockIdx.x], threadIdx.x + 1);
  cg::this_grid().sync();
  int all = 0;
  for (int b = 0; b < gridDim.x; ++b) all += ((volatile int *)sums)[b];
  out[blockIdx.x * live + threadIdx.x] = all;
}

// Blocks take what a neighbour has left between two grid barriers, the arrival and the wait apart.
__global__ void arriveAndWait(int *a, int *b) {
  const cg::grid_group grid = cg::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int turn = 0; turn < 6; ++turn) {
    b[i] = a[(i + blockDim.x) % n] + 1;
    auto token = grid.barrier_arrive();
    const int mine = (i * 7) % 5;
    grid.barrier_wait(static_cast<decltype(token) &&>(token));
    a[i] = b[(i + 1) % n] + mine - mine;
    grid.sync();
  }
}

int main() {
  std::vector<int> numbers(192);
  for (int i = 0; i < 192; ++i) numbers[i] = i * i / 3;
  check::DeviceArray<int> in(numbers), counts(192, 0);
  countInThirds<<<1, 192>>>(in.get(), counts.get());
  LAUNCH_OK();
  const std::vector<int> counted = counts.download();
  for (int i = 0; i < 192; ++i) {
    int expected = 0;
    for (int turn = 0; turn <= i / 64; ++turn)
      for (int k = 0; k < 64; ++k) expected += (numbers[i / 64 * 64 + k] + turn) & 1;
    CHECK_EQ(counted[i], expected);
  }

  for (const int threads : {128, 100, 33}) {
    int ended = threads / 4, live = threads - ended;
    check::DeviceArray<int> sums(5, 0), out(5 * live, 0);
    int *ps = sums.get(), *po = out.get();
    void *arguments[] = {&ps, &po, &ended};
    CUDA_OK(cudaLaunchCooperativeKernel((const void *)endBeforeGrid, dim3(5), dim3(threads), arguments, 0, nullptr));
    LAUNCH_OK();
    for (const int each : out.download()) CHECK_EQ(each, 5 * live * (live + 1) / 2);
  }

  constexpr int n = 3 * 96;
  std::vector<int> start(n);
  for (int i = 0; i < n; ++i) start[i] = i;
  check::DeviceArray<int> a(start), b(n, 0);
  int *pa = a.get(), *pb = b.get();
  void *arguments[] = {&pa, &pb};
  CUDA_OK(cudaLaunchCooperativeKernel((const void *)arriveAndWait, dim3(3), dim3(96), arguments, 0, nullptr));
  LAUNCH_OK();
  const std::vector<int> left = a.download();
  for (int i = 0; i < n; ++i) CHECK_EQ(left[i], (i + 6 * 97) % n + 6);
  return check::finish();
}
