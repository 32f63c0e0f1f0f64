// Only the lane that shuffles read from has set the variable: the others' values are of no account, and tell nothing
// about which lanes there are.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void claim(unsigned *counter, unsigned *places) {
  const unsigned lane = threadIdx.x % 32;
  unsigned first;
  if (lane == 0) first = atomicAdd(counter, 32);
  first = __shfl_sync(0xffffffff, first, 0);
  const cg::coalesced_group active = cg::coalesced_threads();
  unsigned more;
  if (active.thread_rank() == 0) more = atomicAdd(counter + 1, active.size());
  more = active.shfl(static_cast<int>(more), 0);
  places[blockIdx.x * blockDim.x + threadIdx.x] = first + more + 2 * lane;
}

int main() {
  const unsigned blocks = 4, threads = 128, count = blocks * threads;
  unsigned *counter, *places;
  cudaMallocManaged(&counter, 2 * sizeof(unsigned));
  cudaMallocManaged(&places, count * sizeof(unsigned));
  counter[0] = counter[1] = 0;
  claim<<<blocks, threads>>>(counter, places);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  unsigned long long sum = 0;
  for (unsigned i = 0; i < count; ++i) sum += places[i];
  // each counter gives every warp its own 32 numbers
  const unsigned long long expected = 2ull * count * (count - 1) / 2;
  if (counter[0] != count || counter[1] != count || sum != expected) return 1;
  std::puts("PASS");
}
