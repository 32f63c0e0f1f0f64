// Named barriers of PTX: groups of warps meet at barriers of their own, and producers arrive without waiting.
#include "../check.h"

__device__ void syncNamed(int barrier, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ void arriveNamed(int barrier, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

// Each group of 64 threads rotates its part of shared memory at its own pace.
__global__ void groups(int *out) {
  __shared__ int ring[256];
  const int i = threadIdx.x, group = i / 64, base = group * 64, lane = i % 64;
  ring[i] = lane;
  syncNamed(group + 1, 64);
  for (int round = 0; round < 10 * (group + 1); ++round) {
    const int next = ring[base + (lane + 1) % 64];
    syncNamed(group + 1, 64);
    ring[i] = next;
    syncNamed(group + 1, 64);
  }
  __syncthreads();
  out[i] = ring[i];
}

// Warp 0 produces; warp 1 consumes. "full" is barrier 1, "empty" barrier 2.
__global__ void producerConsumer(int *out, int items) {
  __shared__ int buffer[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int item = 0; item < items; ++item) {
      if (item > 0) syncNamed(2, 64);
      buffer[lane] = item * 32 + lane;
      arriveNamed(1, 64);
    }
  } else {
    for (int item = 0; item < items; ++item) {
      syncNamed(1, 64);
      out[item * 32 + lane] = buffer[31 - lane];
      if (item + 1 < items) arriveNamed(2, 64);
    }
  }
}

int main() {
  check::DeviceArray<int> out(256);
  groups<<<1, 256>>>(out.get());
  LAUNCH_OK();
  std::vector<int> host = out.download();
  for (int i = 0; i < 256; ++i) CHECK_EQ(host[i], (i % 64 + 10 * (i / 64 + 1)) % 64);

  const int items = 20;
  check::DeviceArray<int> consumed(items * 32);
  producerConsumer<<<1, 64>>>(consumed.get(), items);
  LAUNCH_OK();
  host = consumed.download();
  for (int i = 0; i < items * 32; ++i) CHECK_EQ(host[i], i / 32 * 32 + 31 - i % 32);
  return check::finish();
}
