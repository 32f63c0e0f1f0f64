// __syncwarp orders shared memory among the lanes of its mask, also when the lanes come from different branches.
#include "../check.h"

__global__ void neighbour(int *out, int rounds) {
  __shared__ int values[64];
  const int i = threadIdx.x, base = i / 32 * 32, lane = i % 32;
  values[i] = lane;
  __syncwarp();
  for (int r = 0; r < rounds; ++r) {
    const int next = values[base + (lane + 1) % 32];
    __syncwarp();
    values[i] = next;
    __syncwarp();
  }
  out[i] = values[i];
}

// Even lanes write in one branch, odd lanes read in the other; both call __syncwarp with the full mask.
__global__ void acrossBranches(int *out) {
  __shared__ int values[32];
  const int lane = threadIdx.x;
  if (lane % 2 == 0) {
    values[lane] = lane * 10;
    __syncwarp();
    out[lane] = lane;
  } else {
    __syncwarp();
    out[lane] = values[lane - 1];
  }
}

// Lower and upper half proceed at different paces and meet at the end.
__global__ void halves(int *out) {
  __shared__ int values[32];
  const int lane = threadIdx.x, half = lane / 16;
  const unsigned mask = half ? 0xFFFF0000u : 0x0000FFFFu;
  values[lane] = 1;
  for (int step = 1; step < (half ? 16 : 8); step *= 2) {
    __syncwarp(mask);
    const int other = values[half * 16 + (lane ^ step) % 16];
    __syncwarp(mask);
    values[lane] += other;
  }
  __syncwarp();
  out[lane] = values[31 - lane];
}

int main() {
  check::DeviceArray<int> out(64);
  neighbour<<<1, 64>>>(out.get(), 37);
  LAUNCH_OK();
  std::vector<int> host = out.download();
  for (int i = 0; i < 64; ++i) CHECK_EQ(host[i], (i + 37) % 32);
  acrossBranches<<<1, 32>>>(out.get());
  LAUNCH_OK();
  host = out.download();
  for (int i = 0; i < 32; ++i) CHECK_EQ(host[i], i % 2 == 0 ? i : (i - 1) * 10);
  halves<<<1, 32>>>(out.get());
  LAUNCH_OK();
  host = out.download();
  for (int i = 0; i < 32; ++i) CHECK_EQ(host[i], i < 16 ? 16 : 8);
  return check::finish();
}
