// Shuffles among some lanes only: inside a branch, in the incomplete last warp, and two disjoint masks at a time.
#include "../check.h"

__global__ void insideBranch(int *out) {
  const int lane = threadIdx.x % 32;
  int value = -1;
  if (lane % 2 == 0)
    value = __shfl_down_sync(0x55555555u, lane, 2);
  else
    value = 100 + __shfl_up_sync(0xAAAAAAAAu, lane, 2);
  out[threadIdx.x] = value;
}

// 45 threads: the second warp has 13 lanes.
__global__ void incompleteWarp(int *out) {
  const unsigned mask = threadIdx.x < 32 ? 0xFFFFFFFFu : (1u << 13) - 1;
  int sum = threadIdx.x;
  for (int offset = 16; offset > 0; offset /= 2) {
    const int other = __shfl_down_sync(mask, sum, offset);
    const int lane = threadIdx.x % 32, lanes = threadIdx.x < 32 ? 32 : 13;
    if (lane + offset < lanes) sum += other;
  }
  out[threadIdx.x] = sum;
}

// The lanes of a mask meet wherever they are: groups of four leave a loop at different times.
__global__ void ownPace(int *out) {
  const int lane = threadIdx.x % 32, group = lane / 4;
  const unsigned mask = 0xFu << (group * 4);
  int value = lane;
  for (int round = 0; round <= group; ++round) value = __shfl_sync(mask, value, (lane + 1) % 4, 4);
  out[threadIdx.x] = value;
}

int main() {
  check::DeviceArray<int> out(64);
  insideBranch<<<1, 64>>>(out.get());
  LAUNCH_OK();
  std::vector<int> host = out.download();
  for (int i = 0; i < 64; ++i) {
    const int lane = i % 32;
    CHECK_EQ(host[i], lane % 2 == 0 ? (lane + 2 < 32 ? lane + 2 : lane) : 100 + (lane - 2 >= 0 ? lane - 2 : lane));
  }
  incompleteWarp<<<1, 45>>>(out.get());
  LAUNCH_OK();
  host = out.download();
  CHECK_EQ(host[0], 31 * 32 / 2);
  CHECK_EQ(host[32], 44 * 45 / 2 - 31 * 32 / 2);
  ownPace<<<1, 64>>>(out.get());
  LAUNCH_OK();
  host = out.download();
  for (int i = 0; i < 64; ++i) {
    const int lane = i % 32, group = lane / 4;
    CHECK_EQ(host[i], group * 4 + (lane + group + 1) % 4);
  }
  return check::finish();
}
