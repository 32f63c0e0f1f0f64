// Warp sums and scans as libraries write them, combined into block sums, for block sizes that are no multiple of 32.
#include "../check.h"

__device__ int warpSum(int value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, offset);
  return value;
}
__device__ int warpScan(int value) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const int below = __shfl_up_sync(0xFFFFFFFFu, value, offset);
    if (threadIdx.x % 32 >= offset) value += below;
  }
  return value;
}

// Callers round the block size up to whole warps; threads past n contribute zero.
__global__ void blockScan(int *out, int *total, int n) {
  __shared__ int warpTotals[32];
  const int i = threadIdx.x, lane = i % 32, warp = i / 32;
  const int scanned = warpScan(i < n ? i % 11 + 1 : 0);
  if (lane == 31) warpTotals[warp] = scanned;
  __syncthreads();
  if (warp == 0) {
    const int mine = lane < (int)blockDim.x / 32 ? warpTotals[lane] : 0;
    const int sums = warpScan(mine);
    warpTotals[lane] = sums - mine;
    const int all = warpSum(mine);
    if (lane == 0) *total = all;
  }
  __syncthreads();
  if (i < n) out[i] = scanned + warpTotals[warp];
}

int main() {
  for (int n : {1, 31, 32, 100, 500, 1023, 1024}) {
    check::DeviceArray<int> out(n), total(1);
    blockScan<<<1, (n + 31) / 32 * 32>>>(out.get(), total.get(), n);
    LAUNCH_OK();
    const std::vector<int> host = out.download();
    int expected = 0;
    for (int i = 0; i < n; ++i) CHECK_EQ(host[i], expected += i % 11 + 1);
    CHECK_EQ(total.download()[0], expected);
  }
  return check::finish();
}
